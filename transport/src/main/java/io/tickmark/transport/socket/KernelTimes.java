package io.tickmark.transport.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The kernel's own times of what one socket sends and receives, from SO_TIMESTAMPING: when it
 * handed a datagram, or the last byte of a message of a stream, to the queueing discipline and to
 * the network device, and when one reached the socket. The kernel stamps in software, so there are
 * times on the loopback device too. It stamps by the wall clock; times are given by the clock of
 * {@link System#nanoTime}, converted within microseconds of the stamp. Where a card has a clock of
 * its own, and was told to stamp, its stamps come as well; they can be compared with each other
 * alone. One thread; allocates nothing after construction.
 *
 * <p>Source: Documentation/networking/timestamping.rst and include/uapi/linux/net_tstamp.h of
 * Linux.
 */
public final class KernelTimes {
    /** Departures that are remembered. */
    public static final int MOST = 1 << 14;

    /**
     * Reports lie in the buffer of what is received, which holds some 150 of them by default, two
     * for each send; the kernel drops those for which it has no room.
     */
    private static final int TAKE_EVERY = 1 << 5;

    private static final int SOL_SOCKET = 1;
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;
    private static final int MSG_DONTWAIT = 0x40;

    private static final int SO_TIMESTAMPING = 37;
    private static final int TX_HARDWARE = 1;
    private static final int TX_SOFTWARE = 1 << 1;
    private static final int RX_HARDWARE = 1 << 2;
    private static final int RX_SOFTWARE = 1 << 3;
    private static final int SOFTWARE = 1 << 4;
    private static final int RAW_HARDWARE = 1 << 6;

    /** Departures carry the number of the datagram, or of the last byte. */
    private static final int OPT_ID = 1 << 7;

    /** One more report for each send, when it goes to the queueing discipline. */
    private static final int TX_SCHED = 1 << 8;

    /** Departures come without the datagram. */
    private static final int OPT_TSONLY = 1 << 11;

    /** A card's stamp does not take the place of the kernel's. */
    private static final int OPT_TX_SWHW = 1 << 14;

    /** Drivers of cards that do not stamp pass over what is asked of cards. */
    private static final int OF_CARDS = TX_HARDWARE | RX_HARDWARE | RAW_HARDWARE;

    private static final int FLAGS =
            TX_SCHED
                    | TX_SOFTWARE
                    | RX_SOFTWARE
                    | SOFTWARE
                    | OF_CARDS
                    | OPT_ID
                    | OPT_TSONLY
                    | OPT_TX_SWHW;

    /** Of the three times of SCM_TIMESTAMPING, 16 bytes each; the second one is no longer used. */
    private static final int KERNEL = 0;

    private static final int CARD = 2;
    private static final int TIME_BYTES = 2 * Long.BYTES;

    private static final int MOST_OUT_OF_ORDER = 64;
    private static final int MSG_ERRQUEUE = 0x2000;
    private static final int SO_EE_ORIGIN_TIMESTAMPING = 4;
    private static final int SCM_TSTAMP_SND = 0;
    private static final int SCM_TSTAMP_SCHED = 1;
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

    /** Name of the fact of an end that says what stamps its messages. */
    public static final String FACT = "kernelStamps";

    private static final long SIOCETHTOOL = 0x8946;
    private static final int ETHTOOL_GET_TS_INFO = 0x41;

    /** Of struct ifreq: a name of 16 bytes, then a pointer to struct ethtool_ts_info. */
    private static final int REQUEST_BYTES = 40;

    private static final int REQUEST_DATA = 16;

    /** Command, flags of SO_TIMESTAMPING, number of the card's clock, and what it filters. */
    private static final int INFO_BYTES = 44;

    private static final int INFO_FLAGS = 4;
    private static final int INFO_CLOCK = 8;
    private static final Optional<MethodHandle> IOCTL =
            Libc.find(
                    "ioctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2));

    private static final MethodHandle CLOCK_GETTIME =
            Libc.handle("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    private final SocketCalls calls;
    private final UnsafeBuffer flags = flagsBuffer();
    private final int fd;
    private final ReceiveBuffer departures = new ReceiveBuffer(1, 0);
    private final ReceiveBuffer received = new ReceiveBuffer(1, 0);
    private final UnsafeBuffer time = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * Long.BYTES));
    private final long[] queuedNs = new long[MOST];
    private final long[] departedNs = new long[MOST];
    private final long[] cardDepartedNs = new long[MOST];

    /** What the kernel calls each send. */
    private final int[] kernelNumbers = new int[MOST];

    private int sends;
    private int units;

    /** The first send that the kernel may still report. */
    private int next;

    /** The first send since the kernel counts from the beginning. */
    private int base;

    private boolean hasReported;

    /** The first send whose stamp of the card may still come; only where one has come. */
    private int nextOfCard;

    private boolean doesCardStamp;

    /**
     * Of a socket for which {@link #ask} was granted.
     *
     * @param calls to make
     * @param fd of the socket, open for as long as this is used
     */
    public KernelTimes(final SocketCalls calls, final int fd) {
        this.calls = calls;
        this.fd = fd;
    }

    /**
     * Asks the kernel to stamp what a socket sends and receives from now on.
     *
     * @param calls to make
     * @param fd of the socket; of a stream it must be connected, and nothing may have been sent
     * @return 0, or the number of the error where it refuses
     */
    public static int ask(final SocketCalls calls, final int fd) {
        return set(calls, fd, FLAGS, flagsBuffer());
    }

    /**
     * Whether the kernel would be able to, where the socket is not connected yet.
     *
     * @param calls to make
     * @param fd of the socket
     * @return 0, or the number of the error where it refuses
     */
    public static int askLater(final SocketCalls calls, final int fd) {
        return set(calls, fd, FLAGS & ~OPT_ID, flagsBuffer());
    }

    /**
     * What stamps messages of a device: the kernel in any case; whether the device could by itself,
     * as its driver says (ethtool(8) with {@code -T}).
     *
     * @param fd of any socket of this process
     * @param device name of it
     * @return a phrase
     */
    public static String stampedBy(final int fd, final String device) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment info = arena.allocate(INFO_BYTES, Integer.BYTES);
            info.set(JAVA_INT, 0, ETHTOOL_GET_TS_INFO);
            final MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
            final byte[] name = device.getBytes(StandardCharsets.US_ASCII);
            MemorySegment.copy(
                    name, 0, request, JAVA_BYTE, 0, Math.min(name.length, REQUEST_DATA - 1));
            request.set(ADDRESS, REQUEST_DATA, info);
            final boolean isKnown =
                    IOCTL.isPresent()
                            && (int) IOCTL.get().invokeExact(fd, SIOCETHTOOL, request) == 0;
            return isKnown
                    ? stampedBy(
                            device, info.get(JAVA_INT, INFO_FLAGS), info.get(JAVA_INT, INFO_CLOCK))
                    : "software; %s does not say whether it has a clock of its own"
                            .formatted(device);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Whether it does is the system's setting (SIOCSHWTSTAMP), which this does not change. */
    static String stampedBy(final String device, final int flags, final int clock) {
        return (flags & OF_CARDS) == OF_CARDS
                ? "software, and %s by its own clock%s once enabled by hwstamp_ctl -i %s -t 1 -r 1"
                        .formatted(device, clock < 0 ? "" : " (/dev/ptp" + clock + ")", device)
                : "software; %s offers no others".formatted(device);
    }

    private static UnsafeBuffer flagsBuffer() {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(Integer.BYTES));
    }

    private static int set(
            final SocketCalls calls, final int fd, final int flags, final UnsafeBuffer value) {
        value.putInt(0, flags);
        final int result =
                calls.setsockopt(
                        fd, SOL_SOCKET, SO_TIMESTAMPING, value.addressOffset(), Integer.BYTES);
        Reference.reachabilityFence(value);
        return -result;
    }

    /**
     * Whether departures are not reported, or no longer: over IPv6 a multicast datagram with a hop
     * limit of 0 still goes to the device until somebody on this host has joined the group.
     *
     * @return true where something was sent, and none was reported, or none of the last ones
     */
    public boolean lacksDepartures() {
        return sends > 0 && (!hasReported || sends - next >= MOST_OUT_OF_ORDER);
    }

    /**
     * Something is sent. Takes the departures of earlier sends now and then, so that they fit into
     * the buffer where nothing is received.
     *
     * @param length in the kernel's units: 1 for a datagram, bytes of a stream
     * @return its number, by which {@link #departedNs} is asked
     */
    public int sent(final int length) {
        units += length;
        final int number = sends++;
        kernelNumbers[number & MOST - 1] = units - 1;
        queuedNs[number & MOST - 1] = 0;
        departedNs[number & MOST - 1] = 0;
        cardDepartedNs[number & MOST - 1] = 0;
        if ((number & TAKE_EVERY - 1) == 0) {
            takeDepartures();
        }
        return number;
    }

    /**
     * When something was handed to the device.
     *
     * @param number of {@link #sent}
     * @return ns; 0 while the kernel has not reported it, and where it never will
     */
    public long departedNs(final int number) {
        return sends - number > MOST ? 0 : departedNs[number & MOST - 1];
    }

    /**
     * When something was handed to the queueing discipline of the device.
     *
     * @param number of {@link #sent}
     * @return ns; 0 while the kernel has not reported it, and where it never will
     */
    public long queuedNs(final int number) {
        return sends - number > MOST ? 0 : queuedNs[number & MOST - 1];
    }

    /**
     * When the card stamped something on its way out.
     *
     * @param number of {@link #sent}
     * @return ns by the clock of the card; 0 while it is not reported, and where it never will be
     */
    public long cardDepartedNs(final int number) {
        return sends - number > MOST ? 0 : cardDepartedNs[number & MOST - 1];
    }

    /**
     * Receives from a stream.
     *
     * @param address where to
     * @param capacity bytes of room
     * @return bytes received, 0 at the end of the stream, or the negative error number
     */
    public long receive(final long address, final int capacity) {
        received.into(address, capacity);
        final long result = calls.recvmsg(fd, received.header(), MSG_DONTWAIT);
        if (result > 0) {
            received(received);
        }
        return result;
    }

    /**
     * When the last byte of what {@link #receive} received last reached the socket.
     *
     * @return ns; 0 where that is unknown
     */
    public long arrivedNs() {
        return received.arrivedNs();
    }

    /**
     * When the card stamped it.
     *
     * @return ns by the clock of the card; 0 where that is unknown
     */
    public long cardArrivedNs() {
        return received.cardArrivedNs();
    }

    /**
     * Takes the time of what was just received.
     *
     * @param into with its header, which also gets the time
     */
    public void received(final ReceiveBuffer into) {
        final long stampNs = stampNs(into, KERNEL);
        into.arrivedNs(stampNs == 0 ? 0 : stampNs + offsetNs());
        into.cardArrivedNs(stampNs(into, CARD));
    }

    /**
     * Takes the departures that the kernel has reported since; no system call where none is due.
     */
    public void takeDepartures() {
        if (!isAnyDue()) {
            return;
        }
        final long offsetNs = offsetNs();
        for (int i = 0; i < MOST && isAnyDue(); i++) {
            final long result = calls.recvmsg(fd, departures.header(), MSG_ERRQUEUE | MSG_DONTWAIT);
            if (result < 0) {
                return;
            }
            take(departures, offsetNs);
        }
    }

    private boolean isAnyDue() {
        return next != sends || doesCardStamp && nextOfCard != sends;
    }

    /** A report as the kernel writes it; {@code offsetNs} is added to its own times. */
    void take(final ReceiveBuffer report, final long offsetNs) {
        final int error = error(report);
        if (error < 0 || report.control(error + ERROR_ORIGIN, 1) != SO_EE_ORIGIN_TIMESTAMPING) {
            return;
        }
        final int of = (int) report.control(error + ERROR_DATA, Integer.BYTES);
        final long kernelNs = stampNs(report, KERNEL);
        switch ((int) report.control(error + ERROR_INFO, Integer.BYTES)) {
            case SCM_TSTAMP_SND -> {
                if (kernelNs == 0) {
                    doesCardStamp = true;
                    reported(cardDepartedNs, of, stampNs(report, CARD));
                } else {
                    reported(departedNs, of, kernelNs + offsetNs);
                }
            }
            case SCM_TSTAMP_SCHED -> reported(queuedNs, of, kernelNs + offsetNs);
            default -> {
                // acknowledgements and completions, for which nobody asked
            }
        }
    }

    /**
     * Reports come in order but for a few. A stream has none of a message that left together with
     * the next one, and several of one that was sent again, of which the first counts.
     */
    private void reported(final long[] times, final int kernelNumber, final long ns) {
        final int ahead = Math.min(sends - next, MOST);
        for (int number = sends - ahead; number != sends; number++) {
            if (note(times, number, kernelNumber, ns)) {
                if (times == departedNs) {
                    next = number + 1;
                } else if (times == cardDepartedNs) {
                    nextOfCard = number + 1;
                }
                return;
            }
            if (kernelNumbers[number & MOST - 1] - kernelNumber > 0) {
                break; // they grow
            }
        }
        final int behind = Math.min(next - base, MOST_OUT_OF_ORDER);
        for (int number = next - 1; number != next - 1 - behind; number--) {
            if (note(times, number, kernelNumber, ns)) {
                return;
            }
        }
    }

    private boolean note(
            final long[] times, final int number, final int kernelNumber, final long ns) {
        final int at = number & MOST - 1;
        if (kernelNumbers[at] != kernelNumber) {
            return false;
        }
        if (times[at] == 0) {
            times[at] = ns;
            hasReported |= times == departedNs;
        }
        return true;
    }

    /**
     * A datagram could not be sent. The kernel may have counted it, depending on its version and on
     * where the datagram was stopped, so it is made to count from the beginning.
     */
    public void sendFailed() {
        for (int i = 0; i < MOST; i++) {
            if (calls.recvmsg(fd, departures.header(), MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
                break;
            }
        }
        set(calls, fd, 0, flags);
        set(calls, fd, FLAGS, flags);
        units = 0;
        base = sends;
        next = sends;
        nextOfCard = sends;
    }

    private static int error(final ReceiveBuffer report) {
        final int error = report.find(IPPROTO_IP, IP_RECVERR);
        return error >= 0 ? error : report.find(IPPROTO_IPV6, IPV6_RECVERR);
    }

    /**
     * One of the times of SCM_TIMESTAMPING, the kernel's by the wall clock; 0 where there is none.
     */
    private static long stampNs(final ReceiveBuffer received, final int which) {
        final int stamps = received.find(SOL_SOCKET, SO_TIMESTAMPING);
        if (stamps < 0) {
            return 0;
        }
        final int at = stamps + which * TIME_BYTES;
        return received.control(at, Long.BYTES) * NS_PER_SECOND
                + received.control(at + Long.BYTES, Long.BYTES);
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
