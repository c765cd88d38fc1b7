package io.tickmark.transport.udp;

import static io.tickmark.transport.udp.SocketNumbers.SOL_UDP;
import static io.tickmark.transport.udp.SocketNumbers.UDP_GRO;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.socket.ReceiveBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Receives datagrams, split where the kernel delivers a batch of them as one. */
final class UdpSubscription implements Subscription {
    /** Holds any datagram and any batch: lengths in IP headers have 16 bits. */
    static final int CAPACITY_BYTES = 65_536;

    /** A flood must not keep a caller from checking its stop signal. */
    private static final int MOST_PER_POLL = 1024;

    private static final long LONGEST_WAIT_NS = 100_000_000;
    private static final int NOTHING = -1;

    private final UdpSocket socket;
    private final Destinations peers;
    private final ChannelUri channel;
    private final ReceiveBuffer received;
    private final boolean batched;
    private final boolean hasHeader;
    private int position;
    private int end;
    private int segmentLength;
    private long handedOver;
    private long receiveCalls;
    private long truncated;
    private long receiveErrors;

    UdpSubscription(
            final UdpSocket socket,
            final Destinations peers,
            final ChannelUri channel,
            final boolean batched,
            final int capacityBytes) {
        this.socket = socket;
        this.peers = peers;
        this.channel = channel;
        this.received = new ReceiveBuffer(capacityBytes, UdpEndpoint.ENCODED_BYTES);
        this.batched = batched && askForBatches();
        hasHeader = this.batched || socket.keepsTimes();
    }

    private boolean askForBatches() {
        final int result = socket.options().set(SOL_UDP, UDP_GRO, 1);
        if (result < 0) {
            socket.options().fact("receiveBatchRefused", Libc.errorText(-result));
        }
        return result >= 0;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        if (!socket.isOpen()) {
            return 0;
        }
        final int most = Math.min(limit, MOST_PER_POLL);
        int done = 0;
        while (done < most) {
            if (position == end) {
                final int length = receive();
                if (length == NOTHING) {
                    break;
                }
                position = 0;
                end = length;
                if (length == 0) {
                    handedOver++;
                    handler.onMessage(received.bytes(), 0, 0);
                    done++;
                    continue;
                }
            }
            final int offset = position;
            final int length = Math.min(segmentLength, end - offset);
            position = offset + length; // before the call: a handler that throws loses one message
            handedOver++;
            handler.onMessage(received.bytes(), offset, length);
            done++;
        }
        return done;
    }

    /** Receives one datagram or one batch; its length, or NOTHING. */
    private int receive() {
        final boolean learns = peers.learns();
        final long length =
                hasHeader ? socket.receiveBatch(received) : socket.receive(received, learns);
        if (length < 0) {
            if (length != -Errno.EAGAIN) {
                // An unreachable peer of a connected socket: the error is reported once and
                // cleared.
                receiveErrors++;
            }
            return NOTHING;
        }
        if (length > received.capacity()) {
            truncated++;
            return NOTHING;
        }
        receiveCalls++;
        segmentLength = batched ? segmentLength((int) length) : (int) length;
        if (learns
                && peers.learnsFrom(received.bytes(), segmentLength)
                && peers.heard(received.name(), received.nameLength(hasHeader))) {
            socket.peerLearned(peers);
        }
        return (int) length;
    }

    /** Of a batch; the whole length of what is none. */
    private int segmentLength(final int length) {
        final int found = received.find(SOL_UDP, UDP_GRO);
        final int segment = found < 0 ? 0 : (int) received.control(found, Integer.BYTES);
        return segment > 0 ? segment : length;
    }

    @Override
    public KernelStamps kernelStamps() {
        return socket.kernelStamps();
    }

    @Override
    public long arrivedNs() {
        return socket.keepsTimes() ? received.arrivedNs() : 0;
    }

    @Override
    public long cardArrivedNs() {
        return socket.keepsTimes() ? received.cardArrivedNs() : 0;
    }

    @Override
    public boolean wakesOnArrival() {
        return true;
    }

    @Override
    public void await(final long timeoutNs) {
        if (socket.isOpen() && position == end) {
            socket.await(Math.max(0, Math.min(timeoutNs, LONGEST_WAIT_NS)));
        }
    }

    @Override
    public boolean isConnected() {
        return socket.isOpen();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Datagrams dropped because the socket's receive buffer was full; a kernel batch counts
     * once, so with batches this is a lower bound of the loss.
     */
    @Override
    public long lost() {
        return socket.drops();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>(socket.options().facts());
        facts.put("receiveBufferBytes", socket.options().receiveBufferBytes());
        facts.put("receiveBatches", batched);
        facts.put("handedOver", handedOver);
        facts.put("receiveCalls", receiveCalls);
        facts.put("truncated", truncated);
        facts.put("receiveErrors", receiveErrors);
        facts.put("socketDrops", socket.drops());
        return facts;
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public void close() {
        socket.close();
    }
}
