package io.tickmark.bench.messaging;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What {@code bench/c/udp_pingpong} and {@code bench/c/shm_pingpong} do, in Java: the floor under
 * any ping-pong of a JVM, and the least that a round trip costs without what a measurement adds.
 * One side as a program: {@code ping key=value ...} or {@code pong key=value ...}, with the keys of
 * {@link BareSettings}. The side that pings prints one line of figures.
 */
public final class BarePingPong {
    private BarePingPong() {}

    /** The way to the other side; one thread. */
    private interface Link {
        /** Sends the message of this number; false if the other side is gone. */
        boolean ping(long number);

        /** Spins until the answer to this number is there; false if it did not come. */
        boolean awaitPong(long number);

        /** Answers until the other side ends it. */
        void pong();

        /** Lets the other side end. */
        void end();
    }

    /**
     * Runs one side.
     *
     * @param args {@code ping} or {@code pong}, then {@code key=value}
     * @throws Exception any failure
     */
    public static void main(final String... args) throws Exception {
        final Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i++) {
            final String[] pair = args[i].split("=", 2);
            values.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        final BareSettings settings = Settings.read(BareSettings.class, values, key -> key);
        final boolean pings = args.length > 0 && args[0].equals("ping");
        final FutureTask<String> side = new FutureTask<>(() -> run(settings, pings));
        new Thread(side, "bare-ping-pong").start();
        System.out.print(side.get());
    }

    private static String run(final BareSettings settings, final boolean pings) throws IOException {
        final Link link =
                settings.port() > 0
                        ? new UdpLink(settings, pings)
                        : new SharedMemoryLink(settings, pings);
        // Last of all: what this thread starts would share its core.
        if (settings.core() >= 0) {
            Affinity.pin(settings.core()).ifPresent(System.err::println);
        }
        if (!pings) {
            link.pong();
            return "";
        }
        final String figures = new Pinging(link, settings).run();
        link.end();
        return figures;
    }

    /** Round trips one after the other, with one clock read before and one after each. */
    private static final class Pinging {
        private static final int MOST_LOST = 20;
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

        private final NanoClock clock = SystemNanoClock.INSTANCE;
        private final Link link;
        private final BareSettings settings;
        private final long[] samplesNs;
        private long number;
        private int lost;

        Pinging(final Link link, final BareSettings settings) {
            this.link = link;
            this.settings = settings;
            samplesNs = new long[settings.count()];
        }

        String run() {
            final long beganNs = clock.nanoTime();
            while (!isAnswered()) {
                if (clock.nanoTime() - beganNs > PATIENCE_NS) {
                    throw new IllegalStateException("nobody answers");
                }
            }
            final long endNs =
                    clock.nanoTime() + TimeUnit.SECONDS.toNanos(settings.warmUpSeconds());
            do {
                measure();
            } while (clock.nanoTime() - endNs < 0);
            lost = 0;
            final int taken = measure();
            Arrays.sort(samplesNs, 0, taken);
            return "tool=bare_ping_pong size=%d lost=%d count=%d min_ns=%d p50_ns=%d p99_ns=%d p999_ns=%d max_ns=%d%n"
                    .formatted(
                            settings.payloadBytes(),
                            lost,
                            taken,
                            samplesNs[0],
                            samplesNs[taken / 2],
                            samplesNs[taken - 1 - taken / 100],
                            samplesNs[taken - 1 - taken / 1000],
                            samplesNs[taken - 1]);
        }

        private int measure() {
            int taken = 0;
            for (int i = 0; i < samplesNs.length; i++) {
                final long sentNs = clock.nanoTime();
                if (isAnswered()) {
                    samplesNs[taken++] = clock.nanoTime() - sentNs;
                } else if (++lost > MOST_LOST) {
                    throw new IllegalStateException("the other side is gone");
                }
            }
            return taken;
        }

        private boolean isAnswered() {
            number++;
            return link.ping(number) && link.awaitPong(number);
        }
    }

    /**
     * A connected socket on either side; {@code recv(2)} and {@code send(2)} without a change of
     * the thread's state, since neither ever waits.
     */
    private static final class UdpLink implements Link {
        private static final short AF_INET = 2;
        private static final int SOCK_DGRAM = 2;
        private static final int MSG_DONTWAIT = 0x40;
        private static final int ADDRESS_BYTES = 16;
        private static final int LARGEST = 1 << 16;

        /** The client's last datagram. */
        private static final int END_BYTES = 1;

        private static final int CLOCK_EVERY_MASK = 1023;
        private static final long LOST_AFTER_NS = TimeUnit.SECONDS.toNanos(1);
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

        private static final MethodHandle SOCKET =
                call("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
        private static final MethodHandle BIND =
                call("bind", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
        private static final MethodHandle CONNECT =
                call("connect", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
        private static final MethodHandle SEND =
                call("send", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
        private static final MethodHandle RECV =
                call("recv", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
        private static final MethodHandle RECVFROM =
                call(
                        "recvfrom",
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_LONG);

        private final NanoClock clock = SystemNanoClock.INSTANCE;
        private final Errno errno = new Errno();
        private final UnsafeBuffer bytes = direct(LARGEST);
        private final UnsafeBuffer address = direct(ADDRESS_BYTES);
        private final UnsafeBuffer addressBytes = direct(Integer.BYTES);
        private final int payloadBytes;
        private final int fd;

        UdpLink(final BareSettings settings, final boolean pings) {
            payloadBytes = settings.payloadBytes();
            address.putShort(0, AF_INET, ByteOrder.nativeOrder());
            address.putShort(Short.BYTES, (short) settings.port(), ByteOrder.BIG_ENDIAN);
            address.putInt(Integer.BYTES, 0x7f00_0001, ByteOrder.BIG_ENDIAN);
            addressBytes.putInt(0, ADDRESS_BYTES, ByteOrder.nativeOrder());
            try {
                fd =
                        (int)
                                checked(
                                        (int)
                                                SOCKET.invokeExact(
                                                        errno.segment(),
                                                        (int) AF_INET,
                                                        SOCK_DGRAM,
                                                        0),
                                        "socket");
                if (pings) {
                    checked(
                            (int)
                                    CONNECT.invokeExact(
                                            errno.segment(),
                                            fd,
                                            address.addressOffset(),
                                            ADDRESS_BYTES),
                            "connect");
                } else {
                    checked(
                            (int)
                                    BIND.invokeExact(
                                            errno.segment(),
                                            fd,
                                            address.addressOffset(),
                                            ADDRESS_BYTES),
                            "bind");
                }
            } catch (final Throwable thrown) {
                throw unexpected(thrown);
            }
        }

        @SuppressWarnings("restricted")
        private static MethodHandle call(
                final String name, final MemoryLayout result, final MemoryLayout... arguments) {
            final Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(result, arguments),
                    Linker.Option.captureCallState("errno"),
                    Linker.Option.critical(false));
        }

        private static UnsafeBuffer direct(final int length) {
            return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        }

        private static IllegalStateException unexpected(final Throwable thrown) {
            return new IllegalStateException(thrown);
        }

        private long checked(final long result, final String call) {
            if (result < 0) {
                throw new IllegalStateException(call + ": " + errno.text());
            }
            return result;
        }

        @Override
        public boolean ping(final long number) {
            bytes.putLong(0, number);
            return send(payloadBytes) >= 0 || errno.value() == Errno.ECONNREFUSED;
        }

        private long send(final long length) {
            try {
                return (long)
                        SEND.invokeExact(
                                errno.segment(), fd, bytes.addressOffset(), length, MSG_DONTWAIT);
            } catch (final Throwable thrown) {
                throw unexpected(thrown);
            }
        }

        @Override
        public boolean awaitPong(final long number) {
            final long deadlineNs = clock.nanoTime() + LOST_AFTER_NS;
            while (receive(deadlineNs) >= 0) {
                if (bytes.getLong(0) == number) {
                    return true;
                }
            }
            return false;
        }

        /** Spins until a datagram is there; its length, or -1 when the deadline has passed. */
        private long receive(final long deadlineNs) {
            for (int spins = 1; ; spins++) {
                final long length;
                try {
                    length =
                            (long)
                                    RECV.invokeExact(
                                            errno.segment(),
                                            fd,
                                            bytes.addressOffset(),
                                            (long) LARGEST,
                                            MSG_DONTWAIT);
                } catch (final Throwable thrown) {
                    throw unexpected(thrown);
                }
                if (length >= 0) {
                    return length;
                }
                // Refused: the other side is not up yet.
                final int error = errno.value();
                if (error != Errno.EAGAIN && error != Errno.ECONNREFUSED) {
                    checked(length, "recv");
                }
                if ((spins & CLOCK_EVERY_MASK) == 0 && clock.nanoTime() - deadlineNs > 0) {
                    return -1;
                }
            }
        }

        @Override
        public void pong() {
            connectToFirst();
            for (; ; ) {
                final long length = receive(clock.nanoTime() + PATIENCE_NS);
                if (length < 0) {
                    throw new IllegalStateException("the client fell silent");
                }
                if (length == END_BYTES) {
                    return;
                }
                send(length);
            }
        }

        private void connectToFirst() {
            final long endNs = clock.nanoTime() + PATIENCE_NS;
            try {
                for (; ; ) {
                    final long length =
                            (long)
                                    RECVFROM.invokeExact(
                                            errno.segment(),
                                            fd,
                                            bytes.addressOffset(),
                                            (long) LARGEST,
                                            MSG_DONTWAIT,
                                            address.addressOffset(),
                                            addressBytes.addressOffset());
                    if (length >= 0) {
                        checked(
                                (int)
                                        CONNECT.invokeExact(
                                                errno.segment(),
                                                fd,
                                                address.addressOffset(),
                                                ADDRESS_BYTES),
                                "connect");
                        send(length);
                        return;
                    }
                    if (clock.nanoTime() - endNs > 0) {
                        throw new IllegalStateException("no client came");
                    }
                    Thread.onSpinWait();
                }
            } catch (final Throwable thrown) {
                throw unexpected(thrown);
            }
        }

        @Override
        public void end() {
            // More than one, because one can be lost; refused once the other side has ended.
            for (int i = 0; i < 3 && send(END_BYTES) >= 0; i++) {
                Thread.onSpinWait();
            }
        }
    }

    /** Two places of a mapped file, each with a number in front of its message. */
    private static final class SharedMemoryLink implements Link {
        /** Two cache lines apart, because the prefetcher of some processors takes them in pairs. */
        private static final int PLACE_BYTES = 4096 + 128;

        private static final int MESSAGE = Long.BYTES;
        private static final long END = -1;
        private static final int CLOCK_EVERY_MASK = (1 << 16) - 1;
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

        private final NanoClock clock = SystemNanoClock.INSTANCE;
        private final UnsafeBuffer ping;
        private final UnsafeBuffer pong;
        private final UnsafeBuffer message;
        private final UnsafeBuffer answer;
        private final int payloadBytes;

        SharedMemoryLink(final BareSettings settings, final boolean pings) throws IOException {
            payloadBytes = settings.payloadBytes();
            try (FileChannel file =
                    FileChannel.open(
                            Path.of(settings.file()),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE)) {
                final ByteBuffer places =
                        file.map(FileChannel.MapMode.READ_WRITE, 0, 2 * PLACE_BYTES);
                ping = new UnsafeBuffer(places, 0, PLACE_BYTES);
                pong = new UnsafeBuffer(places, PLACE_BYTES, PLACE_BYTES);
            }
            message = new UnsafeBuffer(ByteBuffer.allocateDirect(payloadBytes));
            answer = new UnsafeBuffer(ByteBuffer.allocateDirect(payloadBytes));
        }

        @Override
        public boolean ping(final long number) {
            message.putLong(0, number);
            ping.putBytes(MESSAGE, message, 0, payloadBytes);
            ping.putLongRelease(0, number);
            return true;
        }

        @Override
        public boolean awaitPong(final long number) {
            if (!await(pong, number)) {
                return false;
            }
            answer.putBytes(0, pong, MESSAGE, payloadBytes);
            return answer.getLong(0) == number;
        }

        @Override
        public void pong() {
            for (long number = 1; await(ping, number); number++) {
                pong.putBytes(MESSAGE, ping, MESSAGE, payloadBytes);
                pong.putLongRelease(0, number);
            }
        }

        /** Spins until the place has this number; false at the end, or when nobody comes. */
        private boolean await(final UnsafeBuffer place, final long number) {
            long beganNs = 0;
            for (int spins = 1; ; spins++) {
                final long found = place.getLongAcquire(0);
                if (found == number) {
                    return true;
                }
                if ((spins & CLOCK_EVERY_MASK) == 0) {
                    final long nowNs = clock.nanoTime();
                    beganNs = beganNs == 0 ? nowNs : beganNs;
                    if (found == END || nowNs - beganNs > PATIENCE_NS) {
                        return false;
                    }
                    Thread.yield();
                }
            }
        }

        @Override
        public void end() {
            ping.putLongRelease(0, END);
        }
    }

    /**
     * Settings of one side.
     *
     * @param port of the side that answers, for UDP; 0 for shared memory
     * @param file that both sides map, for shared memory
     * @param payloadBytes message length
     * @param warmUpSeconds time of round trips that are not counted
     * @param count of round trips
     * @param core to pin the thread to
     */
    record BareSettings(
            @Setting(
                            help = "UDP port of the side that answers; 0 for shared memory.",
                            byDefault = "0",
                            min = 0,
                            max = 65_535)
                    int port,
            @Setting(
                            help = "File that both sides map, for shared memory.",
                            label = "FILE",
                            byDefault = "")
                    String file,
            @Setting(
                            help = "Message length.",
                            byDefault = "64",
                            unit = "bytes",
                            min = 8,
                            max = 4096)
                    int payloadBytes,
            @Setting(
                            help = "Time of round trips that are not counted.",
                            byDefault = "2",
                            min = 0,
                            max = 60)
                    int warmUpSeconds,
            @Setting(
                            help = "Round trips that are counted.",
                            byDefault = "100000",
                            min = 1,
                            max = 100_000_000)
                    int count,
            @Setting(help = "Core of the thread; -1 for none.", byDefault = "-1", min = -1)
                    int core) {}
}
