package io.tickmark.transport.udp;

import static io.tickmark.transport.udp.SocketNumbers.AF_INET;
import static io.tickmark.transport.udp.SocketNumbers.AF_INET6;
import static io.tickmark.transport.udp.SocketNumbers.EADDRNOTAVAIL;
import static io.tickmark.transport.udp.SocketNumbers.EAFNOSUPPORT;
import static io.tickmark.transport.udp.SocketNumbers.IPPROTO_IP;
import static io.tickmark.transport.udp.SocketNumbers.IPPROTO_IPV6;
import static io.tickmark.transport.udp.SocketNumbers.IPV6_TCLASS;
import static io.tickmark.transport.udp.SocketNumbers.IPV6_UNICAST_HOPS;
import static io.tickmark.transport.udp.SocketNumbers.IP_TOS;
import static io.tickmark.transport.udp.SocketNumbers.IP_TTL;
import static io.tickmark.transport.udp.SocketNumbers.MEMINFO_DROPS;
import static io.tickmark.transport.udp.SocketNumbers.MSG_DONTWAIT;
import static io.tickmark.transport.udp.SocketNumbers.MSG_TRUNC;
import static io.tickmark.transport.udp.SocketNumbers.POLLIN;
import static io.tickmark.transport.udp.SocketNumbers.SOCK_CLOEXEC;
import static io.tickmark.transport.udp.SocketNumbers.SOCK_DGRAM;
import static io.tickmark.transport.udp.SocketNumbers.SOL_SOCKET;
import static io.tickmark.transport.udp.SocketNumbers.SOL_UDP;
import static io.tickmark.transport.udp.SocketNumbers.SO_BUSY_POLL;
import static io.tickmark.transport.udp.SocketNumbers.SO_MEMINFO;
import static io.tickmark.transport.udp.SocketNumbers.SO_RCVBUF;
import static io.tickmark.transport.udp.SocketNumbers.SO_RCVBUFFORCE;
import static io.tickmark.transport.udp.SocketNumbers.SO_REUSEADDR;
import static io.tickmark.transport.udp.SocketNumbers.SO_SNDBUF;
import static io.tickmark.transport.udp.SocketNumbers.SO_SNDBUFFORCE;
import static io.tickmark.transport.udp.SocketNumbers.UDP_GRO;
import static io.tickmark.transport.udp.SocketNumbers.UDP_SEGMENT;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.socket.KernelTimes;
import io.tickmark.transport.socket.ReceiveBuffer;
import io.tickmark.transport.socket.SocketCalls;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A datagram socket and the options granted to it. Never blocks except in {@link #await}.
 * Single-threaded.
 */
class UdpSocket implements AutoCloseable {
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 32;
    private static final int VALUE = 40;
    private static final int VALUE_LENGTH = 80;
    private static final int POLL = 88;
    private static final int POLL_BYTES = 8;
    private static final int TIME = POLL + 2 * POLL_BYTES;
    private static final int SCRATCH_BYTES = TIME + 16;

    private static final int MEMINFO_BYTES = (MEMINFO_DROPS + 1) * Integer.BYTES;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final SocketCalls calls = new SocketCalls();
    private final UnsafeBuffer scratch = new UnsafeBuffer(ByteBuffer.allocateDirect(SCRATCH_BYTES));
    private final SocketOptions options;
    private final ChannelUri channel;
    private final int fd;
    private boolean open = true;
    private boolean hasOnePeer;
    private int segmentBytes;
    private long refusals;
    private long lastDrops;
    private KernelStamps stamps = KernelStamps.NOT_ASKED;
    private KernelTimes times;
    private int lastSend;

    UdpSocket(final ChannelUri channel, final boolean ipv6) {
        this.channel = channel;
        this.fd = calls.socket(ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC);
        this.options = new SocketOptions(calls, fd, channel, ipv6);
        if (fd == -EAFNOSUPPORT) {
            throw failed("this system has no IPv6; use an IPv4 address", fd);
        }
        if (fd < 0) {
            throw failed("no socket can be opened", fd);
        }
    }

    /** Opens a socket and requests its options. */
    static UdpSocket open(final ChannelUri channel, final boolean ipv6, final SocketTuning tuning) {
        return new UdpSocket(channel, ipv6).tuned(tuning);
    }

    /** Requests its options; closes the socket where one that is required is refused. */
    final UdpSocket tuned(final SocketTuning tuning) {
        try {
            options.tune(tuning);
            if (tuning.kernelTimes()) {
                final int refusal = KernelTimes.ask(calls, fd);
                stamps =
                        refusal == 0
                                ? KernelStamps.KEPT
                                : KernelStamps.missing(
                                        "the kernel refuses to stamp datagrams ("
                                                + Libc.errorText(refusal)
                                                + ")");
                times = refusal == 0 ? new KernelTimes(calls, fd) : null;
            }
        } catch (final UserError e) {
            close();
            throw e;
        }
        return this;
    }

    /** What stamps messages on a link. */
    final String stampedBy(final NetworkLink link) {
        return KernelTimes.stampedBy(fd, link.name());
    }

    /** Binds; an address in use is reported to the user. */
    void bind(final UdpEndpoint endpoint, final int scope) {
        final int length = endpoint.encode(scratch, NAME, scope);
        final int result = calls.bind(fd, address(NAME), length);
        if (result == -Errno.EADDRINUSE) {
            throw UserError.environment(
                    at(endpoint)
                            + "port "
                            + endpoint.port()
                            + " is in use; end the program that uses it, or write port 0 to have a free one chosen.");
        }
        if (result == -EADDRNOTAVAIL) {
            throw UserError.environment(
                    at(endpoint)
                            + endpoint.host()
                            + " is not an address of this host; bind one that 'ip addr' lists.");
        }
        if (result == -Errno.EACCES) {
            throw UserError.environment(
                    at(endpoint)
                            + "port "
                            + endpoint.port()
                            + " is reserved; use one from 1024 on, or run with the right to bind it.");
        }
        if (result < 0) {
            throw failed("binding " + endpoint.authority() + " failed", result);
        }
    }

    /** Connects, so that it only receives from and sends to this address. */
    void connect(final UdpEndpoint endpoint, final int scope) {
        final int result = tryConnect(endpoint, scope);
        if (result == -Errno.EACCES) {
            throw failed(endpoint.host() + " is a broadcast address; use a host's own", result);
        }
        if (result < 0) {
            throw failed("there is no route to " + endpoint.authority(), result);
        }
    }

    /** Connects; returns 0 or the negative error number. */
    int tryConnect(final UdpEndpoint endpoint, final int scope) {
        final int length = endpoint.encode(scratch, NAME, scope);
        return calls.connect(fd, address(NAME), length);
    }

    /**
     * Binds to the address another socket has and connects to one that the kernel wrote; returns 0
     * or the negative error number.
     */
    final int bindAndConnect(final UdpSocket other, final long name, final int nameLength) {
        other.port();
        final int bound = calls.bind(fd, other.address(NAME), other.scratch.getInt(NAME_LENGTH));
        hasOnePeer = true;
        return bound < 0 ? bound : calls.connect(fd, name, nameLength);
    }

    /** The bound port. */
    int port() {
        scratch.putInt(NAME_LENGTH, UdpEndpoint.ENCODED_BYTES);
        final int result = calls.getsockname(fd, address(NAME), address(NAME_LENGTH));
        if (result < 0) {
            throw failed("the socket has no address", result);
        }
        return UdpEndpoint.encodedPort(scratch, NAME);
    }

    /** The socket to use for sending to this address. */
    UdpSocket socketFor(final long name) {
        return this;
    }

    /** Sends one datagram; bytes sent or the negative error number. */
    long send(final long bytes, final int length, final long name, final int nameLength) {
        if (length > segmentBytes && segmentBytes > 0) {
            setSegmentBytes(0); // otherwise it would be truncated
        }
        final long to = hasOnePeer ? 0 : name;
        final int toLength = hasOnePeer ? 0 : nameLength;
        long result = calls.sendto(fd, bytes, length, MSG_DONTWAIT, to, toLength);
        if (result == -Errno.ECONNREFUSED) {
            // The error is about an earlier datagram to a port that is not open; this one was not
            // sent.
            refusals++;
            if (times != null) {
                times.sendFailed();
            }
            result = calls.sendto(fd, bytes, length, MSG_DONTWAIT, to, toLength);
        }
        if (times != null) {
            if (result >= 0) {
                lastSend = times.sent(1);
            } else {
                times.sendFailed();
            }
        }
        return result;
    }

    /** Whether the kernel stamps what is sent and received. */
    final boolean keepsTimes() {
        return times != null;
    }

    /** The same, with the reason where it does not. */
    final KernelStamps kernelStamps() {
        return stamps;
    }

    /** Whether datagrams were sent, and the kernel has reported when none of them departed. */
    final boolean lacksDepartures() {
        return times != null && times.lacksDepartures();
    }

    /** The number of the last datagram sent, for {@link #departedNs}. */
    final int lastSend() {
        return lastSend;
    }

    /** Takes the departures that the kernel has reported. */
    final void takeDepartures() {
        times.takeDepartures();
    }

    /** When a datagram was handed to the device, by System.nanoTime; 0 where that is unknown. */
    final long departedNs(final int send) {
        return times == null ? 0 : times.departedNs(send);
    }

    /** When the card stamped one on its way out, by its clock; 0 where that is unknown. */
    final long cardDepartedNs(final int send) {
        return times == null ? 0 : times.cardDepartedNs(send);
    }

    /** When one was handed to the queueing discipline; 0 where that is unknown. */
    final long queuedNs(final int send) {
        return times == null ? 0 : times.queuedNs(send);
    }

    /**
     * Sends a batch with one call; bytes sent or the negative error number. The length of segments
     * is an option of the socket rather than a control message of each call, because that saves 200
     * ns where lengths stay the same.
     */
    long sendBatch(
            final long bytes,
            final int length,
            final int count,
            final long name,
            final int nameLength) {
        final long to = hasOnePeer ? 0 : name;
        final int toLength = hasOnePeer ? 0 : nameLength;
        final long all = (long) length * count;
        long result = segmentBytes == length ? 0 : setSegmentBytes(length);
        if (result < 0) {
            return result;
        }
        result = calls.sendto(fd, bytes, all, MSG_DONTWAIT, to, toLength);
        if (result == -Errno.ECONNREFUSED) {
            refusals++; // as for a single datagram
            result = calls.sendto(fd, bytes, all, MSG_DONTWAIT, to, toLength);
        }
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.ENOBUFS) {
            // A path that refuses segments also refuses single datagrams while the option is set.
            setSegmentBytes(0);
        }
        return result;
    }

    /** Sends that returned the error of an earlier, undeliverable datagram and were repeated. */
    long refusals() {
        return refusals;
    }

    private int setSegmentBytes(final int length) {
        final int result = options.set(SOL_UDP, UDP_SEGMENT, length);
        segmentBytes = result < 0 ? 0 : length;
        return result;
    }

    /**
     * Receives one datagram; its length, which exceeds the capacity where it was truncated, or the
     * negative error number.
     */
    long receive(final ReceiveBuffer received, final boolean withName) {
        return calls.recvfrom(
                fd,
                received.address(),
                received.capacity(),
                MSG_DONTWAIT | MSG_TRUNC,
                withName ? received.nameAddress() : 0,
                withName ? received.nameLengthAddress() : 0);
    }

    /** Receives one datagram or one batch with its description; as {@link #receive}. */
    long receiveBatch(final ReceiveBuffer received) {
        final long result = calls.recvmsg(fd, received.header(), MSG_DONTWAIT | MSG_TRUNC);
        if (times != null) {
            if (result >= 0) {
                times.received(received);
            }
            times.takeDepartures();
        }
        return result;
    }

    /** Called when a peer was learned. */
    void peerLearned(final Destinations peers) {
        // only a bound socket overrides it
    }

    /** Waits until there is something to receive. */
    void await(final long timeoutNs) {
        await(timeoutNs, fd);
    }

    /** Waits until there is something to receive, here or at another socket. */
    final void await(final long timeoutNs, final UdpSocket other) {
        if (other.times != null) {
            other.times.takeDepartures();
        }
        await(timeoutNs, other.fd);
    }

    private void await(final long timeoutNs, final int otherFd) {
        if (times != null) {
            times.takeDepartures(); // or ppoll would return for them
        }
        putPoll(POLL, fd);
        putPoll(POLL + POLL_BYTES, otherFd);
        scratch.putLong(TIME, timeoutNs / NS_PER_SECOND);
        scratch.putLong(TIME + Long.BYTES, timeoutNs % NS_PER_SECOND);
        calls.ppoll(address(POLL), otherFd == fd ? 1 : 2, address(TIME));
    }

    private void putPoll(final int offset, final int polledFd) {
        scratch.putInt(offset, polledFd);
        scratch.putShort(offset + Integer.BYTES, POLLIN);
        scratch.putShort(offset + Integer.BYTES + Short.BYTES, (short) 0);
    }

    /** Datagrams that the kernel dropped because the receive buffer was full, until closed. */
    long drops() {
        if (open) {
            scratch.putInt(VALUE_LENGTH, MEMINFO_BYTES);
            final int result =
                    calls.getsockopt(
                            fd, SOL_SOCKET, SO_MEMINFO, address(VALUE), address(VALUE_LENGTH));
            if (result >= 0 && scratch.getInt(VALUE_LENGTH) >= MEMINFO_BYTES) {
                lastDrops =
                        Integer.toUnsignedLong(
                                scratch.getInt(VALUE + MEMINFO_DROPS * Integer.BYTES));
            }
        }
        return lastDrops;
    }

    /** Its options as granted. */
    final SocketOptions options() {
        return options;
    }

    boolean isOpen() {
        return open;
    }

    /** The error for an operation that the system refused. */
    final UserError failed(final String what, final int result) {
        return options.failed(what, result);
    }

    private String at(final UdpEndpoint endpoint) {
        return "--channel " + channel.scheme() + "://" + endpoint.authority() + ": ";
    }

    private long address(final int offset) {
        return scratch.addressOffset() + offset;
    }

    @Override
    public void close() {
        if (open) {
            drops();
            open = false;
            calls.close(fd);
        }
    }

    /** Options of one socket, as requested and as granted. Single-threaded. */
    static final class SocketOptions {
        private static final int VALUE = 0;
        private static final int LENGTH = 8;
        private static final int SCRATCH_BYTES = 16;

        private final UnsafeBuffer scratch =
                new UnsafeBuffer(ByteBuffer.allocateDirect(SCRATCH_BYTES));
        private final Map<String, Object> facts = new LinkedHashMap<>();
        private final SocketCalls calls;
        private final int fd;
        private final ChannelUri channel;
        private final boolean ipv6;
        private int sendBufferBytes;
        private int receiveBufferBytes;

        SocketOptions(
                final SocketCalls calls,
                final int fd,
                final ChannelUri channel,
                final boolean ipv6) {
            this.calls = calls;
            this.fd = fd;
            this.channel = channel;
            this.ipv6 = ipv6;
        }

        /** Requests the options. */
        void tune(final SocketTuning tuning) {
            sendBufferBytes =
                    buffer(SO_SNDBUF, SO_SNDBUFFORCE, tuning.sendBufferBytes(), "sendBufferBytes");
            receiveBufferBytes =
                    buffer(
                            SO_RCVBUF,
                            SO_RCVBUFFORCE,
                            tuning.receiveBufferBytes(),
                            "receiveBufferBytes");
            if (tuning.tos() > 0) {
                if (ipv6) {
                    require(IPPROTO_IPV6, IPV6_TCLASS, tuning.tos(), "tos");
                } else {
                    require(IPPROTO_IP, IP_TOS, tuning.tos(), "tos");
                }
            }
            if (tuning.busyPollUs() > 0) {
                final int result = set(SOL_SOCKET, SO_BUSY_POLL, tuning.busyPollUs());
                facts.put("busyPollUs", result < 0 ? 0 : tuning.busyPollUs());
                if (result < 0) {
                    facts.put("busyPollRefused", Libc.errorText(-result));
                }
            }
        }

        /**
         * Requests a buffer size and records what was granted: the kernel reduces it silently. A
         * process with CAP_NET_ADMIN gets more than the system's limit, with the option that forces
         * it.
         */
        private int buffer(
                final int option,
                final int beyondTheLimit,
                final int wantedBytes,
                final String parameter) {
            if (wantedBytes == 0) {
                return granted(option);
            }
            require(SOL_SOCKET, option, wantedBytes, parameter);
            if (granted(option) < wantedBytes) {
                set(SOL_SOCKET, beyondTheLimit, wantedBytes);
            }
            final int grantedBytes = granted(option);
            if (grantedBytes < wantedBytes) {
                facts.put(parameter + "Asked", wantedBytes);
            }
            return grantedBytes;
        }

        /**
         * The kernel reserves the same amount again for its own bookkeeping and reports the sum.
         */
        private int granted(final int option) {
            return get(SOL_SOCKET, option) / 2;
        }

        /** Limits the hops of unicast datagrams. */
        void setHops(final int hops) {
            if (ipv6) {
                require(IPPROTO_IPV6, IPV6_UNICAST_HOPS, hops, "ttl");
            } else {
                require(IPPROTO_IP, IP_TTL, hops, "ttl");
            }
        }

        /** Sets a required option. */
        void require(final int level, final int option, final int value, final String parameter) {
            final int result = set(level, option, value);
            if (result < 0) {
                throw failed(parameter + "=" + value + " was refused", result);
            }
        }

        /** Sets an option; returns 0 or the negative error number. */
        int set(final int level, final int option, final int value) {
            scratch.putInt(VALUE, value);
            return calls.setsockopt(fd, level, option, address(VALUE), Integer.BYTES);
        }

        /** Sets an option from a structure; returns 0 or the negative error number. */
        int set(final int level, final int option, final UnsafeBuffer structure, final int length) {
            return calls.setsockopt(fd, level, option, structure.addressOffset(), length);
        }

        /** Reads an option, or the negative error number. */
        int get(final int level, final int option) {
            scratch.putInt(LENGTH, Integer.BYTES);
            final int result = calls.getsockopt(fd, level, option, address(VALUE), address(LENGTH));
            return result < 0 ? result : scratch.getInt(VALUE);
        }

        /** Adds to what the socket reports about itself. */
        void fact(final String name, final Object value) {
            facts.put(name, value);
        }

        /** What was granted or refused, except for the buffers. */
        Map<String, Object> facts() {
            return facts;
        }

        int sendBufferBytes() {
            return sendBufferBytes;
        }

        int receiveBufferBytes() {
            return receiveBufferBytes;
        }

        /** The error for an option that the system refused. */
        UserError failed(final String what, final int result) {
            return UserError.environment(
                    "--channel " + channel + ": " + what + ": " + Libc.errorText(-result) + ".");
        }

        private long address(final int offset) {
            return scratch.addressOffset() + offset;
        }
    }

    /**
     * A bound socket that accepts datagrams from any address and, from its first peer on, a second
     * one at the same address that is connected to that peer: the kernel looks up no route for a
     * connected socket, which saves some 7 % of a round trip over loopback. Datagrams from other
     * and later peers still arrive at the first socket.
     */
    static final class BoundSocket extends UdpSocket {
        /** While there is one peer only, new peers are looked for once in this many polls. */
        private static final int POLLS_BETWEEN_LISTENING = 16;

        private final Supplier<UdpSocket> opener;
        private UdpSocket direct;
        private long directName;
        private boolean isDirect;
        private boolean isSolePeer;
        private boolean isListenerDrained;
        private int polls;

        /**
         * A socket not bound yet.
         *
         * @param opener of another socket with the same options
         */
        BoundSocket(
                final ChannelUri channel, final boolean ipv6, final Supplier<UdpSocket> opener) {
            super(channel, ipv6);
            this.opener = opener;
            this.direct = this;
        }

        @Override
        UdpSocket socketFor(final long name) {
            return isDirect && name == directName ? direct : this;
        }

        @Override
        long receive(final ReceiveBuffer received, final boolean withName) {
            if (!isDirect) {
                return super.receive(received, withName);
            }
            if (isListenersTurn()) {
                final long result = super.receive(received, withName);
                isListenerDrained |= result == -Errno.EAGAIN;
                return result == -Errno.EAGAIN ? direct.receive(received, false) : result;
            }
            final long result = direct.receive(received, false);
            return result == -Errno.EAGAIN && !isSolePeer
                    ? super.receive(received, withName)
                    : result;
        }

        @Override
        long receiveBatch(final ReceiveBuffer received) {
            if (!isDirect) {
                return super.receiveBatch(received);
            }
            if (isListenersTurn()) {
                final long result = super.receiveBatch(received);
                isListenerDrained |= result == -Errno.EAGAIN;
                return result == -Errno.EAGAIN ? direct.receiveBatch(received) : result;
            }
            final long result = direct.receiveBatch(received);
            return result == -Errno.EAGAIN && !isSolePeer ? super.receiveBatch(received) : result;
        }

        /** Datagrams that the first peer sent before it had its own socket are received first. */
        private boolean isListenersTurn() {
            polls++;
            return !isListenerDrained || polls % (isSolePeer ? POLLS_BETWEEN_LISTENING : 2) == 0;
        }

        @Override
        void peerLearned(final Destinations peers) {
            isSolePeer = peers.count() == 1;
            if (isSolePeer) {
                try {
                    openDirect(peers.name(0), peers.nameLength());
                } catch (final UserError e) {
                    options().fact("noDirectSocket", e.getMessage());
                }
            }
        }

        /**
         * Opens the second socket. Addresses may be shared only while it is bound, so that a port
         * in use is noticed before and after. A newcomer's datagram that arrives between its bind
         * and its connect is taken for the peer's; new peers repeat their hello until they are
         * answered.
         */
        private void openDirect(final long name, final int nameLength) {
            final UdpSocket opened = opener.get();
            options().set(SOL_SOCKET, SO_REUSEADDR, 1);
            opened.options().set(SOL_SOCKET, SO_REUSEADDR, 1);
            opened.options().set(SOL_UDP, UDP_GRO, Math.max(0, options().get(SOL_UDP, UDP_GRO)));
            final int result = opened.bindAndConnect(this, name, nameLength);
            options().set(SOL_SOCKET, SO_REUSEADDR, 0);
            opened.options().set(SOL_SOCKET, SO_REUSEADDR, 0);
            if (result < 0) {
                opened.close();
                throw failed("no connected socket for the first peer", result);
            }
            direct = opened;
            directName = name;
            isDirect = true;
        }

        @Override
        void await(final long timeoutNs) {
            await(timeoutNs, direct);
        }

        @Override
        long drops() {
            return isDirect ? super.drops() + direct.drops() : super.drops();
        }

        @Override
        long refusals() {
            return isDirect ? super.refusals() + direct.refusals() : super.refusals();
        }

        @Override
        public void close() {
            super.close();
            if (isDirect) {
                direct.close();
            }
        }
    }
}
