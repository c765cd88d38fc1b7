package io.tickmark.transport.udp;

import static io.tickmark.transport.udp.LinuxSockets.IPPROTO_IP;
import static io.tickmark.transport.udp.LinuxSockets.IPPROTO_IPV6;
import static io.tickmark.transport.udp.LinuxSockets.IPV6_TCLASS;
import static io.tickmark.transport.udp.LinuxSockets.IPV6_UNICAST_HOPS;
import static io.tickmark.transport.udp.LinuxSockets.IP_TOS;
import static io.tickmark.transport.udp.LinuxSockets.IP_TTL;
import static io.tickmark.transport.udp.LinuxSockets.SOL_SOCKET;
import static io.tickmark.transport.udp.LinuxSockets.SO_BUSY_POLL;
import static io.tickmark.transport.udp.LinuxSockets.SO_RCVBUF;
import static io.tickmark.transport.udp.LinuxSockets.SO_RCVBUFFORCE;
import static io.tickmark.transport.udp.LinuxSockets.SO_SNDBUF;
import static io.tickmark.transport.udp.LinuxSockets.SO_SNDBUFFORCE;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** Options of one socket, and what was granted of those asked for. One thread. */
final class SocketOptions {
    private static final int VALUE = 0;
    private static final int LENGTH = 8;
    private static final int SCRATCH_BYTES = 16;

    private final UnsafeBuffer scratch = new UnsafeBuffer(ByteBuffer.allocateDirect(SCRATCH_BYTES));
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final SocketCalls calls;
    private final int fd;
    private final ChannelUri channel;
    private final boolean ipv6;
    private int sendBufferBytes;
    private int receiveBufferBytes;

    SocketOptions(
            final SocketCalls calls, final int fd, final ChannelUri channel, final boolean ipv6) {
        this.calls = calls;
        this.fd = fd;
        this.channel = channel;
        this.ipv6 = ipv6;
    }

    /** Asks for what it should have. */
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
     * Asks for a buffer and tells what was granted: the kernel cuts without a word. Whoever may
     * (CAP_NET_ADMIN) gets more than the system's limit, by the option that says so.
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

    /** The kernel reserves as much again for its own bookkeeping and reports the sum. */
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

    /** Sets an option that must be had. */
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

    /** Adds to what the socket says about itself. */
    void fact(final String name, final Object value) {
        facts.put(name, value);
    }

    /** What was granted or refused, apart from the buffers. */
    Map<String, Object> facts() {
        return facts;
    }

    int sendBufferBytes() {
        return sendBufferBytes;
    }

    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    /** The error for something the system refused. */
    UserError failed(final String what, final int result) {
        return UserError.environment(
                "--channel " + channel + ": " + what + ": " + Libc.errorText(-result) + ".");
    }

    private long address(final int offset) {
        return scratch.addressOffset() + offset;
    }
}
