package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.Deletion;
import io.tickmark.workloads.messaging.ParticipantCheck;
import io.tickmark.workloads.messaging.Receiving;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.ThreadSettings;
import io.tickmark.workloads.messaging.store.StoreWaitSettings;
import io.tickmark.workloads.messaging.store.StoredReceiving;
import io.tickmark.workloads.messaging.store.Stores;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Receives, counts and times a stream. One-way times need one clock: they are recorded only on the
 * publisher's host.
 */
public final class StreamSubscriber implements Role {
    /** The topics that it asks for, passed to publishers by the controller. */
    private static final String ASKED = "askedTopics";

    private static final String SEPARATOR = ",";

    private final StreamSubSettings settings;
    private final RoleContext context;
    private final Receiving receiving;
    private final Counter received;
    private final OneWayTimes oneWay;
    private final MessageHandler handler = this::onMessage;
    private boolean eachByItself;
    private final ChannelUri channel;
    private final boolean isStored;
    private StallWatch watch = StallWatch.off();
    private StepReceiver steps;
    private boolean times;

    /** Messages delivered since the clock was read. */
    private int sinceClockRead;

    private long newMessages;
    private long nowNs;

    /** Written for each pass of the empty loop, so that the compiler keeps it. */
    private volatile int spins;

    StreamSubscriber(final StreamSubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        channel = ChannelUri.parse(settings.channel());
        isStored = settings.isStored();
        receiving =
                new Receiving(
                        channel.toString(),
                        Topic.of(settings.topics()),
                        settings.cookie() == 0 ? context.index() : settings.cookie(),
                        settings.thread(),
                        Factory.THREAD,
                        context);
        received = context.recording().counter(Counts.RECEIVED);
        oneWay = new OneWayTimes(context, settings.logLatencies());
        // The processing of one message must not count in the time of those before it.
        eachByItself = settings.spinCount() > 0 || settings.logLatencies();
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.of(Map.of(ASKED, String.join(SEPARATOR, settings.topics())));
    }

    /**
     * Which topics each subscriber asks for.
     *
     * @param endpoints of all roles
     * @return names by role and index; none by hand
     */
    static Map<String, Set<String>> asked(final Endpoints endpoints) {
        final Map<String, Set<String>> asked = new LinkedHashMap<>();
        for (final Endpoints.Endpoint each : endpoints.values()) {
            if (each.name().equals(ASKED)) {
                asked.put(
                        each.role() + "-" + each.index(),
                        new HashSet<>(List.of(each.value().split(SEPARATOR))));
            }
        }
        return asked;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        receiving.expect(endpoints);
        if (isStored) {
            receiving.take(
                    new StoredReceiving(channel, endpoints, Topic.of(settings.topics()), context));
        } else {
            receiving.open(endpoints);
        }
        steps = receiving.steps(settings.verify());
        steps.beforeClose(this::settle);
        steps.whenBegun(step -> {
            oneWay.ofTopics(receiving.agreement().topics());
            oneWay.begin(step);
        });
        receiving.introduce(handler);
        sinceClockRead = 0;
        times = settings.recordLatency() && receiving.agreement().isPublisherOnThisHost();
        final long scheduled = StreamPublisher.scheduled(endpoints);
        if (times && scheduled > 0) {
            watch = receiving.watch(StallWatch.Part.RECEIVE);
            final boolean areStamped = receiving.kernelStamps().areKept();
            eachByItself |= areStamped; // each has an arrival of its own
            oneWay.keep(
                    context.recording()
                            .stalls()
                            .messages(
                                    0,
                                    scheduled,
                                    areStamped
                                            ? MessageLog.Kind.STAMPED
                                            : MessageLog.Kind.RECEIVED),
                    areStamped ? receiving::arrivedNs : OneWayTimes.NO_ARRIVALS,
                    StreamPublisher.topics(endpoints));
        }
        steps.begin();
    }

    /** They are compared with those of the publisher. */
    private KernelStamps stamps() {
        final KernelStamps stamps = receiving.kernelStamps();
        if (!stamps.areAsked() || times) {
            return stamps;
        }
        return KernelStamps.missing(
                settings.recordLatency()
                        ? "they need one clock for both ends, and the publisher is on another host"
                        : "the subscriber was told to record no latency");
    }

    @Override
    public RoleResult run(final long startAtNs) {
        return receiving.run(
                steps,
                handler,
                this::settle,
                settings.exitAtEnd(),
                settings.idleTimeout().toNanos()
                        + (isStored ? settings.patience().storeTimeout().toNanos() : 0),
                this::addMetrics);
    }

    private void addMetrics(final Map<String, Object> metrics) {
        metrics.put("cookie", receiving.cookie());
        metrics.put("oneWay", times ? "measured" : oneWayAbsence());
        stamps().addTo(metrics);
        if (settings.spinCount() > 0) {
            metrics.put("spinCount", settings.spinCount());
        }
    }

    private String oneWayAbsence() {
        return settings.recordLatency()
                ? "not measured: the publisher is on another host"
                : "not asked for";
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final boolean isFirst = eachByItself || sinceClockRead++ == 0;
        if (isFirst) {
            nowNs = context.clock().nanoTime();
            watch.look(nowNs);
        }
        if (!steps.onMessage(buffer, offset, length, nowNs)) {
            return;
        }
        newMessages++;
        if (times && isTimed(buffer, offset)) {
            if (isFirst) {
                oneWay.record(buffer, offset, length, nowNs);
            } else {
                oneWay.collect(buffer, offset, length);
            }
        }
        for (int i = 0; i < settings.spinCount(); i++) {
            spins = i;
        }
        if (eachByItself) {
            settle();
        }
    }

    /** The messages of a store's warm-up belong to the step and are counted, but not timed. */
    private boolean isTimed(final DirectBuffer buffer, final int offset) {
        return !isStored
                || Stamp.flags(buffer, offset) == 0
                || (byte) Stamp.step(buffer, offset) <= StepReceiver.WARM_UP_STEP;
    }

    /**
     * Sets the time of the messages since the last clock read; at the end of a poll, and before a
     * step is closed.
     */
    private void settle() {
        if (sinceClockRead > 1 || oneWay.isPending()) {
            nowNs = context.clock().nanoTime();
            oneWay.settle(nowNs);
        }
        sinceClockRead = 0;
        if (newMessages > 0) {
            steps.heardAt(nowNs);
            received.add(newMessages);
            newMessages = 0;
        }
    }

    @Override
    public void close() {
        receiving.close();
    }

    /** Creates stream subscribers. */
    public static final class Factory extends RoleFactory.Declared<StreamSubSettings> {
        static final HotThread THREAD = new HotThread("subscriber");

        /** For the service loader. */
        public Factory() {
            super(
                    "stream-sub",
                    "Receives streams, counts what is missing, and times what arrives.",
                    StreamSubSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final StreamSubSettings settings, final int index, final int count) {
            return List.of(settings.thread().of(THREAD));
        }

        @Override
        public int engineThreads(final StreamSubSettings settings) {
            return Transports.busyThreads(
                    ChannelUri.parse(settings.channel()), ExchangeSide.CONNECT);
        }

        @Override
        public long expectedDurationNs(final StreamSubSettings settings) {
            return 0;
        }

        @Override
        public String channel(final StreamSubSettings settings) {
            return settings.channel();
        }

        @Override
        public long patienceNs(final StreamSubSettings settings) {
            return Stores.patienceNs(ChannelUri.parse(settings.channel()));
        }

        @Override
        public void check(final StreamSubSettings settings) {
            Topic.of(settings.topics());
            final ChannelUri channel = ChannelUri.parse(settings.channel());
            new Transports().of(channel).traits(channel);
            Stores.check(channel, settings.stored());
        }

        @Override
        public void checkHere(final StreamSubSettings settings) {
            Transports.requireHere(ChannelUri.parse(channel(settings)), ExchangeSide.CONNECT);
        }

        @Override
        public Map<String, Object> implied(final Map<String, Integer> counts) {
            return Stores.implied(counts);
        }

        /**
         * A store that deletes what one subscriber has acknowledged has nothing left for another.
         */
        @Override
        public void checkTogether(final List<StreamSubSettings> all) {
            final Set<String> read = new HashSet<>();
            for (final StreamSubSettings settings : all) {
                final ChannelUri channel = ChannelUri.parse(settings.channel());
                if (settings.isStored()
                        && Stores.of(channel).guarantees(channel).deletion()
                                == Deletion.ACKNOWLEDGED) {
                    settings.topics().stream()
                            .filter(topic -> !read.add(channel + " " + topic))
                            .findFirst()
                            .ifPresent(topic -> {
                                throw severalReaders(channel, topic);
                            });
                }
            }
        }

        private static UserError severalReaders(final ChannelUri channel, final String topic) {
            return UserError.usage(
                    ("--channel %s: with deletion=acknowledged a topic has one subscriber, and topic '%s' would have several;"
                                    + " keep one, give each topics of its own, or use deletion=kept.")
                            .formatted(channel, topic));
        }

        /** Messages already in a store can be read without a publisher. */
        @Override
        public void checkCompany(
                final StreamSubSettings settings,
                final Map<String, Integer> counts,
                final UnaryOperator<String> naming) {
            if (!Stores.isPartOf(counts, settings.stored())) {
                ParticipantCheck.needPublisher(name(), "stream-pub", counts);
            }
        }

        @Override
        public boolean staysOnOneHost(final StreamSubSettings settings) {
            return Stores.stayOnOneHost(ChannelUri.parse(channel(settings)), settings.stored());
        }

        @Override
        public Role create(final StreamSubSettings settings, final RoleContext context) {
            return new StreamSubscriber(settings, context);
        }
    }

    /**
     * Settings of the stream subscriber.
     *
     * @param channel to measure
     * @param stored whether messages go through the channel's store
     * @param topics received on one thread
     * @param cookie number of this subscriber, 0 to take its index in the plan
     * @param spinCount passes of an empty loop for each message
     * @param exitAtEnd whether to end when the publisher has ended, or only after the idle time-out
     * @param idleTimeout end after this long without a message
     * @param recordLatency whether to record one-way latencies
     * @param verify whether to check checksums
     * @param logLatencies whether each latency is written to latency.csv
     * @param patience how long it waits for a store
     * @param thread how the hot thread waits and where it runs
     */
    public record StreamSubSettings(
            @Setting(
                            help = "Channel to measure.",
                            byDefault = "udp://127.0.0.1:0",
                            aliases = {"--store"},
                            label = "URI")
                    String channel,
            @Setting(
                            help =
                                    "Whether messages go through the channel's store; set by --store, and in a plan by the"
                                            + " role store.",
                            byDefault = "false")
                    boolean stored,
            @Setting(
                            help = "Topics, received on one thread; the publisher's.",
                            byDefault = "tickmark",
                            label = "NAME,...")
                    List<String> topics,
            @Setting(
                            help =
                                    "Cookie of this subscriber: a number from 1, a different one for each; 0 takes its index in"
                                            + " the plan.",
                            byDefault = "0",
                            min = 0,
                            max = 1024)
                    int cookie,
            @Setting(
                            help =
                                    "Passes of an empty loop for each message: a subscriber that has work to do.",
                            byDefault = "0",
                            min = 0,
                            max = 1_000_000_000)
                    int spinCount,
            @Setting(
                            help =
                                    "End when the publisher has ended; false waits for the idle timeout.",
                            byDefault = "true")
                    boolean exitAtEnd,
            @Setting(
                            help = "End after this long without a message.",
                            byDefault = "10s",
                            min = 1e6,
                            max = 8.64e13)
                    Duration idleTimeout,
            @Setting(
                            help =
                                    "Record one-way latencies, where publisher and subscriber share a clock.",
                            byDefault = "true")
                    boolean recordLatency,
            @Setting(help = "Check the CRC32C of messages from 32 bytes on.", byDefault = "true")
                    boolean verify,
            @Setting(help = "Write each latency to latency.csv.", byDefault = "false")
                    boolean logLatencies,
            StoreWaitSettings patience,
            ThreadSettings thread) {
        /** Copies the list. */
        public StreamSubSettings {
            topics = List.copyOf(topics);
        }

        /**
         * Whether messages go through a store, by its own word or because the channel has no
         * others.
         */
        boolean isStored() {
            return Stores.isStored(ChannelUri.parse(channel), stored);
        }
    }

    /**
     * Records response and service time of one-way messages. Single-threaded, allocates nothing.
     *
     * <p>Either each message with its own time ({@link #record}), or those of one poll with one
     * ({@link #collect}, then {@link #settle}): the clock is read when the last of them has been
     * handled, so that none appears faster than it was, and the first appears later by the handling
     * of the others. Reading the clock for each would cost more than handling it, and would make
     * the last ones later than that.
     */
    static final class OneWayTimes {
        /** Most different times of one poll; further ones are settled at once. */
        private static final int MOST_RUNS = 64;

        /** Where the kernel stamps nothing. */
        static final LongSupplier NO_ARRIVALS = () -> 0;

        /** Used in place of a send time: the message is too short for one. */
        private static final long NOT_CARRIED = Long.MIN_VALUE;

        private final NanoClock clock;
        private final LatencyRecorder response;
        private final LatencyRecorder service;
        private final LatencyLog log;
        private final long[] intendedNs = new long[MOST_RUNS];
        private final long[] sentNs = new long[MOST_RUNS];
        private final int[] streams = new int[MOST_RUNS];
        private final int[] counts = new int[MOST_RUNS];
        private int last = -1;
        private MessageLog kept = MessageLog.off();

        /** Of the step that is being received. */
        private MessageLog messages = MessageLog.off();

        private LongSupplier arrivedNs = NO_ARRIVALS;
        private int topics = 1;

        OneWayTimes(final RoleContext context, final boolean logLatencies) {
            clock = context.clock();
            response = context.recording().latency(Latencies.RESPONSE_NS);
            service = context.recording().latency(Latencies.SERVICE_NS);
            log =
                    logLatencies
                            ? context.recording().latencyLog(Latencies.RESPONSE_NS)
                            : LatencyLog.off();
        }

        /**
         * Sets how many topics there are, each of which must recover from a fault; to be called
         * before the first message of the second one.
         */
        void ofTopics(final int count) {
            response.ofStreams(count);
        }

        /**
         * Keeps the times of measured messages, to find what delayed them.
         *
         * @param log for them
         * @param newArrivedNs when the message that is being recorded reached its socket; then each
         *     is to be recorded by itself
         * @param newTopics over which their publisher sends in turn
         */
        void keep(final MessageLog log, final LongSupplier newArrivedNs, final int newTopics) {
            kept = log;
            messages = log;
            arrivedNs = newArrivedNs;
            topics = newTopics;
        }

        /**
         * A step begins: the times of its messages are kept where it is measured. Nothing is
         * collected meanwhile.
         *
         * @param step negative for those of the warm-up
         */
        void begin(final int step) {
            messages = step > StepReceiver.WARM_UP_STEP ? kept : kept.unread();
        }

        /**
         * Place of a message in the order sent, over all topics: sequences are those of one topic.
         *
         * @param topic from 1
         * @param topics over which they are sent in turn
         */
        static long place(final long sequence, final int topic, final int topics) {
            return sequence * topics + topic - 1;
        }

        void record(
                final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
            final long intended = Stamp.intendedNs(buffer, offset);
            response.recordDelivery(intended, nowNs, stream(buffer, offset));
            if (length >= Stamp.FULL_LENGTH) {
                service.record(nowNs - Stamp.sentNs(buffer, offset));
                keep(
                        place(Stamp.sequence(buffer, offset), Stamp.source(buffer, offset), topics),
                        intended,
                        Stamp.sentNs(buffer, offset),
                        nowNs);
            }
            log.log(
                    intended,
                    nowNs,
                    nowNs - intended,
                    Stamp.source(buffer, offset),
                    Stamp.sequence(buffer, offset));
        }

        /**
         * The departure is known to the sender alone, who keeps the messages of the same places.
         */
        private void keep(
                final long place, final long intended, final long sent, final long nowNs) {
            if (arrivedNs == NO_ARRIVALS) {
                messages.add(intended, sent, nowNs);
            } else {
                messages.stamped(0, 0, arrivedNs.getAsLong(), 0);
                messages.addNumbered(place, intended, sent, nowNs);
            }
        }

        /**
         * Messages of several topics may share a time; where it does not matter, they stay
         * together.
         */
        private int stream(final DirectBuffer buffer, final int offset) {
            return response.keepsDeliveries() ? Stamp.source(buffer, offset) - 1 : 0;
        }

        /** Collects a message to be recorded when those that arrived with it are handled. */
        void collect(final DirectBuffer buffer, final int offset, final int length) {
            final long intended = Stamp.intendedNs(buffer, offset);
            final long sent =
                    length >= Stamp.FULL_LENGTH ? Stamp.sentNs(buffer, offset) : NOT_CARRIED;
            final int stream = stream(buffer, offset);
            if (last >= 0
                    && intendedNs[last] == intended
                    && sentNs[last] == sent
                    && streams[last] == stream) {
                counts[last]++;
                return;
            }
            if (last == MOST_RUNS - 1) {
                settle(clock.nanoTime());
            }
            last++;
            intendedNs[last] = intended;
            sentNs[last] = sent;
            streams[last] = stream;
            counts[last] = 1;
        }

        /** Whether anything collected is not recorded yet. */
        boolean isPending() {
            return last >= 0;
        }

        /** Records what was collected. */
        void settle(final long nowNs) {
            for (int run = 0; run <= last; run++) {
                response.recordDelivery(intendedNs[run], nowNs, streams[run], counts[run]);
                if (sentNs[run] != NOT_CARRIED) {
                    service.record(nowNs - sentNs[run], counts[run]);
                    messages.add(intendedNs[run], sentNs[run], nowNs, counts[run]);
                }
            }
            last = -1;
        }
    }
}
