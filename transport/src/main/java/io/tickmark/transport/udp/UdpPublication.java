package io.tickmark.transport.udp;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.Publication;
import io.tickmark.transport.WirePath;
import io.tickmark.transport.socket.KernelTimes;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends datagrams, each by itself or gathered into kernel batches. A message that was accepted for
 * several destinations but could not be sent to some of them is kept and sent to those later.
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

    /** Numbers of sends by position, and the socket that made them; empty without kernel times. */
    private final int[] sends;

    private UdpSocket sender;

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
        sends = new int[socket.keepsTimes() ? KernelTimes.MOST : 0];
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (!socket.isOpen()) {
            return CLOSED;
        }
        if (length > maxPayloadBytes) {
            return TOO_LONG;
        }
        final int count = destinations.count();
        if (count == 0) {
            return NOT_CONNECTED;
        }
        buffer.boundsCheck(offset, length);
        if (batch > 1 && length > 0 && length < refusedFromBytes) {
            if ((isUnderWay() || !gathered.takes(length, batch)) && flush() < 0) {
                return BACK_PRESSURED;
            }
            gathered.add(buffer, offset, length);
            if (gathered.count() == batch) {
                flush();
            }
            return ++position;
        }
        if (gathered.count() > 0 && flush() < 0) {
            return BACK_PRESSURED;
        }
        final boolean isNative = buffer.byteArray() == null;
        final long address =
                isNative
                        ? buffer.addressOffset() + offset
                        : gathered.copyOf(buffer, offset, length);
        final int nameLength = destinations.nameLength();
        for (int i = 0; i < count; i++) {
            final long name = destinations.name(i);
            final UdpSocket way = socket.socketFor(name);
            final long code = codeOf(way.send(address, length, name, nameLength));
            if (code == BACK_PRESSURED && i > 0) {
                gathered.add(buffer, offset, length);
                nextDestination = i;
                break;
            }
            if (code < 0) {
                return code;
            }
            if (sends.length > 0 && i == 0) {
                sends[(int) (position + 1) & sends.length - 1] = way.lastSend();
                sender = way;
            }
        }
        Reference.reachabilityFence(buffer);
        return ++position;
    }

    @Override
    public KernelStamps kernelStamps() {
        if (sender == null || !sender.lacksDepartures() || !socket.isOpen()) {
            return socket.kernelStamps();
        }
        sender.takeDepartures();
        return sender.lacksDepartures()
                ? KernelStamps.missing(
                        "the kernel reported no send times; it stamps only datagrams that go to a network device, unlike those"
                                + " of multicast over IPv6 with ttl=0")
                : socket.kernelStamps();
    }

    @Override
    public long departedNs(final long ofPosition) {
        return isRemembered(ofPosition)
                ? sender.departedNs(sends[(int) ofPosition & sends.length - 1])
                : 0;
    }

    @Override
    public long queuedNs(final long ofPosition) {
        return isRemembered(ofPosition)
                ? sender.queuedNs(sends[(int) ofPosition & sends.length - 1])
                : 0;
    }

    @Override
    public long cardDepartedNs(final long ofPosition) {
        return isRemembered(ofPosition)
                ? sender.cardDepartedNs(sends[(int) ofPosition & sends.length - 1])
                : 0;
    }

    private boolean isRemembered(final long ofPosition) {
        return sender != null && position - ofPosition < sends.length;
    }

    /** Some destinations already have what is gathered: nothing may be added to it. */
    private boolean isUnderWay() {
        return nextDestination > 0 || nextMessage > 0;
    }

    @Override
    public int batch() {
        return Math.max(1, batch);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A whole kernel batch for one destination is sent from its own buffer, after what was
     * gathered before.
     */
    @Override
    public int offerAll(
            final DirectBuffer buffer, final int offset, final int length, final int count) {
        final int room = length > 0 ? Math.min(batch, maxPayloadBytes / length) : 0;
        if (room > 1
                && count >= room
                && destinations.count() == 1
                && canSendInPlace(buffer, length)) {
            if (gathered.count() > 0 && flush() < 0) {
                return (int) BACK_PRESSURED;
            }
            buffer.boundsCheck(offset, room * length);
            final long address = buffer.addressOffset() + offset;
            final long name = destinations.name(0);
            final long result =
                    socket.socketFor(name)
                            .sendBatch(address, length, room, name, destinations.nameLength());
            Reference.reachabilityFence(buffer);
            if (!isRefusalOfBatches(result, length)) {
                final long code = codeOf(result);
                position += code < 0 ? 0 : room;
                return code < 0 ? (int) code : room;
            }
        }
        for (int taken = 0; taken < count; taken++) {
            final long code = offer(buffer, offset + taken * length, length);
            if (code < 0) {
                return taken > 0 ? taken : (int) code;
            }
        }
        return count;
    }

    private boolean canSendInPlace(final DirectBuffer buffer, final int length) {
        return socket.isOpen() && length < refusedFromBytes && buffer.byteArray() == null;
    }

    /**
     * Sends everything that is gathered to one destination after the other, with one call each at
     * best.
     */
    @Override
    public int flush() {
        final int count = gathered.count();
        if (count == 0 || !socket.isOpen()) {
            return 0;
        }
        final int length = gathered.segmentLength();
        final int nameLength = destinations.nameLength();
        while (nextDestination < destinations.count()) {
            final long name = destinations.name(nextDestination);
            final UdpSocket way = socket.socketFor(name);
            boolean isSent = false;
            if (nextMessage == 0 && count > 1 && length < refusedFromBytes) {
                final long result =
                        way.sendBatch(gathered.addressOf(0), length, count, name, nameLength);
                if (!isRefusalOfBatches(result, length)) {
                    if (codeOf(result) == BACK_PRESSURED) {
                        return (int) BACK_PRESSURED;
                    }
                    isSent = true;
                }
            }
            for (; !isSent && nextMessage < count; nextMessage++) {
                final long address = gathered.addressOf(nextMessage);
                if (codeOf(way.send(address, length, name, nameLength)) == BACK_PRESSURED) {
                    return (int) BACK_PRESSURED;
                }
            }
            nextMessage = 0;
            nextDestination++;
        }
        nextDestination = 0;
        gathered.clear();
        return count;
    }

    /** Whether the kernel takes no batches of messages this long; then each is sent by itself. */
    private boolean isRefusalOfBatches(final long result, final int length) {
        final boolean isRefusal =
                result < 0
                        && switch ((int) -result) {
                            case Errno.EINVAL,
                                    Errno.EMSGSIZE,
                                    SocketNumbers.EIO,
                                    SocketNumbers.EOPNOTSUPP,
                                    SocketNumbers.ENOPROTOOPT ->
                                    true;
                            default -> false;
                        };
        if (isRefusal) {
            refusedFromBytes = length;
            refusedErrno = (int) -result;
        }
        return isRefusal;
    }

    /** The publication's code for what the socket returned. */
    private long codeOf(final long result) {
        if (result < 0) {
            return failed((int) -result);
        }
        sendCalls++;
        return 0;
    }

    private long failed(final int errno) {
        return switch (errno) {
            case Errno.EAGAIN, Errno.EINTR, Errno.ENOBUFS, SocketNumbers.ENOMEM -> BACK_PRESSURED;
            case SocketNumbers.EBADF -> CLOSED;
            case Errno.ECONNREFUSED, Errno.EPERM -> {
                // No receiver, or a packet filter: lost in transit, as any datagram may be.
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
        if (sender != null && socket.isOpen()) {
            sender.takeDepartures(); // while there is time: in offer it would delay a message
        }
        return Math.max(0, flush());
    }

    @Override
    public int subscriberCount() {
        return destinations.learns() ? destinations.count() : UNKNOWN_COUNT;
    }

    @Override
    public Optional<WirePath> wirePath() {
        return link().map(found ->
                WirePath.datagrams(
                        found,
                        UdpEndpoint.allOf(channel).getFirst().isIpv6(),
                        Math.max(1, destinations.count())));
    }

    /** The interface to the first receiver, or the one that multicast was told to use. */
    private Optional<NetworkLink> link() {
        final Object group = socket.options().facts().get("interface");
        return group == null
                ? destinations
                        .first()
                        .or(() -> Optional.of(UdpEndpoint.allOf(channel).getFirst().address()))
                        .flatMap(NetworkLink::towards)
                : Optional.of(NetworkLink.named(group.toString()));
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>(socket.options().facts());
        if (socket.keepsTimes()) {
            link().ifPresent(found -> facts.put(KernelTimes.FACT, socket.stampedBy(found)));
        }
        facts.put("sendBufferBytes", socket.options().sendBufferBytes());
        facts.put("batch", batch > 1 && refusedErrno == 0 ? batch : 0);
        if (refusedErrno != 0) {
            facts.put(
                    "batchRefused",
                    "from " + refusedFromBytes + " bytes on: " + Libc.errorText(refusedErrno));
        }
        facts.put("accepted", position);
        facts.put("sendCalls", sendCalls);
        facts.put("sendErrors", sendErrors + socket.refusals());
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

    /**
     * Messages of one length, stored consecutively as UDP_SEGMENT requires (udp(7)).
     * Single-threaded; allocates nothing after construction.
     */
    private static final class SegmentBuffer {
        private final UnsafeBuffer bytes;
        private int segmentLength;
        private int count;

        SegmentBuffer(final int capacity) {
            bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
        }

        /** Whether one more message of this length may join a batch. */
        boolean takes(final int length, final int batch) {
            return count == 0
                    || length == segmentLength
                            && count < batch
                            && (count + 1) * length <= bytes.capacity();
        }

        void add(final DirectBuffer source, final int offset, final int length) {
            segmentLength = length;
            bytes.putBytes(count * length, source, offset, length);
            count++;
        }

        /** Copies one message to native memory without gathering it; only while empty. */
        long copyOf(final DirectBuffer source, final int offset, final int length) {
            bytes.putBytes(0, source, offset, length);
            return bytes.addressOffset();
        }

        /** Address of a message; that of the first one is where the batch begins. */
        long addressOf(final int index) {
            return bytes.addressOffset() + (long) index * segmentLength;
        }

        int count() {
            return count;
        }

        int segmentLength() {
            return segmentLength;
        }

        void clear() {
            count = 0;
        }
    }
}
