package io.tickmark.transport.udp;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.WirePath;
import java.lang.ref.Reference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * Sends datagrams, each by itself or gathered into kernel batches. A message accepted for several
 * destinations of which some could not take it is kept and goes to those later.
 */
final class UdpPublication implements Publication {
    private final UdpSocket socket;
    private final Destinations destinations;
    private final ChannelUri channel;
    private final int batch;
    private final int maxPayloadBytes;
    private final SegmentBuffer gathered;
    private int nextDestination;
    private int nextMessage;
    private int refusedFromBytes = Integer.MAX_VALUE;
    private int refusedErrno;
    private long position;
    private long sendCalls;
    private long sendErrors;
    private int lastErrno;

    UdpPublication(
            final UdpSocket socket,
            final Destinations destinations,
            final ChannelUri channel,
            final int batch,
            final int maxPayloadBytes) {
        this.socket = socket;
        this.destinations = destinations;
        this.channel = channel;
        this.batch = batch;
        this.maxPayloadBytes = maxPayloadBytes;
        this.gathered = new SegmentBuffer(maxPayloadBytes);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (!socket.isOpen()) {
            return CLOSED;
        }
        if (length > maxPayloadBytes) {
            return TOO_LONG;
        }
        if (destinations.count() == 0) {
            return NOT_CONNECTED;
        }
        buffer.boundsCheck(offset, length);
        return batch > 1 && length > 0 && length < refusedFromBytes
                ? gather(buffer, offset, length)
                : sendNow(buffer, offset, length);
    }

    @Override
    public int batch() {
        return Math.max(1, batch);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A whole kernel batch for one destination is sent from where it lies, behind what was
     * gathered before.
     */
    @Override
    public int offerAll(
            final DirectBuffer buffer, final int offset, final int length, final int count) {
        if (batch < 2 || count < 2 || length <= 0 || destinations.count() != 1) {
            return Publication.super.offerAll(buffer, offset, length, count);
        }
        final int room = Math.min(batch, maxPayloadBytes / length);
        if (count < room || room < 2 || !canSendInPlace(buffer, length)) {
            return Publication.super.offerAll(buffer, offset, length, count);
        }
        if (gathered.count() > 0 && flush() < 0) {
            return (int) BACK_PRESSURED;
        }
        buffer.boundsCheck(offset, room * length);
        final long code = sendBatch(0, buffer.addressOffset() + offset, length, room);
        Reference.reachabilityFence(buffer);
        if (code < 0) {
            return (int) code;
        }
        if (length >= refusedFromBytes) {
            return Publication.super.offerAll(buffer, offset, length, count);
        }
        position += room;
        return room;
    }

    private boolean canSendInPlace(final DirectBuffer buffer, final int length) {
        return socket.isOpen() && length < refusedFromBytes && buffer.byteArray() == null;
    }

    private long gather(final DirectBuffer buffer, final int offset, final int length) {
        if ((isUnderWay() || !gathered.takes(length, batch)) && flush() < 0) {
            return BACK_PRESSURED;
        }
        gathered.add(buffer, offset, length);
        if (gathered.count() == batch) {
            flush();
        }
        return ++position;
    }

    /** Some destinations have what is gathered already: nothing may be added to it. */
    private boolean isUnderWay() {
        return nextDestination > 0 || nextMessage > 0;
    }

    private long sendNow(final DirectBuffer buffer, final int offset, final int length) {
        if (gathered.count() > 0 && flush() < 0) {
            return BACK_PRESSURED;
        }
        final boolean isNative = buffer.byteArray() == null;
        final long address =
                isNative
                        ? buffer.addressOffset() + offset
                        : gathered.copyOf(buffer, offset, length);
        final int count = destinations.count();
        for (int i = 0; i < count; i++) {
            final long code = send(i, address, length);
            if (code == BACK_PRESSURED && i > 0) {
                gathered.add(buffer, offset, length);
                nextDestination = i;
                break;
            }
            if (code < 0) {
                return code;
            }
        }
        Reference.reachabilityFence(buffer);
        return ++position;
    }

    @Override
    public int flush() {
        final int count = gathered.count();
        if (count == 0 || !socket.isOpen()) {
            return 0;
        }
        while (nextDestination < destinations.count()) {
            if (!sendGathered(nextDestination)) {
                return (int) BACK_PRESSURED;
            }
            nextDestination++;
        }
        nextDestination = 0;
        gathered.clear();
        return count;
    }

    /** Sends all that is gathered to one destination; false if it must be called again. */
    private boolean sendGathered(final int destination) {
        final int length = gathered.segmentLength();
        if (nextMessage == 0 && gathered.count() > 1 && length < refusedFromBytes) {
            final long code =
                    sendBatch(destination, gathered.addressOf(0), length, gathered.count());
            if (length < refusedFromBytes) {
                return code != BACK_PRESSURED;
            }
        }
        while (nextMessage < gathered.count()) {
            if (send(destination, gathered.addressOf(nextMessage), length) == BACK_PRESSURED) {
                return false;
            }
            nextMessage++;
        }
        nextMessage = 0;
        return true;
    }

    private long sendBatch(
            final int destination, final long address, final int length, final int count) {
        final long name = destinations.name(destination);
        final int nameLength = destinations.nameLength();
        long result = socket.sendBatch(address, length, count, name, nameLength);
        if (result == -Errno.ECONNREFUSED) {
            sendErrors++;
            result = socket.sendBatch(address, length, count, name, nameLength);
        }
        if (result < 0 && isRefusalOfBatches((int) -result)) {
            refusedFromBytes = length;
            refusedErrno = (int) -result;
            return 0;
        }
        if (result < 0) {
            return failed((int) -result);
        }
        sendCalls++;
        return 0;
    }

    private static boolean isRefusalOfBatches(final int errno) {
        return switch (errno) {
            case Errno.EINVAL,
                    Errno.EMSGSIZE,
                    LinuxSockets.EIO,
                    LinuxSockets.EOPNOTSUPP,
                    LinuxSockets.ENOPROTOOPT ->
                    true;
            default -> false;
        };
    }

    private long send(final int destination, final long address, final int length) {
        final long name = destinations.name(destination);
        long result = socket.send(address, length, name, destinations.nameLength());
        if (result == -Errno.ECONNREFUSED) {
            // Told of an earlier datagram to a port that nobody has; this one was not sent.
            sendErrors++;
            result = socket.send(address, length, name, destinations.nameLength());
        }
        if (result < 0) {
            return failed((int) -result);
        }
        sendCalls++;
        return 0;
    }

    private long failed(final int errno) {
        return switch (errno) {
            case Errno.EAGAIN, Errno.EINTR, Errno.ENOBUFS, LinuxSockets.ENOMEM -> BACK_PRESSURED;
            case LinuxSockets.EBADF -> CLOSED;
            case Errno.ECONNREFUSED, Errno.EPERM -> {
                // Nobody there, or a packet filter: lost on the way, as any datagram may be.
                count(errno);
                yield 0;
            }
            case Errno.EMSGSIZE -> {
                count(errno);
                yield TOO_LONG;
            }
            default -> {
                count(errno);
                yield destinations.count() > 1 ? 0 : NOT_CONNECTED;
            }
        };
    }

    private void count(final int errno) {
        sendErrors++;
        lastErrno = errno;
    }

    @Override
    public int doWork() {
        return Math.max(0, flush());
    }

    @Override
    public int subscriberCount() {
        return destinations.learns() ? destinations.count() : UNKNOWN_COUNT;
    }

    @Override
    public Optional<WirePath> wirePath() {
        final Object group = socket.options().facts().get("interface");
        final Optional<NetworkLink> link =
                group == null
                        ? destinations
                                .first()
                                .or(() -> Optional.of(Endpoint.allOf(channel).getFirst().address()))
                                .flatMap(NetworkLink::towards)
                        : Optional.of(NetworkLink.named(group.toString()));
        return link.map(found ->
                WirePath.datagrams(
                        found,
                        Endpoint.allOf(channel).getFirst().isIpv6(),
                        Math.max(1, destinations.count())));
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>(socket.options().facts());
        facts.put("sendBufferBytes", socket.options().sendBufferBytes());
        facts.put("batch", batch > 1 && refusedErrno == 0 ? batch : 0);
        if (refusedErrno != 0) {
            facts.put(
                    "batchRefused",
                    "from " + refusedFromBytes + " bytes on: " + Libc.errorText(refusedErrno));
        }
        facts.put("accepted", position);
        facts.put("sendCalls", sendCalls);
        facts.put("sendErrors", sendErrors);
        if (lastErrno != 0) {
            facts.put("lastSendError", Libc.errorText(lastErrno));
        }
        if (destinations.ignored() > 0) {
            facts.put("peersIgnored", destinations.ignored());
        }
        return facts;
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public void close() {
        flush();
        socket.close();
    }
}
