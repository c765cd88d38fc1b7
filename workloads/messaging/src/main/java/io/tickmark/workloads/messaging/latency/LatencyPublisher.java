package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.CountSentence;
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
import io.tickmark.kernel.time.Pacer;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.PaceSettings;
import io.tickmark.workloads.messaging.ParticipantCheck;
import io.tickmark.workloads.messaging.Silence;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.WireRate;
import io.tickmark.workloads.messaging.latency.LatencyPubSettings.EchoKind;
import io.tickmark.workloads.messaging.session.PublisherSession;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Sends pings of each size in turn and times their echoes. */
public final class LatencyPublisher implements Role {
    /**
     * About how many pings each step will have, passed to subscribers by the controller; not
     * available when roles are started by hand.
     */
    private static final String EXPECTED = "expectedPings";

    private final LatencyPubSettings settings;
    private final RoleContext context;
    private final List<String> warnings = new ArrayList<>();
    private ChannelUri channel;
    private Exchange exchange;
    private PublisherSession session;
    private Pinger pinger;
    private int endedStep = StepReceiver.FIRST_WARM_UP_STEP;

    /** Once a step has waited for missing echoes as long as one may, the next wait for one only. */
    private boolean hasEndedEarly;

    /**
     * Looked up while the subscribers are there: they may be gone once they have received the end.
     */
    private WireRate wire;

    LatencyPublisher(final LatencyPubSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        channel = settings.uri();
    }

    private static void checkAgainst(
            final TransportTraits traits, final LatencyPubSettings settings) {
        settings.checkSizes(traits.maxPayloadBytes(), settings.uri());
        ParticipantCheck.needFanOut(settings.subscribers(), traits, settings.uri());
    }

    @Override
    public Endpoints prepare() {
        final Transport transport = new Transports().of(channel);
        checkAgainst(transport.traits(channel), settings);
        final boolean external = settings.echo() == EchoKind.EXTERNAL;
        exchange =
                transport.exchange(
                        channel,
                        new Topic(settings.topic(), 1),
                        external ? transport.sideTowardsForeignEcho() : ExchangeSide.BIND,
                        1);
        exchange.note()
                .ifPresent(note -> {
                    context.log(note);
                    warnings.add(note);
                });
        EngineFacts.line(exchange).ifPresent(context::log);
        if (external) {
            EngineProcesses.foreign("an echo that may run on this host");
            return Endpoints.NONE;
        }
        channel = exchange.channel();
        return Endpoints.of(Map.of("channel", channel.toString()))
                .and(
                        Silence.announce(
                                settings.pace().longestGapNs() + settings.pingTimeout().toNanos()))
                .and(Endpoints.of(Map.of(EXPECTED, Long.toString(settings.expectedPings()))));
    }

    /**
     * About how many pings each step of the publisher will have.
     *
     * @param endpoints of all roles
     * @return 0 where it is unknown
     */
    static long expectedPings(final Endpoints endpoints) {
        final List<String> expected = endpoints.named(EXPECTED);
        return expected.size() == 1 ? Long.parseLong(expected.getFirst()) : 0;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final boolean external = settings.echo() == EchoKind.EXTERNAL;
        session =
                new PublisherSession(
                        List.of(exchange),
                        List.of(new Topic(settings.topic(), 1)),
                        external ? 0 : settings.subscribers(),
                        context);
        final OutgoingMessage message =
                new OutgoingMessage(settings.maxSize(), session.trialId(), settings.verify());
        pinger = new Pinger(exchange, session, message, settings, context);
        if (external) {
            pinger.findEcho(channel, exchange);
        } else {
            session.countIn(channel);
            session.requireEcho();
        }
        wire = WireRate.ofPings(exchange);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        warnings.addAll(settings.thread().settle(context, Factory.THREAD));
        pinger.waitUntil(startAtNs);
        context.began();
        pinger.beginWatch();
        warmUp();
        final List<Integer> sizes = settings.sweep();
        final List<StepResult> steps = new ArrayList<>();
        boolean last = false;
        for (int step = 0; step < sizes.size() && !context.isStopped(); step++) {
            final StepResult measured = measure(step, sizes.get(step));
            last = step == sizes.size() - 1 || context.isStopped();
            announceEnd(step, last);
            steps.add(withReportedLosses(measured));
        }
        if (!last) {
            // Stopped in the warm-up, or while an end was sent that announced further steps.
            announceEnd(Math.max(endedStep, StepReceiver.WARM_UP_STEP), true);
        }
        pinger.endWatch();
        exchange.note().filter(note -> !warnings.contains(note)).ifPresent(warnings::add);
        return new RoleResult(steps, metrics(), warnings, "");
    }

    /**
     * The warm-up runs the measuring code in several steps, which begin and end as measured ones
     * do, on both sides.
     */
    private void warmUp() {
        if (settings.warmUp().isZero()) {
            return;
        }
        final long beginNs = context.clock().nanoTime();
        for (int step = StepReceiver.FIRST_WARM_UP_STEP;
                step <= StepReceiver.WARM_UP_STEP && !context.isStopped();
                step++) {
            final long endNs = StepReceiver.warmUpEndNs(step, beginNs, settings.warmUp().toNanos());
            if (step < StepReceiver.WARM_UP_STEP && endNs - context.clock().nanoTime() <= 0) {
                continue; // the ends before it took too long; the last one is never left out
            }
            if (settings.isOpenLoop()) {
                new OpenLoop(pinger, settings, context).warmUp(step, endNs);
            } else {
                new ClosedLoop(pinger, settings, context).warmUp(step, endNs);
            }
            announceEnd(step, false);
        }
    }

    private void announceEnd(final int step, final boolean last) {
        endedStep = step;
        if (settings.echo() == EchoKind.SUBSCRIBER
                && !session.end(step, new long[] {0, pinger.sent()}, last)) {
            final String warning =
                    "Not every subscriber acknowledged the end of "
                            + (step <= StepReceiver.WARM_UP_STEP
                                    ? "the warm-up."
                                    : "step " + step + ".");
            if (!warnings.contains(warning)) { // the warm-up has several steps
                warnings.add(warning);
            }
        }
    }

    /** Each subscriber reports what it missed when it acknowledges the end. */
    private StepResult withReportedLosses(final StepResult measured) {
        if (settings.echo() != EchoKind.SUBSCRIBER) {
            return measured;
        }
        final Map<String, Long> counts = new LinkedHashMap<>(measured.counts());
        counts.put(Counts.LOST_AT_SUBSCRIBERS, session.lostAtSubscribers());
        counts.put(Counts.NOT_CONFIRMED, session.notConfirmed());
        return new StepResult(
                measured.step(),
                measured.label(),
                measured.payloadBytes(),
                counts,
                measured.durationNs(),
                measured.offeredRatePerSecond(),
                measured.achievedRatePerSecond(),
                measured.latencies(),
                measured.reasons());
    }

    private StepResult measure(final int step, final int payloadBytes) {
        context.recording().beginStep(step, payloadBytes + "B");
        final Map<String, Long> counts = new LinkedHashMap<>();
        final double offered;
        final double achieved;
        final long durationNs;
        final List<String> reasons = new ArrayList<>();
        if (settings.isOpenLoop()) {
            final OpenLoop loop = new OpenLoop(pinger, settings, context);
            durationNs = loop.run(step, payloadBytes);
            offered = loop.pacer().ratePerSecond();
            achieved = loop.achievedRatePerSecond();
            counts.put(Counts.MAX_TIGHT_SENDS, loop.pacer().maxTightSends());
            counts.put(Counts.MAX_LAG_NS, loop.pacer().maxLagNs());
            counts.put(Counts.TIMED_OUT, loop.timedOut());
            counts.put(Counts.SEND_TIME_NOT_KEPT, loop.sendTimesNotKept());
        } else {
            final ClosedLoop loop = new ClosedLoop(pinger, settings, context);
            durationNs = loop.run(step, payloadBytes, hasEndedEarly ? 1 : settings.mostInARow());
            if (loop.hasGivenUp() && pinger.sent() < settings.samples()) {
                hasEndedEarly = true;
                reasons.add(endedEarly(loop.timedOut()));
            }
            counts.put(Counts.TIMED_OUT, loop.timedOut());
            offered = 0;
            achieved = durationNs > 0 ? pinger.sent() * 1e9 / durationNs : 0;
        }
        pinger.addTo(counts);
        if (settings.echo() != EchoKind.EXTERNAL) {
            counts.put(Counts.COUNTED_IN, (long) settings.subscribers());
        }
        wire.addTo(counts, payloadBytes, pinger.sent());
        wire.caution(counts, durationNs).ifPresent(warnings::add);
        final StepRecording recorded = context.recording().endStep();
        counts.putAll(recorded.counts());
        return new StepResult(
                step,
                "",
                payloadBytes,
                counts,
                durationNs,
                offered,
                achieved,
                recorded.latencies(),
                reasons);
    }

    private String endedEarly(final long timedOut) {
        return CountSentence.of(
                "%d ping{|s} had no echo within %s, and the step ended after %d of %d.",
                timedOut,
                Durations.format(settings.pingTimeout()),
                pinger.sent(),
                settings.samples());
    }

    private Map<String, Object> metrics() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("loop", settings.isOpenLoop() ? "open" : "closed");
        if (settings.isOpenLoop()) {
            metrics.put(RoleSummary.PACE, settings.pace().word());
        }
        metrics.put("threadPriority", ThreadPriority.describe());
        pinger.describe(metrics);
        metrics.put(RoleSummary.ECHO, SettingDescriptor.word(settings.echo()));
        wire.describe(metrics, settings.sweep().getFirst());
        metrics.putAll(EngineFacts.of(exchange));
        pinger.kernelStamps().addTo(metrics);
        return metrics;
    }

    @Override
    public void close() {
        if (exchange != null) {
            exchange.close();
        }
    }

    /**
     * Pings at their scheduled times, whatever happened to earlier ones: response time counts from
     * the intended time, service time from the actual send. Send times are kept in a ring by
     * sequence, because short messages cannot carry them.
     */
    private static final class OpenLoop {
        private static final int MIN_RING = 1 << 10;
        private static final int MAX_RING = 1 << 22;

        /** A foreign echo service may lose warm-up pings; they are not waited for long. */
        private static final long WARM_UP_WAIT_NS = 20_000_000;

        /** The measurement enters the loop anew, so the warm-up does that often, too. */
        private static final int WARM_UP_PARTS = 7;

        /**
         * One object and one class for warm-up and measurement: code is compiled for those seen.
         */
        private final Pinger.EchoListener listener = this::onEcho;

        private final Pinger pinger;
        private final LatencyPubSettings settings;
        private final RoleContext context;
        private final Pacer pacer;
        private final LatencyRecorder response;
        private final LatencyRecorder service;
        private final LatencyLog log;
        private final Counter sentTotal;
        private final Counter lag;
        private final Counter echoedTotal;
        private final long[] sentNsBySequence;
        private long sendTimesNotKept;
        private MessageLog messages = MessageLog.off();
        private double achievedRatePerSecond;
        private long lastSentNs;

        OpenLoop(
                final Pinger pinger, final LatencyPubSettings settings, final RoleContext context) {
            this.pinger = pinger;
            this.settings = settings;
            this.context = context;
            pacer = new Pacer(settings.pace().schedule());
            response = context.recording().latency(Latencies.RESPONSE_NS);
            service = context.recording().latency(Latencies.SERVICE_NS);
            log =
                    settings.logLatencies()
                            ? context.recording().latencyLog(Latencies.RESPONSE_NS)
                            : LatencyLog.off();
            sentTotal = context.recording().counter(Counts.SENT);
            lag = context.recording().gauge(Counts.LAG_NS);
            echoedTotal = context.recording().counter("echoed");
            sentNsBySequence = new long[ringSize(settings.mostAwaited())];
        }

        private static int ringSize(final double wanted) {
            final int bounded = (int) Math.min(MAX_RING, Math.max(MIN_RING, wanted));
            return Integer.highestOneBit(bounded - 1) << 1;
        }

        /**
         * A step of the warm-up until the given time; its recordings are discarded. For half of the
         * time pings follow each other without a pause, because a low rate would send too few to
         * have the code compiled; after that they are sent as in the measurement.
         */
        void warmUp(final int step, final long endNs) {
            final long beginNs = context.clock().nanoTime();
            final long halfNs = Math.max(0, (endNs - beginNs) / 2);
            messages =
                    context.recording()
                            .stalls()
                            .unreadMessages(settings.expectedPings(), pinger.messageKind());
            pinger.beginWarmUp(step, listener);
            pinger.pingAllSizesUntil(beginNs + halfNs);
            final long eachNs = halfNs / settings.sweep().size() / WARM_UP_PARTS;
            for (final int size : settings.sweep()) {
                pinger.resize(size);
                for (int part = 0; part < WARM_UP_PARTS; part++) {
                    pace(context.clock().nanoTime(), Long.MAX_VALUE, eachNs, eachNs, 0);
                }
                awaitOutstanding(Math.min(WARM_UP_WAIT_NS, settings.pingTimeout().toNanos()));
            }
            echoedTotal.set(0);
            sentTotal.set(0);
        }

        /**
         * Pings by count or duration; the time from the first intended send to the last actual one,
         * in ns.
         */
        long run(final int step, final int payloadBytes) {
            final long sentBefore = sentTotal.get();
            pinger.begin(step, payloadBytes, 0, listener);
            messages =
                    context.recording()
                            .stalls()
                            .messages(step, settings.expectedPings(), pinger.messageKind());
            final long startNs = context.clock().nanoTime();
            pace(
                    startNs,
                    settings.openLoopSamples(),
                    settings.openLoopNs(),
                    settings.longestOpenLoopNs(),
                    sentBefore);
            final long endNs = context.clock().nanoTime();
            achievedRatePerSecond = pacer.achievedRatePerSecond(endNs);
            awaitOutstanding(settings.pingTimeout().toNanos());
            return (pinger.sent() > 0 ? lastSentNs : endNs) - startNs;
        }

        /** Sends the pings due within the time, up to a number, and for a limited time. */
        private void pace(
                final long startNs,
                final long samples,
                final long wantedForNs,
                final long longestNs,
                final long sentBefore) {
            pacer.start(startNs);
            long preparedFor = -1;
            while (pinger.sent() < samples
                    && pacer.intendedNs() - startNs < wantedForNs
                    && !context.isStopped()) {
                if (preparedFor != pinger.sent()) {
                    // Ahead of its time, so that checksumming delays no send.
                    preparedFor = pinger.sent();
                    pinger.prepare(pacer.intendedNs());
                }
                final long nowNs = context.clock().nanoTime();
                pinger.look(nowNs);
                if (pacer.isDue(nowNs)) {
                    send(nowNs, sentBefore);
                } else if (pinger.poll() == 0) {
                    pinger.idle(pacer.intendedNs() - nowNs);
                }
                if (nowNs - startNs > longestNs) {
                    break;
                }
            }
        }

        private void send(final long nowNs, final long sentBefore) {
            final int slot = (int) (pinger.sent() & sentNsBySequence.length - 1);
            // Before the offer: on one thread an in-process echo may arrive during the offer.
            sentNsBySequence[slot] = nowNs;
            lag.set(nowNs - pacer.intendedNs());
            if (pinger.offer()) {
                lastSentNs = pinger.sentNs();
                sentNsBySequence[slot] = lastSentNs;
                pacer.sent(nowNs);
                sentTotal.set(sentBefore + pinger.sent());
            }
            pinger.poll();
        }

        private void awaitOutstanding(final long timeoutNs) {
            final long endNs = context.clock().nanoTime() + timeoutNs;
            while (!pinger.isAllAnswered()
                    && context.clock().nanoTime() - endNs < 0
                    && !context.isStopped()) {
                if (pinger.poll() == 0) {
                    pinger.idle();
                }
                pinger.look(context.clock().nanoTime());
            }
        }

        private void onEcho(final long nowNs, final long intendedNs, final int sequence) {
            response.recordDelivery(intendedNs, nowNs, 0);
            final int behind = (int) pinger.sent() - sequence;
            if (behind >= 0 && behind < sentNsBySequence.length) {
                final long sentNs = sentNsBySequence[sequence & sentNsBySequence.length - 1];
                service.record(nowNs - sentNs);
                pinger.stamp(sequence, messages);
                messages.addNumbered(sequence, intendedNs, sentNs, nowNs);
                log.log(sentNs, nowNs, nowNs - intendedNs, Pinger.TOPIC_ID, sequence);
            } else {
                sendTimesNotKept++;
                log.log(intendedNs, nowNs, nowNs - intendedNs, Pinger.TOPIC_ID, sequence);
            }
            echoedTotal.increment();
        }

        /** The achieved part of the requested rate. */
        double achievedRatePerSecond() {
            return achievedRatePerSecond;
        }

        /** The pacer's figures. */
        Pacer pacer() {
            return pacer;
        }

        /** Echoes that came in time when the ring no longer had when their ping was sent. */
        long sendTimesNotKept() {
            return sendTimesNotKept;
        }

        /** Pings whose echo did not arrive in time, counted from when they were due. */
        long timedOut() {
            return pinger.timedOut();
        }
    }

    /**
     * One ping at a time: the next is sent when the echo of the last has arrived or is given up.
     * Only the round trip is measured, and a stall holds back the pings that it should have
     * delayed.
     */
    private static final class ClosedLoop {
        /** Pings of one size in a row while warming up: few, as a foreign echo may lose some. */
        private static final int WARM_UP_PINGS = 2;

        private final Pinger pinger;
        private final LatencyPubSettings settings;
        private final RoleContext context;
        private final LatencyRecorder roundTrip;
        private final LatencyLog log;
        private final Counter sentTotal;
        private final Counter echoedTotal;

        /**
         * One object and one class for warm-up and measurement: code is compiled for those seen.
         */
        private final Pinger.EchoListener listener = this::onEcho;

        private MessageLog messages = MessageLog.off();
        private long timedOut;
        private boolean hasGivenUp;

        ClosedLoop(
                final Pinger pinger, final LatencyPubSettings settings, final RoleContext context) {
            this.pinger = pinger;
            this.settings = settings;
            this.context = context;
            roundTrip = context.recording().latency(Latencies.ROUND_TRIP_NS);
            log =
                    settings.logLatencies()
                            ? context.recording().latencyLog(Latencies.ROUND_TRIP_NS)
                            : LatencyLog.off();
            sentTotal = context.recording().counter(Counts.SENT);
            echoedTotal = context.recording().counter("echoed");
        }

        /** A step of the warm-up until the given time, with all sizes in turn. */
        void warmUp(final int step, final long endNs) {
            messages =
                    context.recording()
                            .stalls()
                            .unreadMessages(
                                    settings.expectedPings(),
                                    pinger.messageKind(),
                                    settings.closedLoopNs());
            pinger.beginWarmUp(step, listener);
            final List<Integer> sizes = settings.sweep();
            for (int turn = 0;
                    context.clock().nanoTime() - endNs < 0 && !context.isStopped();
                    turn++) {
                pinger.resize(sizes.get(turn % sizes.size()));
                ping(WARM_UP_PINGS, 0, Long.MAX_VALUE);
            }
            echoedTotal.set(0);
            sentTotal.set(0);
        }

        /**
         * Pings by count or duration, and no longer than until so many in a row timed out; the time
         * it took, in ns.
         */
        long run(final int step, final int payloadBytes, final long mostInARow) {
            final long sentBefore = sentTotal.get();
            pinger.begin(step, payloadBytes, 0, listener);
            messages =
                    context.recording()
                            .stalls()
                            .messages(
                                    step,
                                    settings.expectedPings(),
                                    pinger.messageKind(),
                                    settings.closedLoopNs());
            return ping(
                    settings.duration().isZero() ? settings.samples() : Long.MAX_VALUE,
                    sentBefore,
                    mostInARow);
        }

        /** So many pings at most, and no longer than the settings say; the time it took, in ns. */
        private long ping(final long samples, final long sentBefore, final long mostInARow) {
            final long mostTimedOut = settings.mostTimedOut();
            long inARow = 0;
            final long startNs = context.clock().nanoTime();
            final long durationNs = settings.duration().toNanos();
            final long timeoutNs = settings.pingTimeout().toNanos();
            for (long i = 0; i < samples && !context.isStopped(); i++) {
                if (pinger.pingOnce(timeoutNs)) {
                    inARow = 0;
                } else if (!context.isStopped()) {
                    timedOut++;
                    inARow++;
                }
                sentTotal.set(sentBefore + pinger.sent());
                hasGivenUp = inARow >= mostInARow || timedOut >= mostTimedOut;
                if (hasGivenUp
                        || durationNs > 0 && context.clock().nanoTime() - startNs >= durationNs) {
                    break;
                }
            }
            return context.clock().nanoTime() - startNs;
        }

        private void onEcho(final long nowNs, final long intendedNs, final int sequence) {
            // For any other echo, its ping was given up and counted as timed out.
            if (sequence == (int) (pinger.sent() - 1)) {
                roundTrip.recordDelivery(pinger.sentNs(), nowNs, 0);
                pinger.stamp(sequence, messages);
                messages.addNumbered(sequence, pinger.sentNs(), pinger.sentNs(), nowNs);
                log.log(pinger.sentNs(), nowNs, nowNs - pinger.sentNs(), Pinger.TOPIC_ID, sequence);
                echoedTotal.increment();
            }
        }

        /** Whether it no longer waited for echoes that do not come. */
        boolean hasGivenUp() {
            return hasGivenUp;
        }

        /** Pings that were given up. */
        long timedOut() {
            return timedOut;
        }
    }

    /** Creates latency publishers. */
    public static final class Factory extends RoleFactory.Declared<LatencyPubSettings> {
        static final HotThread THREAD = new HotThread("publisher");

        /**
         * Time of a round trip, only for planning: slow enough for blocking ends on a busy machine.
         */
        private static final long GUESSED_ROUND_TRIP_NS = 30_000;

        /** For the service loader. */
        public Factory() {
            super("latency-pub", "Sends pings and times their echoes.", LatencyPubSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final LatencyPubSettings settings, final int index, final int count) {
            return List.of(settings.thread().of(THREAD));
        }

        @Override
        public int engineThreads(final LatencyPubSettings settings) {
            return Transports.busyThreads(settings.uri(), ExchangeSide.BIND);
        }

        @Override
        public long usualStartNs(final LatencyPubSettings settings) {
            return Transports.usualStartNs(settings.uri());
        }

        @Override
        public long patienceNs(final LatencyPubSettings settings) {
            return Stores.patienceNs(settings.uri());
        }

        /** It waits for each missing echo, and then ends its steps. */
        @Override
        public long standstillNs(final LatencyPubSettings settings) {
            return settings.longestSilenceNs();
        }

        @Override
        public long expectedDurationNs(final LatencyPubSettings settings) {
            final double eachNs;
            if (!settings.duration().isZero()) {
                eachNs = settings.duration().toNanos();
            } else if (settings.isOpenLoop()) {
                eachNs = settings.samples() / settings.pace().meanRatePerSecond() * 1e9;
            } else {
                eachNs = (double) settings.samples() * GUESSED_ROUND_TRIP_NS;
            }
            return (long) (settings.warmUp().toNanos() + settings.sweep().size() * eachNs);
        }

        @Override
        public void checkGiven(
                final Map<String, Object> values,
                final Set<String> later,
                final UnaryOperator<String> naming) {
            PaceSettings.check(values, later, naming);
        }

        @Override
        public void check(final LatencyPubSettings settings) {
            Topic.of(List.of(settings.topic()));
            final ChannelUri channel = settings.uri();
            checkAgainst(new Transports().of(channel).traits(channel), settings);
            Stores.check(channel, false);
        }

        @Override
        public void checkHere(final LatencyPubSettings settings) {
            Transports.requireHere(settings.uri(), ExchangeSide.BIND);
        }

        @Override
        public String channel(final LatencyPubSettings settings) {
            return settings.uri().toString();
        }

        /** An external echo service is not a role of the plan. */
        @Override
        public void checkCompany(
                final LatencyPubSettings settings,
                final Map<String, Integer> counts,
                final UnaryOperator<String> naming) {
            if (settings.echo() != EchoKind.EXTERNAL) {
                ParticipantCheck.needSubscribers(
                        name(), "latency-sub", settings.subscribers(), counts, naming);
            }
        }

        @Override
        public boolean staysOnOneHost(final LatencyPubSettings settings) {
            return Transports.stayOnOneHost(ChannelUri.parse(channel(settings)));
        }

        @Override
        public Role create(final LatencyPubSettings settings, final RoleContext context) {
            return new LatencyPublisher(settings, context);
        }
    }
}
