package io.tickmark.transport.udp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The kernel's own times of the datagrams of one socket, from SO_TIMESTAMPING: when it handed one
 * to the network device, and when one reached the socket. The kernel stamps in software, so there
 * are times on the loopback device too. It stamps by the wall clock; times are given by the clock
 * of {@link System#nanoTime}, converted within microseconds of the stamp. One thread; allocates
 * nothing after construction.
 *
 * <p>Source: Documentation/networking/timestamping.rst and include/uapi/linux/net_tstamp.h of
 * Linux.
 */
final class KernelTimes {
    /** Departures that are remembered. */
    static final int MOST = 1 << 14;

    private static final int SO_TIMESTAMPING = 37;
    private static final int TX_SOFTWARE = 1 << 1;
    private static final int RX_SOFTWARE = 1 << 3;
    private static final int SOFTWARE = 1 << 4;

    /** Departures carry the number of the send. */
    private static final int OPT_ID = 1 << 7;

    /** Departures come without the datagram. */
    private static final int OPT_TSONLY = 1 << 11;

    private static final int FLAGS = TX_SOFTWARE | RX_SOFTWARE | SOFTWARE | OPT_ID | OPT_TSONLY;

    private static final int MSG_ERRQUEUE = 0x2000;
    private static final int SO_EE_ORIGIN_TIMESTAMPING = 4;
    private static final int SCM_TSTAMP_SND = 0;
    private static final int IP_RECVERR = 11;
    private static final int IPV6_RECVERR = 25;

    /** Of struct sock_extended_err: errno, then four bytes, of which the origin is the first. */
    private static final int ERROR_ORIGIN = 4;

    private static final int ERROR_INFO = 8;
    private static final int ERROR_DATA = 12;

    private static final int CLOCK_REALTIME = 0;
    private static final long NS_PER_SECOND = 1_000_000_000;
    private static final long GOOD_READING_NS = 1_000;
    private static final int MOST_READINGS = 8;
    private static final MethodHandle CLOCK_GETTIME =
            Libc.handle("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    private final SocketCalls calls;
    private final int fd;
    private final UdpSocket.SocketOptions options;
    private final ReceiveBuffer departures = new ReceiveBuffer(1);
    private final UnsafeBuffer time = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * Long.BYTES));
    private final long[] departedNs = new long[MOST];
    private int sends;
    private int departed;

    /** Our number of the send that the kernel counts as its first. */
    private int base;

    private KernelTimes(
            final SocketCalls calls, final int fd, final UdpSocket.SocketOptions options) {
        this.calls = calls;
        this.fd = fd;
        this.options = options;
    }

    /** Asks the kernel for the times of a socket; null where it refuses. */
    static KernelTimes of(
            final SocketCalls calls, final int fd, final UdpSocket.SocketOptions options) {
        final int result = options.set(SocketCalls.SOL_SOCKET, SO_TIMESTAMPING, FLAGS);
        if (result < 0) {
            options.fact("kernelTimesRefused", Libc.errorText(-result));
            return null;
        }
        return new KernelTimes(calls, fd, options);
    }

    /** A datagram was sent; its number, by which {@link #departedNs} is asked. */
    int sent() {
        final int number = sends++;
        departedNs[number & MOST - 1] = 0;
        return number;
    }

    /** When a datagram was handed to the device; 0 while the kernel has not reported it. */
    long departedNs(final int number) {
        return sends - number > MOST ? 0 : departedNs[number & MOST - 1];
    }

    /** Takes the time of a datagram that was just received. */
    void received(final ReceiveBuffer received) {
        final long stampNs = stampNs(received);
        received.arrivedNs(stampNs == 0 ? 0 : stampNs + offsetNs());
    }

    /**
     * Takes the departures that the kernel has reported since; no system call where none is due.
     */
    void takeDepartures() {
        if (departed == sends) {
            return;
        }
        final long offsetNs = offsetNs();
        for (int i = 0; i < MOST && departed != sends; i++) {
            final long result =
                    calls.recvmsg(fd, departures.header(), MSG_ERRQUEUE | SocketCalls.MSG_DONTWAIT);
            if (result < 0) {
                return;
            }
            final int error = error();
            if (error >= 0
                    && departures.control(error + ERROR_ORIGIN, 1) == SO_EE_ORIGIN_TIMESTAMPING
                    && departures.control(error + ERROR_INFO, Integer.BYTES) == SCM_TSTAMP_SND) {
                final int number =
                        base + (int) departures.control(error + ERROR_DATA, Integer.BYTES);
                departedNs[number & MOST - 1] = stampNs(departures) + offsetNs;
                departed = number + 1;
            }
        }
    }

    /**
     * A send failed. The kernel may have counted it, depending on its version and on where the
     * datagram was stopped, so it is made to count from the beginning.
     */
    void sendFailed() {
        for (int i = 0; i < MOST; i++) {
            if (calls.recvmsg(fd, departures.header(), MSG_ERRQUEUE | SocketCalls.MSG_DONTWAIT)
                    < 0) {
                break;
            }
        }
        options.set(SocketCalls.SOL_SOCKET, SO_TIMESTAMPING, 0);
        options.set(SocketCalls.SOL_SOCKET, SO_TIMESTAMPING, FLAGS);
        base = sends;
        departed = sends;
    }

    private int error() {
        final int error = departures.find(SocketCalls.IPPROTO_IP, IP_RECVERR);
        return error >= 0 ? error : departures.find(SocketCalls.IPPROTO_IPV6, IPV6_RECVERR);
    }

    /**
     * By the wall clock, the first of the three times of SCM_TIMESTAMPING; 0 where there is none.
     */
    private static long stampNs(final ReceiveBuffer received) {
        final int stamps = received.find(SocketCalls.SOL_SOCKET, SO_TIMESTAMPING);
        return stamps < 0
                ? 0
                : received.control(stamps, Long.BYTES) * NS_PER_SECOND
                        + received.control(stamps + Long.BYTES, Long.BYTES);
    }

    /**
     * What is to be added to the wall clock's time now: read again where the thread lost its core
     * between the two clocks.
     */
    private long offsetNs() {
        long bestNs = Long.MAX_VALUE;
        long offsetNs = 0;
        for (int i = 0; i < MOST_READINGS && bestNs > GOOD_READING_NS; i++) {
            final long beforeNs = SystemNanoClock.INSTANCE.nanoTime();
            final long wallNs = wallNs();
            final long tookNs = SystemNanoClock.INSTANCE.nanoTime() - beforeNs;
            if (tookNs < bestNs) {
                bestNs = tookNs;
                offsetNs = beforeNs + tookNs / 2 - wallNs;
            }
        }
        return offsetNs;
    }

    private long wallNs() {
        try {
            final int _ = (int) CLOCK_GETTIME.invokeExact(CLOCK_REALTIME, time.addressOffset());
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        return time.getLong(0) * NS_PER_SECOND + time.getLong(Long.BYTES);
    }
}
