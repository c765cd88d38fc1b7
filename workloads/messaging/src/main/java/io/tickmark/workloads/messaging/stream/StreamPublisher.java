package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.Buckets;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.PaceSettings;
import io.tickmark.workloads.messaging.ParticipantCheck;
import io.tickmark.workloads.messaging.Silence;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.WireRate;
import io.tickmark.workloads.messaging.session.ExchangePublishing;
import io.tickmark.workloads.messaging.session.Exchanges;
import io.tickmark.workloads.messaging.session.PublishingEnd;
import io.tickmark.workloads.messaging.store.StoredPublishing;
import io.tickmark.workloads.messaging.store.Stores;
import io.tickmark.workloads.messaging.stream.StreamPubSettings.SendPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Sends a stream: JVM warm-up, warm-up loops, the measured messages, the end, the linger. */
public final class StreamPublisher implements Role {
    /** Receivers drain the warm-up before the first measured message arrives. */
    private static final long SETTLE_NS = 100_000_000;

    /** Enough that half a second of them gets the code for one message compiled. */
    private static final double COMPILING_RATE_PER_SECOND = 50_000;

    private static final double NS_PER_S = 1e9;

    /** Thirty years, with room for sums. */
    private static final double LONGEST_NS = 1e18;

    /** A busy machine may delay a short count by as much as this. */
    private static final long OVERTIME_NS = 5_000_000_000L;

    private static final String NO_END_OF_WARM_UP =
            "Not every subscriber acknowledged the end of the warm-up.";

    /** What the step counts for the messages of a store's warm-up, besides that they were sent. */
    private static final List<String> KEPT_OF_STORE_WARM_UP =
            List.of(Counts.ACKNOWLEDGED, Counts.RESENT);

    /**
     * How many messages will be due by a schedule, passed to subscribers by the controller; not
     * available when roles are started by hand.
     */
    private static final String SCHEDULED = "scheduledMessages";

    /** Over how many topics it sends them in turn. */
    private static final String TOPICS = "scheduledTopics";

    private final StreamPubSettings settings;
    private final RoleContext context;
    private final List<Topic> topics;
    private final List<String> warnings = new ArrayList<>();
    private ChannelUri channel;
    private boolean claims;
    private boolean isStored;
    private List<Exchange> exchanges = List.of();
    private PublishingEnd end;
    private SendLoop loop;

    /** Topics that each subscriber asks for, by its name; none by hand. */
    private Map<String, Set<String>> asked = Map.of();

    /** Looked up while the subscribers are there: after a linger they may be gone. */
    private WireRate wire;

    private long warmedUp;
    private Map<String, Long> ofStoreWarmUp = Map.of();
    private Long maxFlightSize;

    StreamPublisher(final StreamPubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        topics = Topic.of(settings.topics());
        channel = ChannelUri.parse(settings.channel());
    }

    @Override
    public Endpoints prepare() {
        final Transport transport = new Transports().of(channel);
        final TransportTraits traits = transport.traits(channel);
        settings.checkAgainst(traits, channel);
        isStored = settings.isStored(channel);
        // a store that takes nothing more is waited for until the end of the step
        final Endpoints silence =
                Silence.announce(settings.pace().longestGapNs() + (isStored ? plannedNs() : 0))
                        .and(
                                Endpoints.of(
                                        Map.of(
                                                SCHEDULED, Long.toString(scheduled()),
                                                TOPICS, Integer.toString(topics.size()))));
        if (isStored) {
            return silence;
        }
        claims = traits.claims() && claimed(settings.sendPath());
        exchanges = Exchanges.open(transport, channel, topics, ExchangeSide.BIND, 0);
        channel = exchanges.getFirst().channel();
        return Endpoints.of(Map.of("channel", channel.toString())).and(silence);
    }

    /** 0 where there is no schedule: then a latency is only the length of a queue. */
    private long scheduled() {
        if (!settings.pace().isPaced()) {
            return 0;
        }
        final double messages =
                settings.duration().isZero()
                        ? settings.messages()
                        : settings.pace().meanRatePerSecond()
                                * settings.duration().toNanos()
                                / NS_PER_S;
        return (long) Math.min(LONGEST_NS, messages);
    }

    /**
     * How many messages a subscriber will be sent by a schedule.
     *
     * @param endpoints of all roles
     * @return 0 where it is unknown, or several publishers send
     */
    static long scheduled(final Endpoints endpoints) {
        final List<String> scheduled = endpoints.named(SCHEDULED);
        return scheduled.size() == 1 ? Long.parseLong(scheduled.getFirst()) : 0;
    }

    /**
     * Over how many topics a publisher sends those.
     *
     * @param endpoints as a subscriber received them
     * @return 1 where it is unknown, or several publishers send
     */
    static int topics(final Endpoints endpoints) {
        final List<String> counts = endpoints.named(TOPICS);
        return counts.size() == 1 ? Integer.parseInt(counts.getFirst()) : 1;
    }

    private static boolean claimed(final SendPath path) {
        return path == SendPath.AUTO || path == SendPath.CLAIM;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        asked = StreamSubscriber.asked(endpoints);
        end = isStored ? stored(endpoints) : direct();
        end.notes().forEach(context::log);
        warnings.addAll(end.notes());
        final OutgoingMessage message =
                new OutgoingMessage(settings.payloadBytes(), end.trialId(), settings.verify());
        final long seed = settings.pace().seed();
        loop =
                new SendLoop(
                        end.publications(),
                        topics.size(),
                        message,
                        claims,
                        settings.payloadBytes(),
                        seed,
                        context);
        loop.group(settings.sendPath() == SendPath.AUTO);
        loop.batch(settings.sendPath() == SendPath.BATCH);
        loop.giveUpAfter(end.stallNs(), end::ended);
        loop.idle(context.idleStrategy(Factory.THREAD));
        end.countIn();
        wire = WireRate.of(exchanges);
    }

    private PublishingEnd direct() {
        return new ExchangePublishing(exchanges, topics, settings.subscribers(), context);
    }

    private PublishingEnd stored(final Endpoints endpoints) {
        return new StoredPublishing(
                channel,
                endpoints,
                topics,
                new StoredPublishing.Load(
                        settings.payloadBytes(),
                        settings.verify(),
                        settings.flight(),
                        settings.patience()),
                context);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        warnings.addAll(settings.thread().settle(context, Factory.THREAD));
        end.linger(startAtNs - context.clock().nanoTime());
        context.began();
        loop.measureSends(!settings.sendHistogram().isEmpty());
        final boolean departs = scheduled() > 0 && stamps().areKept();
        if (departs) {
            loop.keepDepartures(
                    context.recording().stalls().unreadMessages(scheduled(), MessageLog.Kind.SENT));
        }
        final StallWatch watch = watch();
        loop.watch(watch);
        watch.begin();
        warmUp();
        end.takeCounts();
        warmStoreUp();
        ofStoreWarmUp = end.takeCounts();
        context.recording().beginStep(0, settings.payloadBytes() + "B");
        loop.lose(settings.lossPercent());
        if (departs) {
            loop.keepDepartures(
                    context.recording().stalls().messages(0, scheduled(), MessageLog.Kind.SENT));
        }
        final long startNs = context.clock().nanoTime();
        loop.run(0, 0, settings.pace().schedule(), startNs, settings.limit(), endNs(startNs));
        watch.end();
        final long durationNs = loop.untilNs() - startNs;
        final String stall = loop.isStalled() ? stall(end, loop.refusal()) : "";
        final List<String> missing;
        final StepRecording recorded;
        if (isStored) {
            missing = end.end(0, loop.sentByTopic(), true);
            recorded = context.recording().endStep();
        } else {
            recorded = context.recording().endStep(); // what subscribers catch up is not sent in it
            missing = end.end(0, loop.sentByTopic(), true);
            warnings.addAll(missing);
        }
        end.linger(settings.lingerMs() * 1_000_000);
        end.notes().stream().filter(note -> !warnings.contains(note)).forEach(warnings::add);
        final List<String> reasons = new ArrayList<>(isStored ? missing : List.of());
        if (isStored && !stall.isEmpty()) {
            reasons.addFirst(stall);
        }
        return new RoleResult(
                List.of(step(durationNs, recorded, reasons)),
                metrics(recorded),
                warnings,
                isStored ? "" : stall);
    }

    /** Also without a schedule: nothing is late then, but its core may be taken. */
    private StallWatch watch() {
        return context.recording()
                .stalls()
                .watch(
                        Factory.THREAD.name(),
                        StallWatch.Part.SEND,
                        context.idleMode(Factory.THREAD).notWatched());
    }

    /** Messages that are offered together have no departures of their own. */
    private KernelStamps stamps() {
        final KernelStamps stamps =
                isStored
                        ? KernelStamps.NOT_ASKED
                        : exchanges.getFirst().publication().kernelStamps();
        return stamps.areKept() && settings.sendPath() == SendPath.BATCH
                ? KernelStamps.missing(
                        "messages that are offered together have no times of their own (--send-path offer sends each"
                                + " by itself)")
                : stamps;
    }

    /** A lost store is a result; without receivers there is nothing to judge. */
    static String stall(final PublishingEnd end, final long refusal) {
        return "%s accepted no message for %s: %s"
                .formatted(
                        end.channel(),
                        Durations.format(Duration.ofNanos(end.stallNs())),
                        end.giveUp(refusal));
    }

    /**
     * Its messages belong to the step, as a store has to keep them as well; their timings do not.
     */
    private void warmStoreUp() {
        warmedUp = 0;
        if (isStored && !settings.flight().storeWarmUp().isZero()) {
            final long nowNs = context.clock().nanoTime();
            loop.run(
                    0,
                    Stamp.WARM_UP,
                    Schedules.fixedRate(
                            settings.flight()
                                    .warmUpRatePerSecond(settings.pace().meanRatePerSecond())),
                    nowNs,
                    Long.MAX_VALUE,
                    nowNs + settings.flight().storeWarmUp().toNanos());
            warmedUp = loop.sent();
            loop.continueStep();
        }
    }

    /**
     * Several steps, which begin and end as the measured one does, on both sides. A low rate would
     * send too few to have the code compiled, so for half of the time messages follow each other
     * quickly; not as fast as possible, which runs other code. With a store the pace is kept,
     * because it would otherwise start the measurement with a backlog.
     */
    private void warmUp() {
        final boolean isSlow =
                !isStored
                        && settings.pace().isPaced()
                        && settings.pace().meanRatePerSecond() < COMPILING_RATE_PER_SECOND;
        final long beginNs = context.clock().nanoTime();
        boolean hasEndedOne = false;
        // a store is told of one end only
        for (int step = isStored ? StepReceiver.WARM_UP_STEP : StepReceiver.FIRST_WARM_UP_STEP;
                step <= StepReceiver.WARM_UP_STEP && !context.isStopped();
                step++) {
            final long nowNs = context.clock().nanoTime();
            final long endNs =
                    StepReceiver.warmUpEndNs(step, beginNs, settings.jvmWarmUp().toNanos());
            final boolean isCounted =
                    step == StepReceiver.WARM_UP_STEP && settings.warmUpCount() > 0;
            final boolean isLate = endNs - nowNs <= 0 && !isCounted;
            if (isLate && (step < StepReceiver.WARM_UP_STEP || !hasEndedOne)) {
                continue; // the ends before it took too long, or there is no warm-up
            }
            final long fastUntilNs = isSlow ? nowNs + (endNs - nowNs) / 2 : nowNs;
            warmUp(step, Schedules.fixedRate(COMPILING_RATE_PER_SECOND), fastUntilNs);
            warmUp(step, settings.pace().schedule(), endNs);
            if (isCounted) {
                final double rate = settings.warmUpRatePerSecond();
                loop.run(
                        step,
                        Stamp.WARM_UP,
                        rate > 0 ? Schedules.fixedRate(rate) : Schedules.asFastAsPossible(),
                        context.clock().nanoTime(),
                        settings.warmUpCount(),
                        Long.MAX_VALUE);
            }
            // The last step ends even if there was no time for it: subscribers wait for that.
            final long[] sent = isLate ? new long[loop.sentByTopic().length] : loop.sentByTopic();
            if (isLate || LongStream.of(sent).sum() > 0) {
                hasEndedOne = true;
                endWarmUp(step, sent);
            }
        }
        end.linger(SETTLE_NS);
    }

    private void endWarmUp(final int step, final long[] sentByTopic) {
        if (!end.end(step, sentByTopic, false).isEmpty() && !warnings.contains(NO_END_OF_WARM_UP)) {
            warnings.add(NO_END_OF_WARM_UP);
        }
    }

    private void warmUp(final int step, final Schedule schedule, final long endNs) {
        final long nowNs = context.clock().nanoTime();
        if (endNs - nowNs > 0) {
            loop.run(step, Stamp.WARM_UP, schedule, nowNs, Long.MAX_VALUE, endNs);
        }
    }

    /**
     * A count that is out of reach ends after three times its time and five seconds: the rate was
     * not held, and that is the result.
     */
    private long endNs(final long startNs) {
        if (!settings.duration().isZero()) {
            return startNs + settings.duration().toNanos();
        }
        if (!settings.pace().isPaced()) {
            return Long.MAX_VALUE;
        }
        return startNs + OVERTIME_NS + (long) Math.min(LONGEST_NS, 3.0 * plannedNs());
    }

    /** How long the messages take by the pace; 0 where there is none. */
    private long plannedNs() {
        if (!settings.duration().isZero() || !settings.pace().isPaced()) {
            return settings.duration().toNanos();
        }
        return (long)
                Math.min(
                        LONGEST_NS,
                        1e9 * settings.messages() / settings.pace().meanRatePerSecond());
    }

    private StepResult step(
            final long durationNs, final StepRecording recorded, final List<String> reasons) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        loop.addTo(counts);
        counts.merge(Counts.SENT, warmedUp, Long::sum);
        notAskedFor(counts);
        if (settings.messagesPerSend() > 1) {
            counts.put(Counts.APPLICATION_MESSAGES, loop.sent() * settings.messagesPerSend());
        }
        wire.addTo(counts, settings.payloadBytes(), loop.sent() - loop.artificiallyLost());
        wire.caution(counts, durationNs).ifPresent(warnings::add);
        counts.putAll(recorded.counts());
        final Map<String, Long> ofTheWay = end.takeCounts();
        counts.putAll(ofTheWay);
        KEPT_OF_STORE_WARM_UP.stream()
                .filter(ofStoreWarmUp::containsKey)
                .forEach(name -> counts.merge(name, ofStoreWarmUp.get(name), Long::sum));
        maxFlightSize = ofTheWay.get(Counts.MAX_FLIGHT_SIZE);
        return new StepResult(
                0,
                "",
                settings.payloadBytes(),
                counts,
                durationNs,
                loop.pacer().ratePerSecond(),
                loop.achievedRatePerSecond(),
                recorded.latencies(),
                reasons);
    }

    /** Those lost on purpose are missing everywhere, and count as such. */
    private void notAskedFor(final Map<String, Long> counts) {
        final long[] offered = loop.offeredByTopic();
        asked.forEach((subscriber, names) -> {
            final long others =
                    topics.stream()
                            .filter(topic -> !names.contains(topic.name()))
                            .mapToLong(topic -> offered[topic.id()])
                            .sum();
            if (others > 0) {
                counts.put(Counts.of(subscriber, Counts.NOT_ASKED_FOR), others);
                counts.merge(Counts.NOT_ASKED_FOR, others, Long::sum);
            }
        });
    }

    private String sendPath() {
        if (settings.sendPath() == SendPath.BATCH) {
            return SettingDescriptor.word(SendPath.BATCH);
        }
        return loop.isGrouped() ? "offer-all" : claims ? "claim" : "offer";
    }

    private Map<String, Object> metrics(final StepRecording recorded) {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("threadPriority", ThreadPriority.describe());
        metrics.put("sendPath", sendPath());
        if (loop.isGrouped()) {
            metrics.put(
                    settings.sendPath() == SendPath.BATCH
                            ? "messagesPerBatch"
                            : "messagesPerClockRead",
                    loop.messagesPerGroup());
        }
        if (settings.messagesPerSend() > 1) {
            metrics.put("messagesPerSend", settings.messagesPerSend());
        }
        wire.describe(metrics, settings.payloadBytes());
        metrics.put(RoleSummary.PACE, settings.pace().word());
        metrics.put("topics", topics.size());
        metrics.put("maxFlightSize", maxFlightSize == null ? "n/a" : maxFlightSize);
        if (isStored) {
            metrics.put("storeWarmUpSent", warmedUp);
        }
        if (!settings.sendHistogram().isEmpty()
                && recorded.latencies().containsKey(Latencies.SEND_NS)) {
            metrics.put(
                    "sendHistogram",
                    Buckets.text(
                            recorded.latencies().get(Latencies.SEND_NS), settings.sendHistogram()));
        }
        metrics.putAll(end.facts());
        stamps().addTo(metrics);
        return metrics;
    }

    @Override
    public void close() {
        if (end != null) {
            end.close();
        }
        Exchanges.close(exchanges);
    }

    /** Creates stream publishers. */
    public static final class Factory extends RoleFactory.Declared<StreamPubSettings> {
        static final HotThread THREAD = new HotThread("publisher");

        /** As fast as possible, for planning only. */
        private static final double GUESSED_RATE_PER_SECOND = 300_000;

        /** For the service loader. */
        public Factory() {
            super(
                    "stream-pub",
                    "Sends numbered messages to one or several topics from one thread.",
                    StreamPubSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final StreamPubSettings settings, final int index, final int count) {
            return List.of(settings.thread().of(THREAD));
        }

        @Override
        public int engineThreads(final StreamPubSettings settings) {
            final ChannelUri channel = ChannelUri.parse(settings.channel());
            return settings.isStored(channel)
                    ? Stores.of(channel).busyPublisherThreads(channel)
                    : Transports.busyThreads(channel, ExchangeSide.BIND);
        }

        @Override
        public long usualStartNs(final StreamPubSettings settings) {
            return Transports.usualStartNs(ChannelUri.parse(settings.channel()));
        }

        @Override
        public long expectedDurationNs(final StreamPubSettings settings) {
            final double rate =
                    settings.pace().isPaced()
                            ? settings.pace().meanRatePerSecond()
                            : GUESSED_RATE_PER_SECOND;
            final double measuredNs =
                    settings.duration().isZero()
                            ? settings.messages() / rate * 1e9
                            : settings.duration().toNanos();
            final double warmUpNs =
                    settings.warmUpRatePerSecond() > 0
                            ? settings.warmUpCount() / settings.warmUpRatePerSecond() * 1e9
                            : 0;
            final double storeWarmUpNs =
                    settings.isStored(ChannelUri.parse(settings.channel()))
                            ? settings.flight().storeWarmUp().toNanos()
                            : 0;
            return (long)
                    (measuredNs
                            + storeWarmUpNs
                            + warmUpNs
                            + settings.jvmWarmUp().toNanos()
                            + settings.lingerMs() * 1e6);
        }

        @Override
        public String channel(final StreamPubSettings settings) {
            return settings.channel();
        }

        @Override
        public long patienceNs(final StreamPubSettings settings) {
            return Stores.patienceNs(ChannelUri.parse(settings.channel()));
        }

        /**
         * It waits until the store accepts a message, and then for messages that are not stable
         * yet.
         */
        @Override
        public long standstillNs(final StreamPubSettings settings) {
            return settings.isStored(ChannelUri.parse(settings.channel()))
                    ? 2 * settings.patience().storeTimeout().toNanos()
                    : 0;
        }

        @Override
        public void checkGiven(
                final Map<String, Object> values,
                final Set<String> later,
                final UnaryOperator<String> naming) {
            PaceSettings.check(values, later, naming);
        }

        @Override
        public void check(final StreamPubSettings settings) {
            Topic.of(settings.topics());
            final ChannelUri channel = ChannelUri.parse(settings.channel());
            final TransportTraits traits = new Transports().of(channel).traits(channel);
            settings.checkAgainst(traits, channel);
            Stores.check(channel, settings.stored());
        }

        @Override
        public void checkHere(final StreamPubSettings settings) {
            final ChannelUri channel = ChannelUri.parse(channel(settings));
            // a store has started its servers by itself
            Transports.requireHere(
                    channel, settings.isStored(channel) ? ExchangeSide.CONNECT : ExchangeSide.BIND);
        }

        @Override
        public Map<String, Object> implied(final Map<String, Integer> counts) {
            return Stores.implied(counts);
        }

        /** With a store, no subscribers are waited for: readers may connect at any time. */
        @Override
        public void checkCompany(
                final StreamPubSettings settings,
                final Map<String, Integer> counts,
                final UnaryOperator<String> naming) {
            if (!Stores.isPartOf(counts, settings.stored())) {
                ParticipantCheck.needSubscribers(
                        name(), "stream-sub", settings.subscribers(), counts, naming);
            }
        }

        @Override
        public boolean staysOnOneHost(final StreamPubSettings settings) {
            return Stores.stayOnOneHost(ChannelUri.parse(channel(settings)), settings.stored());
        }

        @Override
        public Role create(final StreamPubSettings settings, final RoleContext context) {
            return new StreamPublisher(settings, context);
        }
    }
}
