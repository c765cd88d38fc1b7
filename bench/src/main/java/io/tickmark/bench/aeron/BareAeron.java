package io.tickmark.bench.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.Header;
import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One side of the bare stream as a program: {@code send key=value ...} or {@code receive key=value
 * ...}, with the keys of {@link BareSettings}. Prints one line of figures.
 */
public final class BareAeron {
    private BareAeron() {}

    /**
     * Runs one side.
     *
     * @param args {@code send} or {@code receive}, then {@code key=value}
     * @throws Exception any failure
     */
    public static void main(final String... args) throws Exception {
        final boolean sends = args.length > 0 && args[0].equals("send");
        final Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i++) {
            final String[] pair = args[i].split("=", 2);
            values.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        final BareSettings settings = Settings.read(BareSettings.class, values, key -> key);
        final FutureTask<String> side =
                new FutureTask<>(() -> sends ? send(settings) : receive(settings));
        new Thread(side, "bare-aeron").start();
        System.out.println(side.get());
    }

    private static String send(final BareSettings settings) {
        try (BareClient client = new BareClient(settings)) {
            final BareSender sender = new BareSender(settings, client);
            pin(settings);
            return "tool=bare_aeron side=send size=%d sent=%d"
                    .formatted(settings.payloadBytes(), sender.run());
        }
    }

    private static String receive(final BareSettings settings) {
        try (BareClient client = new BareClient(settings)) {
            final BareReceiver receiver = new BareReceiver(settings, client);
            pin(settings);
            final double perSecond = receiver.run();
            return "tool=bare_aeron side=receive size=%d received=%d mean_ns=%d sum=%d msg_per_s=%.0f"
                    .formatted(
                            settings.payloadBytes(),
                            receiver.counted(),
                            receiver.meanDelayNs(),
                            receiver.sum(),
                            perSecond);
        }
    }

    /** Last of all: what this thread starts would share its core. */
    private static void pin(final BareSettings settings) {
        if (settings.core() >= 0) {
            Affinity.pin(settings.core()).ifPresent(System.err::println);
        }
    }

    /**
     * Polls and counts; reads the clock once a poll, and for each message only where that is asked,
     * with all of its bytes.
     */
    private static final class BareReceiver {
        private static final int POLL_LIMIT = 256;

        /** While messages keep coming, one poll in so many drives, as in our engine. */
        private static final int BUSY_TURN_MASK = 7;

        private static final int CLOCK_EVERY_MASK = 1023;
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

        private final NanoClock clock = SystemNanoClock.INSTANCE;
        private final BareClient client;
        private final Subscription subscription;
        private final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
        private final boolean reads;
        private long counted;
        private long delaysNs;
        private long sum;
        private boolean ended;

        BareReceiver(final BareSettings settings, final BareClient client) {
            this.client = client;
            reads = settings.reads();
            subscription = client.aeron().addSubscription(settings.channel(), BareSender.STREAM_ID);
        }

        private void onMessage(
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final Header header) {
            final long phase = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
            if (phase == Phase.COUNTED) {
                counted++;
                if (reads) {
                    delaysNs +=
                            clock.nanoTime()
                                    - buffer.getLong(
                                            offset + Phase.TIME_OFFSET, ByteOrder.LITTLE_ENDIAN);
                    sum += sum(buffer, offset, length);
                }
            } else if (phase == Phase.END) {
                ended = true;
            }
        }

        /** Until the end, or 20 s of silence; messages received per second of the counted phase. */
        double run() {
            long heardNs = clock.nanoTime();
            long firstNs = 0;
            long lastNs = 0;
            long countedFirst = 0;
            int polls = 0;
            while (!ended) {
                final long before = counted;
                final int fragments = subscription.poll(assembler, POLL_LIMIT);
                if (fragments == 0 || (++polls & BUSY_TURN_MASK) == 0) {
                    client.drive();
                }
                if (counted > before) {
                    lastNs = clock.nanoTime();
                    heardNs = lastNs;
                    if (before == 0) {
                        firstNs = lastNs;
                        countedFirst = counted;
                    }
                } else if (fragments > 0) {
                    heardNs = clock.nanoTime();
                } else if ((++polls & CLOCK_EVERY_MASK) == 0
                        && clock.nanoTime() - heardNs > PATIENCE_NS) {
                    break;
                }
            }
            subscription.close();
            client.drive();
            return lastNs > firstNs ? (counted - countedFirst) * 1e9 / (lastNs - firstNs) : 0;
        }

        /** The least that reads each byte: eight of them at a time are added up. */
        private static long sum(final DirectBuffer buffer, final int offset, final int length) {
            long all = 0;
            int at = offset;
            for (final int last = offset + length - Long.BYTES; at <= last; at += Long.BYTES) {
                all += buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
            }
            for (; at < offset + length; at++) {
                all += buffer.getByte(at);
            }
            return all;
        }

        long counted() {
            return counted;
        }

        /** Of all messages that were counted; 0 where they are not read. */
        long sum() {
            return sum;
        }

        /** Mean one-way time in ns; 0 where the clock is not read. */
        long meanDelayNs() {
            return counted == 0 ? 0 : delaysNs / counted;
        }
    }

    /** Claims, copies and commits as fast as it can. */
    private static final class BareSender {
        static final int STREAM_ID = 1001;
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
        private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(5);
        private static final int CLOCK_EVERY_MASK = 63;

        private final NanoClock clock = SystemNanoClock.INSTANCE;
        private final BareSettings settings;
        private final BareClient client;
        private final ExclusivePublication publication;
        private final UnsafeBuffer message;
        private final BufferClaim claim = new BufferClaim();

        BareSender(final BareSettings settings, final BareClient client) {
            this.settings = settings;
            this.client = client;
            publication = client.aeron().addExclusivePublication(settings.channel(), STREAM_ID);
            message = new UnsafeBuffer(new byte[settings.payloadBytes()]);
        }

        /** The whole stream; messages sent in the counted phase. */
        long run() {
            final long startNs = clock.nanoTime();
            while (!publication.isConnected()) {
                client.drive();
                if (clock.nanoTime() - startNs > PATIENCE_NS) {
                    throw new IllegalStateException(
                            "no receiver connected to " + settings.channel());
                }
            }
            send(Phase.WARM_UP, TimeUnit.SECONDS.toNanos(settings.warmUpSeconds()), Long.MAX_VALUE);
            final long sent =
                    send(
                            Phase.COUNTED,
                            TimeUnit.SECONDS.toNanos(settings.seconds()),
                            Long.MAX_VALUE);
            send(Phase.END, PATIENCE_NS, 1);
            leave();
            return sent;
        }

        private long send(final long phase, final long durationNs, final long limit) {
            final long endNs = clock.nanoTime() + durationNs;
            message.putLong(0, phase, ByteOrder.LITTLE_ENDIAN);
            long sent = 0;
            int refused = 0;
            while (sent < limit) {
                if (settings.reads()) {
                    message.putLong(Phase.TIME_OFFSET, clock.nanoTime(), ByteOrder.LITTLE_ENDIAN);
                }
                if (publication.tryClaim(settings.payloadBytes(), claim) > 0) {
                    claim.buffer().putBytes(claim.offset(), message, 0, settings.payloadBytes());
                    claim.commit();
                    if ((++sent & CLOCK_EVERY_MASK) == 0 && clock.nanoTime() - endNs >= 0) {
                        break;
                    }
                } else {
                    client.drive();
                    if ((++refused & CLOCK_EVERY_MASK) == 0 && clock.nanoTime() - endNs >= 0) {
                        break;
                    }
                }
            }
            return sent;
        }

        /** Keeps the driver going until the receiver has left. */
        private void leave() {
            final long endNs = clock.nanoTime() + LEAVE_NS;
            while (publication.isConnected() && clock.nanoTime() - endNs < 0) {
                client.drive();
                Thread.onSpinWait();
            }
            publication.close();
        }
    }

    /**
     * What a message of the bare stream is for: its first eight bytes. The next eight may be its
     * time.
     */
    private static final class Phase {
        static final int TIME_OFFSET = Long.BYTES;
        static final long WARM_UP = 1;
        static final long COUNTED = 2;
        static final long END = 3;

        private Phase() {}
    }

    /** A client and, where it is hosted here, its driver, set as our engine sets them. */
    private static final class BareClient implements AutoCloseable {
        /** Up to here our engine gives its driver no thread of its own. */
        private static final int FEW_CORES = 4;

        private static final Duration LIVENESS = Duration.ofSeconds(20);

        private final Optional<MediaDriver> driver;
        private final Optional<AgentInvoker> driverInvoker;
        private final Aeron aeron;
        private final AgentInvoker clientInvoker;

        BareClient(final BareSettings settings) {
            driver = settings.hostsDriver() ? Optional.of(launch(settings)) : Optional.empty();
            driverInvoker = driver.map(MediaDriver::sharedAgentInvoker);
            final Aeron.Context context =
                    new Aeron.Context()
                            .aeronDirectoryName(settings.directory())
                            .useConductorAgentInvoker(true)
                            .driverTimeoutMs(LIVENESS.toMillis());
            driverInvoker.ifPresent(context::driverAgentInvoker);
            aeron = Aeron.connect(context);
            clientInvoker = aeron.conductorAgentInvoker();
        }

        private static MediaDriver launch(final BareSettings settings) {
            final boolean invoked = Runtime.getRuntime().availableProcessors() <= FEW_CORES;
            return MediaDriver.launch(
                    new MediaDriver.Context()
                            .aeronDirectoryName(settings.directory())
                            .dirDeleteOnStart(true)
                            .dirDeleteOnShutdown(true)
                            .warnIfDirectoryExists(false)
                            .asyncExecutorEnabled(false)
                            .clientLivenessTimeoutNs(LIVENESS.toNanos())
                            .driverTimeoutMs(LIVENESS.toMillis())
                            .publicationUnblockTimeoutNs(LIVENESS.toNanos() * 3 / 2)
                            .sharedIdleStrategy(new BackoffIdleStrategy())
                            .threadingMode(invoked ? ThreadingMode.INVOKER : ThreadingMode.SHARED));
        }

        Aeron aeron() {
            return aeron;
        }

        /** Takes a turn of the client and of a driver without threads. */
        void drive() {
            if (driverInvoker.isPresent()) {
                driverInvoker.get().invoke();
            }
            clientInvoker.invoke();
        }

        @Override
        public void close() {
            CloseHelper.close(aeron);
            driver.ifPresent(CloseHelper::close);
        }
    }

    /**
     * Settings of one side of the bare stream.
     *
     * @param channel of Aeron
     * @param directory of the media driver
     * @param hostsDriver whether the driver is in this process
     * @param payloadBytes message length
     * @param reads whether each side reads the clock for each message, the receiver all its bytes
     * @param warmUpSeconds time of messages that are not counted
     * @param seconds time of messages that are counted
     * @param core to pin the hot thread to
     */
    record BareSettings(
            @Setting(help = "Channel of Aeron.", label = "URI") String channel,
            @Setting(help = "Directory of the media driver.", label = "DIR") String directory,
            @Setting(help = "Whether the driver is in this process.", byDefault = "true")
                    boolean hostsDriver,
            @Setting(
                            help = "Message length.",
                            byDefault = "700",
                            unit = "bytes",
                            min = 16,
                            max = 1376)
                    int payloadBytes,
            @Setting(
                            help =
                                    "Whether each side reads the clock for each message, the receiver all its bytes.",
                            byDefault = "false")
                    boolean reads,
            @Setting(
                            help = "Time of messages that are not counted.",
                            byDefault = "2",
                            min = 0,
                            max = 60)
                    int warmUpSeconds,
            @Setting(
                            help = "Time of messages that are counted.",
                            byDefault = "2",
                            min = 1,
                            max = 60)
                    int seconds,
            @Setting(help = "Core of the hot thread; -1 for none.", byDefault = "-1", min = -1)
                    int core) {}
}
