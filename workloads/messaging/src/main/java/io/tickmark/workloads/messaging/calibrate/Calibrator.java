package io.tickmark.workloads.messaging.calibrate;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.NoiseFloor;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.Percentiles;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.nulls.NullExchange;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.StepReceiver.IncomingStep;
import io.tickmark.workloads.messaging.stream.SingleThreadStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/** Runs all scenarios on the real clock and compares programmed with measured values. */
public final class Calibrator implements Role {
    /** Passes of the first scenario before the measurement, so that the code is compiled. */
    static final int WARM_UPS = 2;

    /** How long the noise floor is watched before and after each scenario. */
    static final long NOISE_NS = 200_000_000;

    private static final double[] PERCENTILES = {50, 90, 99};

    private final CalibrateSettings settings;
    private final RoleContext context;
    private final Calibration calibration;
    private final Map<String, Object> metrics = new LinkedHashMap<>();
    private final List<String> tooNoisy = new ArrayList<>();
    private long noiseNs;
    private long longestGapNs;
    private boolean areCountsWrong;

    Calibrator(final CalibrateSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        calibration =
                new Calibration(
                        context, new NullTransport(context.clock()), dueNs -> Thread.onSpinWait());
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        // Both ends are in this role.
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.pin(Factory.THREAD);
        for (int i = 0; i < WARM_UPS && !context.isStopped(); i++) {
            calibration.measure(0, Scenario.ALL.getFirst());
        }
        final StallWatch watch =
                context.recording()
                        .stalls()
                        .watch(Factory.THREAD.name(), StallWatch.Part.SEND_AND_RECEIVE, "");
        watch.begin();
        calibration.watch(watch);
        final List<StepResult> steps = new ArrayList<>();
        for (final Scenario scenario : Scenario.ALL) {
            if (!context.isStopped()) {
                steps.add(step(steps.size(), scenario));
            }
        }
        watch.end();
        return new RoleResult(steps, metrics, List.of(), noisy());
    }

    /**
     * The table has the figures; this says which of them are meaningless. Noise changes no count: a
     * wrong count is a failure on any machine.
     */
    private String noisy() {
        return tooNoisy.isEmpty() || areCountsWrong
                ? ""
                : "Too noisy to tell: "
                        + String.join(", ", tooNoisy)
                        + " differ by less than the machine stalled ("
                        + longestGapNs / 1_000
                        + " us at most); calibrate on a quiet one.";
    }

    private StepResult step(final int number, final Scenario scenario) {
        noiseNs = watchNoise();
        final Calibration.Measured measured = calibration.measure(number, scenario);
        noiseNs = Math.max(noiseNs, watchNoise());
        final List<String> reasons = new ArrayList<>();
        final Map<String, Long> counts = new LinkedHashMap<>(measured.counts());
        counts.put(Counts.SENT, measured.sent());
        counts.putAll(measured.recorded().counts());
        compareCounts(scenario, measured.counts(), reasons);
        areCountsWrong |= !reasons.isEmpty();
        compareTimes(scenario, measured.recorded().latencies().get(Latencies.RESPONSE_NS), reasons);
        return new StepResult(
                number,
                scenario.name(),
                Calibration.PAYLOAD_BYTES,
                counts,
                measured.durationNs(),
                scenario.ratePerSecond(),
                measured.achievedRatePerSecond(),
                measured.recorded().latencies(),
                reasons);
    }

    private void compareCounts(
            final Scenario scenario, final Map<String, Long> measured, final List<String> reasons) {
        scenario.programmedCounts()
                .forEach((name, programmed) -> {
                    put(scenario, name, "", programmed, measured.get(name));
                    if (!programmed.equals(measured.get(name))) {
                        reasons.add(
                                scenario.name()
                                        + ": "
                                        + name
                                        + " was programmed as "
                                        + programmed
                                        + ", measured "
                                        + measured.get(name)
                                        + ".");
                    }
                });
    }

    /** Only percentiles for which enough was programmed. */
    private void compareTimes(
            final Scenario scenario, final Histogram measured, final List<String> reasons) {
        for (final double percentile : PERCENTILES) {
            final String figure = "p" + (int) percentile;
            final OptionalLong programmedNs =
                    Percentiles.of(scenario.programmedResponse(), percentile);
            final OptionalLong measuredNs =
                    measured == null ? OptionalLong.empty() : Percentiles.of(measured, percentile);
            if (programmedNs.isPresent() && measuredNs.isPresent()) {
                compareTime(
                        scenario,
                        figure,
                        programmedNs.getAsLong(),
                        measuredNs.getAsLong(),
                        reasons);
            } else if (programmedNs.isPresent()) {
                reasons.add(
                        "%s: response %s was programmed as %d ns, and too few messages were measured for it."
                                .formatted(scenario.name(), figure, programmedNs.getAsLong()));
            }
        }
    }

    private void compareTime(
            final Scenario scenario,
            final String figure,
            final long programmedNs,
            final long measuredNs,
            final List<String> reasons) {
        put(scenario, figure, "Ns", programmedNs, measuredNs);
        final double allowedNs =
                Math.max(settings.toleranceNs(), programmedNs * settings.tolerancePercent() / 100);
        final long offNs = Math.abs(measuredNs - programmedNs);
        if (offNs <= allowedNs) {
            return;
        }
        final String sentence =
                "%s: response %s was programmed as %d ns, measured %d ns: off by %d ns, where %d ns are allowed."
                        .formatted(
                                scenario.name(),
                                figure,
                                programmedNs,
                                measuredNs,
                                offNs,
                                Math.round(allowedNs));
        if (offNs <= noiseNs) {
            tooNoisy.add(scenario.name() + " " + figure);
            longestGapNs = Math.max(longestGapNs, noiseNs);
        } else {
            reasons.add(sentence);
        }
    }

    /** The longest gap of the noise floor right now. */
    private long watchNoise() {
        return new NoiseFloor(context.clock()).measure(Affinity.currentCores(), NOISE_NS).maxNs();
    }

    private void put(
            final Scenario scenario,
            final String figure,
            final String unit,
            final long programmed,
            final long measured) {
        metrics.put(scenario.name() + "." + figure + ".programmed" + unit, programmed);
        metrics.put(scenario.name() + "." + figure + ".measured" + unit, measured);
    }

    @Override
    public void close() {
        // Each scenario closes what it opened.
    }

    /**
     * Runs a scenario through the sending loop and the receiving code of the stream test, both on
     * one thread, so that everything can run on a virtual clock.
     */
    static final class Calibration {
        static final int PAYLOAD_BYTES = 64;

        private final RoleContext context;
        private final NullTransport transport;
        private final LongConsumer whenIdle;
        private StallWatch watch = StallWatch.off();

        /**
         * A calibration.
         *
         * @param context whose clock is used
         * @param transport on the same clock
         * @param whenIdle called with the time at which the next work is due; moves a virtual clock
         *     there
         */
        Calibration(
                final RoleContext context,
                final NullTransport transport,
                final LongConsumer whenIdle) {
            this.context = context;
            this.transport = transport;
            this.whenIdle = whenIdle;
        }

        /**
         * Measurements of a scenario.
         *
         * @param counts by name
         * @param recorded latencies
         * @param sent messages
         * @param durationNs first to last send
         * @param achievedRatePerSecond of the sent messages
         */
        record Measured(
                Map<String, Long> counts,
                StepRecording recorded,
                long sent,
                long durationNs,
                double achievedRatePerSecond) {}

        /** Notes from now on what delays messages; {@code newWatch} has begun. */
        void watch(final StallWatch newWatch) {
            watch = newWatch;
        }

        Measured measure(final int step, final Scenario scenario) {
            try (NullExchange sending =
                            transport.exchange(
                                    scenario.channel(), Topic.DEFAULT, ExchangeSide.BIND, 0);
                    NullExchange receiving =
                            transport.exchange(
                                    sending.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
                context.recording().beginStep(step, scenario.name());
                final SingleThreadStream oneWay =
                        new SingleThreadStream(sending, receiving, context, PAYLOAD_BYTES);
                if (watch != StallWatch.off()) {
                    oneWay.note(
                            watch,
                            context.recording().stalls().messages(step, scenario.messages()));
                }
                final long startNs = context.clock().nanoTime();
                oneWay.start(
                        step,
                        Schedules.fixedRate(scenario.ratePerSecond()),
                        startNs,
                        scenario.messages());
                while (!context.isStopped()) {
                    if (oneWay.doWork() == 0) {
                        final long releaseNs =
                                Math.min(sending.nextReleaseNs(), receiving.nextReleaseNs());
                        if (oneWay.isAllSent() && releaseNs == NullExchange.NEVER) {
                            break;
                        }
                        whenIdle.accept(Math.min(oneWay.nextSendNs(), releaseNs));
                    }
                }
                final IncomingStep incoming = oneWay.incoming();
                return new Measured(
                        incoming.counts(),
                        context.recording().endStep(),
                        oneWay.sent(),
                        oneWay.lastSentNs() - startNs,
                        oneWay.achievedRatePerSecond());
            }
        }
    }

    /** Creates calibrations of the bench. */
    public static final class Factory extends RoleFactory.Declared<CalibrateSettings> {
        private static final String CHANNEL = "null:";

        static final HotThread THREAD = new HotThread("calibrate");

        /** For the service loader. */
        public Factory() {
            super(
                    "calibrate",
                    "Measures programmed delays and faults of a null channel, to see how accurate the bench is.",
                    CalibrateSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final CalibrateSettings settings, final int index, final int count) {
            return List.of(THREAD);
        }

        @Override
        public long expectedDurationNs(final CalibrateSettings settings) {
            return Scenario.ALL.size() * 2 * Calibrator.NOISE_NS
                    + Calibrator.WARM_UPS * Scenario.ALL.getFirst().durationNs()
                    + Scenario.ALL.stream().mapToLong(Scenario::durationNs).sum();
        }

        /** Its channels are the scenarios' own: another channel would pass without being used. */
        @Override
        public void check(final CalibrateSettings settings) {
            if (!settings.channel().equals(CHANNEL)) {
                throw UserError.usage(
                        "--channel %s: a calibration measures the delays and faults that it programs itself, on %s alone."
                                .formatted(settings.channel(), CHANNEL));
            }
        }

        @Override
        public Role create(final CalibrateSettings settings, final RoleContext context) {
            return new Calibrator(settings, context);
        }
    }

    /**
     * Settings of the calibration.
     *
     * @param channel always {@code null:}; its parameters belong to the scenarios
     * @param tolerancePercent largest deviation of a measured time from the programmed one, in per
     *     cent
     * @param toleranceNs the same in ns; the larger one applies
     */
    public record CalibrateSettings(
            @Setting(
                            help = "Always null:, whose faults are programmed by the scenarios.",
                            byDefault = "null:",
                            label = "URI")
                    String channel,
            @Setting(
                            help = "How far a measured time may be from the programmed one.",
                            byDefault = "1",
                            unit = Setting.PERCENT,
                            min = 0,
                            max = 100)
                    double tolerancePercent,
            @Setting(
                            help = "The same as a time; the larger of the two applies.",
                            byDefault = "1000",
                            unit = "ns",
                            min = 0,
                            max = 6e10)
                    long toleranceNs) {}
}
