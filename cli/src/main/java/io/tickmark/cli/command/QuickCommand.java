package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.host.HostCheck;
import io.tickmark.kernel.host.HostCheck.Severity;
import io.tickmark.kernel.host.HostChecks;
import io.tickmark.kernel.host.SettingCosts;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.compare.Resolution;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code quick}: a machine's floor in a minute, and its resolution. */
final class QuickCommand implements Command {
    private static final String PLAN = "quick";

    /** Of which some are tried: every second one is a factor of five, between two others 2.2. */
    private static final List<Integer> RATES_PER_SECOND =
            List.of(
                    8, 18, 40, 90, 200, 450, 1_000, 2_200, 5_000, 11_000, 25_000, 56_000, 125_000,
                    280_000, 625_000);

    private static final int FIRST_RATE = 1_000;

    /** Up to the highest rate that is held and the one between it and the next, or repeated. */
    private static final int MOST_TRIALS = 6;

    /** Of a minute, what starting, the settings' costs and the report leave. */
    static final Duration TIME = Duration.ofSeconds(52);

    private static final String TARGET = "--target";
    private static final String AT = "at-";

    /** A message that waits longer to be sent than its service takes is in a queue. */
    private static final double KNEE = 2;

    /** Of the time between two messages; less is a sender that a busy machine woke late. */
    private static final double LATE = 0.1;

    /** Of the messages sent, where a rate is held. */
    private static final double HELD = 0.99;

    private static final Duration PING_TIMEOUT = Duration.ofSeconds(1);

    /** A ping that was sent so late that the service had less than half of its time-out left. */
    private static final long LATEST_NS = PING_TIMEOUT.toNanos() / 2;

    /** The sender never had time to wait for at least this part of the messages. */
    private static final double TIGHT = 0.5;

    /**
     * Missing echoes are longer than all others: more than these, and a percentile is not known.
     */
    private static final double MOST_MISSING_AT_P999 = 0.001;

    private static final double MOST_MISSING_AT_P99 = 0.01;
    private static final double MOST_MISSING_AT_P50 = 0.5;

    private static final int MOST_TIMES = 10;

    /** Work of a message, to which what a setting takes is added, ns. */
    private static final double WORK_NS = 10_000;

    private static final double PERCENT = 100;
    private static final String COSTS =
            "Cost of each machine setting to a %s message, largest first"
                    .formatted(Figures.ASCII.time((long) WORK_NS));

    QuickCommand() {}

    /** Who is behind a rate that was not held. */
    private enum Side {
        SERVICE,
        SENDER,
        NOT_KNOWN
    }

    private record Strain(Side side, String why) {}

    /**
     * A step of a channel that was measured.
     *
     * @param leftOut repeats that say nothing of the service, or were void, and are not in the row
     */
    private record Place(Block block, MergedRow row, int leftOut) {
        String channel() {
            return Printable.of(block.channel());
        }

        int trials() {
            return block.repeats();
        }

        OptionalLong latency(final Function<LatencySummary, OptionalLong> figure) {
            return row.headline().flatMap(row::latency).map(figure).orElse(OptionalLong.empty());
        }

        OptionalLong median(final String name) {
            return row.latency(name).map(LatencySummary::p50).orElse(OptionalLong.empty());
        }

        double echoedPart() {
            return echoedPart(0);
        }

        private double echoedPart(final long taken) {
            final long sent = sent();
            final long missing = Math.max(0, row.sum(TrialResult::notEchoed) - taken);
            return sent == 0 ? 0 : (double) (sent - missing) / sent;
        }

        double missingPart() {
            return 1 - echoedPart();
        }

        long sent() {
            return row.sum(TrialResult::sent);
        }

        OptionalDouble resolution(final Function<LatencySummary, OptionalLong> figure) {
            return row.headline()
                    .map(name -> Resolution.of(row.repeats(), name, figure))
                    .orElse(OptionalDouble.empty());
        }

        private static long count(final TrialResult trial, final String name) {
            return trial.counts().getOrDefault(name, 0L);
        }

        long latestNs() {
            return row.max(trial -> count(trial, Counts.MAX_LAG_NS));
        }

        /** Echoes that came back and were dropped before this process took them. */
        long droppedHere() {
            return row.sum(trial ->
                    trial.roles().stream()
                            .map(role -> role.metrics().get("socketDrops"))
                            .filter(Number.class::isInstance)
                            .mapToLong(drops -> ((Number) drops).longValue())
                            .sum());
        }

        /** The service had the time for all echoes, and did not send so many. */
        boolean isMissedByService() {
            return sent() > 0 && latestNs() < LATEST_NS && echoedPart(droppedHere()) < HELD;
        }

        /** One message at the end that is late is no rate. */
        boolean isSentShort() {
            final double wanted = row.median(TrialResult::offeredRatePerSecond);
            final double achieved = row.median(TrialResult::achievedRatePerSecond);
            final double missing =
                    achieved > 0 ? sent() * (wanted / achieved - 1) : Double.MAX_VALUE;
            return achieved < HELD * wanted && missing > row.repeats().size();
        }

        boolean isOfAWaitingQueue() {
            final OptionalLong response = median(Latencies.RESPONSE_NS);
            final OptionalLong service = median(Latencies.SERVICE_NS);
            return response.isPresent()
                    && service.isPresent()
                    && response.getAsLong() > KNEE * service.getAsLong()
                    && response.getAsLong() - service.getAsLong()
                            > LATE * TimeUnit.SECONDS.toNanos(1) / rate(this);
        }

        /** Datagrams go out however slow the service is; a stream's other end can refuse them. */
        boolean isPushedBack() {
            return !block.channel().toLowerCase(Locale.ROOT).startsWith("udp:")
                    && row.sum(trial -> count(trial, Counts.BACK_PRESSURED)) > 0;
        }

        /** It had no time to wait for the schedule: there was nothing but sending. */
        boolean isAllItCanSend() {
            return row.max(TrialResult::maxTightSends) * row.repeats().size() >= TIGHT * sent();
        }

        boolean isPerhapsTaken() {
            return row.labels().contains(Labels.PERHAPS_TAKEN);
        }
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Measures in about a minute what this machine can resolve: round trips at a rate through shared"
                                + " memory, sockets and one engine, how much of their tail is due to the machine, how small a"
                                + " change such a minute would show, and which settings of the machine matter most. The plan"
                                + " is 'quick'. With --target it measures an echo service of yours at rates up to its knee,"
                                + " response beside service time.");
        spec.addOption(
                OptionSpec.builder(TARGET)
                        .paramLabel("URI")
                        .type(String.class)
                        .description(
                                "Echo service that sends back what it gets (RFC 862): udp://HOST:PORT, tcp://HOST:PORT or"
                                        + " ws://HOST:PORT/PATH (WebSocket).")
                        .build());
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark quick";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final MeasureOptions options = MeasureOptions.of(arguments);
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        final Measurement measurement = new Measurement(terminal, options);
        if (!arguments.hasMatchedOption(TARGET)) {
            final Plan plan = options.applyTo(library.find(PLAN), arguments);
            return (options.repeats() > 0
                            ? measurement // as long as that takes
                            : measurement.runBy(control -> control.runWithin(TIME)))
                    .withAnswer(run -> machine(run, plan))
                    .run(plan);
        }
        final String target = arguments.matchedOptionValue(TARGET, "");
        EchoTarget.check(target, options.elsewhere().isEmpty());
        return measurement
                .runBy(control -> control.runChosen(QuickCommand::next, MOST_TRIALS, TIME))
                .withAnswer(run -> target(run, target))
                .run(options.applyTo(echoing(target), arguments));
    }

    /**
     * All rates that may be tried. One that is not held, and pings without an echo, are the
     * expected end, not a failure.
     */
    static Plan echoing(final String target) {
        Plan plan =
                Plan.named("quick-target")
                        .describedAs(
                                "The echo service "
                                        + target
                                        + ", at some of these rates: up to its knee.")
                        .withNoise(Duration.ofMillis(250));
        for (final int rate : RATES_PER_SECOND) {
            plan =
                    plan.with(
                            TestPlan.builder(test(rate), "latency")
                                    .channel(target)
                                    .setting("echo", "external")
                                    .setting("sizes", "64")
                                    .setting("rate", rate)
                                    .setting("duration", "3s")
                                    .setting("warmUp", "500ms")
                                    .setting("pingTimeout", PING_TIMEOUT.toMillis() + "ms")
                                    .criteria(Criteria.DEFAULT.withAnyLoad())
                                    .role(RolePlan.of("latency-pub", Map.of()))
                                    .build());
        }
        return plan;
    }

    private static String test(final int ratePerSecond) {
        return AT + ratePerSecond;
    }

    /**
     * The next rate: five times the highest that is held, a fifth of the lowest that is not, then
     * the one between the two. One that says nothing of the service is repeated once.
     *
     * @return its test; empty where the knee is known as well as it can be here, or a rate could
     *     not be measured in two trials
     */
    static Optional<String> next(final List<TrialResult> rows) {
        if (rows.isEmpty()) {
            return Optional.of(test(FIRST_RATE));
        }
        final List<Place> rates = rates(rows);
        if (rates.stream().anyMatch(place -> place.row().isVoid() && place.trials() > 1)) {
            return Optional.empty();
        }
        final Knee knee = Knee.of(rates);
        final Optional<Place> again =
                knee.beyond()
                        .filter(place -> strain(place).orElseThrow().side() == Side.NOT_KNOWN)
                        .filter(place -> place.trials() < 2);
        if (again.isPresent()) {
            return Optional.of(again.get().block().test());
        }
        final int last = RATES_PER_SECOND.size() - 1;
        final int beyond = knee.beyond().map(QuickCommand::position).orElse(last + 1);
        final int held = knee.held().map(QuickCommand::position).orElse(-1);
        final int next = beyond > last ? held + 2 : held < 0 ? beyond - 2 : (held + beyond) / 2;
        return next >= 0 && next <= last && next != held
                ? Optional.of(test(RATES_PER_SECOND.get(next)))
                : Optional.empty();
    }

    /**
     * Between which rates the knee is.
     *
     * @param held the highest rate that is held below those that are known not to be
     * @param beyond the lowest rate above it, which is not held, or of which that is not known
     */
    private record Knee(Optional<Place> held, Optional<Place> beyond) {
        static Knee of(final List<Place> rates) {
            final double strained =
                    rates.stream()
                            .filter(place ->
                                    strain(place)
                                            .filter(strain -> strain.side() != Side.NOT_KNOWN)
                                            .isPresent())
                            .mapToDouble(QuickCommand::rate)
                            .min()
                            .orElse(Double.MAX_VALUE);
            final Optional<Place> held =
                    rates.stream()
                            .filter(place -> strain(place).isEmpty() && rate(place) < strained)
                            .max(Comparator.comparingDouble(QuickCommand::rate));
            final double above = held.map(QuickCommand::rate).orElse(0.0);
            return new Knee(
                    held,
                    rates.stream()
                            .filter(place -> strain(place).isPresent() && rate(place) > above)
                            .min(Comparator.comparingDouble(QuickCommand::rate)));
        }
    }

    /** Repeats that say nothing of the service are left out where there are others. */
    private static List<Place> rates(final List<TrialResult> rows) {
        return Block.of(rows).stream()
                .flatMap(block -> block.rows().stream().map(row -> telling(block, row)))
                .toList();
    }

    private static Place telling(final Block block, final MergedRow row) {
        final List<TrialResult> telling =
                row.repeats().stream().filter(each -> isTelling(block, each)).toList();
        return telling.isEmpty()
                ? new Place(block, row, 0)
                : new Place(
                        block,
                        new MergedRow(telling, row.voids()),
                        row.repeats().size() + row.voids() - telling.size());
    }

    private static boolean isTelling(final Block block, final TrialResult row) {
        return strain(new Place(block, new MergedRow(List.of(row), 0), 0))
                .filter(strain -> strain.side() == Side.NOT_KNOWN)
                .isEmpty();
    }

    private static int position(final Place place) {
        return RATES_PER_SECOND.indexOf((int) Math.round(rate(place)));
    }

    private static List<Place> places(final List<TrialResult> rows) {
        final List<Place> places = new ArrayList<>();
        for (final Block block : Block.of(rows)) {
            block.rows().stream()
                    .filter(row -> !row.isVoid())
                    .forEach(row -> places.add(new Place(block, row, 0)));
        }
        return places;
    }

    /** Service and response time at each rate, and where they diverge. */
    static Optional<Answer> target(final RunResult run, final String target) {
        final List<Place> rates = rates(run.trials());
        if (rates.isEmpty()) {
            return Optional.empty();
        }
        final List<String> sentences = new ArrayList<>();
        for (final Place place : rates) {
            sentences.add(
                    offered(place)
                            + ": "
                            + (place.row().isVoid() ? whyVoid(place) + "." : times(place))
                            + leftOut(place));
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("channel", target);
        final Knee knee = Knee.of(rates);
        knee.held().ifPresent(place -> figures.put("heldRatePerSecond", rate(place)));
        knee.beyond()
                .filter(place -> strain(place).orElseThrow().side() == Side.SERVICE)
                .ifPresent(place -> {
                    figures.put("kneeRatePerSecond", rate(place));
                    figures.put("kneeEchoedPart", place.echoedPart());
                });
        return Optional.of(
                new Answer(
                        headline(Printable.of(target), knee),
                        figures,
                        List.of(
                                new Answer.Note(
                                        "Response time (from when a message was intended) beside service time (from when it"
                                                + " was sent)",
                                        sentences))));
    }

    private static String headline(final String target, final Knee knee) {
        final String holds =
                knee.held().map(place -> target + " holds " + offered(place)).orElse("");
        if (knee.beyond().isEmpty()) {
            return holds + ", the highest rate tried.";
        }
        final Place beyond = knee.beyond().get();
        final Strain strain = strain(beyond).orElseThrow();
        final String rate = offered(beyond);
        if (strain.side() == Side.SERVICE) {
            return (holds.isEmpty() ? target + " does not hold " : holds + ", not ")
                    + "%s (%s).".formatted(rate, strain.why());
        }
        if (strain.side() == Side.SENDER && !holds.isEmpty()) {
            return "%s; this machine cannot send any faster (at %s, %s)."
                    .formatted(holds, rate, strain.why());
        }
        final String why =
                strain.side() == Side.SENDER
                        ? "this machine cannot send any faster (%s)".formatted(strain.why())
                        : strain.why();
        return (holds.isEmpty()
                        ? "It is not known whether " + target
                        : holds + "; it is not known whether it")
                + " holds %s: %s.".formatted(rate, why);
    }

    private static String leftOut(final Place place) {
        return place.leftOut() == 0
                ? ""
                : " Left out: %s, which says nothing of the service."
                        .formatted(Plural.of(place.leftOut(), "repeat"));
    }

    /**
     * Why a rate is not held, and on which side; empty where it is. What this machine sent late
     * says nothing of the service, unless the service's own figures do: time-outs count from the
     * intended time, and nothing that a service does keeps datagrams from being sent.
     */
    private static Optional<Strain> strain(final Place place) {
        if (place.row().isVoid()) {
            return Optional.of(new Strain(Side.NOT_KNOWN, whyVoid(place)));
        }
        final boolean isEchoed = place.echoedPart() >= HELD;
        final Strain missed = new Strain(Side.SERVICE, percent(place.echoedPart()) + " echoed");
        if (!isEchoed && place.isMissedByService()) {
            return Optional.of(missed);
        }
        if (place.isSentShort()) {
            return Optional.of(
                    queue(
                            place,
                            "only "
                                    + Figures.ASCII.rate(
                                            place.row().median(TrialResult::achievedRatePerSecond))
                                    + " sent"));
        }
        if (!isEchoed) {
            return Optional.of(
                    place.isPushedBack() && !place.isPerhapsTaken() ? missed : notKnown(place));
        }
        return place.isOfAWaitingQueue()
                ? Optional.of(queue(place, "messages wait longer in the queue than they travel"))
                : Optional.empty();
    }

    /** Whose queue it is in which messages wait to be sent. */
    private static Strain queue(final Place place, final String why) {
        if (place.isPerhapsTaken() || !place.isPushedBack() && !place.isAllItCanSend()) {
            return notKnown(place);
        }
        return new Strain(place.isPushedBack() ? Side.SERVICE : Side.SENDER, why);
    }

    /** What is void was not measured, and is no rate that is not held. */
    private static String whyVoid(final Place place) {
        return "it could not be measured"
                + place.row().any().reasons().stream()
                        .findFirst()
                        .map(reason ->
                                " (%s)".formatted(Printable.of(reason).replaceFirst("[.]$", "")))
                        .orElse("");
    }

    private static Strain notKnown(final Place place) {
        return new Strain(
                Side.NOT_KNOWN,
                place.echoedPart() < HELD
                                && !place.isSentShort()
                                && place.latestNs() < LATEST_NS
                                && place.droppedHere() > 0
                        ? "this machine dropped echoes"
                        : "this machine sent late"
                                + (place.latestNs() == 0
                                        ? ""
                                        : ", by up to " + Figures.ASCII.time(place.latestNs())));
    }

    private static String times(final Place place) {
        final Optional<LatencySummary> response = place.row().latency(Latencies.RESPONSE_NS);
        final Optional<LatencySummary> service = place.row().latency(Latencies.SERVICE_NS);
        return response.isPresent() && service.isPresent()
                ? "response time %s; service time %s."
                        .formatted(figures(response.get()), figures(service.get()))
                : "nothing came back.";
    }

    /** By its name, as a row of which nothing was measured has no rate. */
    private static double rate(final Place place) {
        return Double.parseDouble(place.block().test().substring(AT.length()));
    }

    private static String offered(final Place place) {
        return Figures.ASCII.rate(rate(place));
    }

    private static String figures(final LatencySummary latency) {
        return "50 %% %s, 99 %% %s, longest %s"
                .formatted(
                        time(latency.p50()),
                        time(latency.p99()),
                        Figures.ASCII.time(latency.max()));
    }

    private static String time(final OptionalLong ns) {
        return ns.isPresent() ? Figures.ASCII.time(ns.getAsLong()) : "n/a";
    }

    private static Optional<Answer> machine(final RunResult run, final Plan plan) {
        final List<Place> places = places(run.trials());
        if (places.isEmpty()) {
            return Optional.empty();
        }
        final Map<String, Map<String, Object>> environment =
                Environment.describe(Path.of("."), Map.of());
        return Optional.of(
                machine(
                        run,
                        SettingCosts.measure(SystemNanoClock.INSTANCE),
                        environment,
                        HostChecks.all(environment),
                        run.verdict() == Verdict.VOID
                                ? 0
                                : plan.tests().stream()
                                                .mapToInt(test ->
                                                        test.repeats() * test.channels().size())
                                                .sum()
                                        - run.trials().size()));
    }

    /**
     * What a run of the plan shows of the machine, whose settings and their costs are given.
     *
     * @param leftOut repeats for which there was no time
     */
    static Answer machine(
            final RunResult run,
            final SettingCosts costs,
            final Map<String, Map<String, Object>> environment,
            final List<HostCheck> checks,
            final int leftOut) {
        final List<Place> places = places(run.trials());
        final Map<String, Object> figures = new LinkedHashMap<>();
        final List<String> headline = new ArrayList<>();
        final List<String> sentences = new ArrayList<>();
        floor(places, figures, headline, sentences);
        resolution(places, figures, headline, sentences);
        if (leftOut > 0) {
            sentences.add(
                    "%s left out to end within a minute: this machine is slow, or busy."
                            .formatted(
                                    leftOut == 1 ? "One repeat was" : leftOut + " repeats were"));
        }
        sentences.add(settings(checks));
        figures(costs, figures);
        return new Answer(
                "This machine: " + String.join("; ", headline) + ".",
                figures,
                List.of(
                        new Answer.Note("This machine", sentences),
                        new Answer.Note(COSTS, costs(costs, environment))));
    }

    /** The fastest of the channels adds the least itself. */
    private static void floor(
            final List<Place> places,
            final Map<String, Object> figures,
            final List<String> headline,
            final List<String> sentences) {
        final Optional<Place> shortest =
                places.stream()
                        .filter(place -> place.latency(LatencySummary::p999).isPresent())
                        .filter(place -> place.missingPart() <= MOST_MISSING_AT_P999)
                        .min(
                                Comparator.comparingLong(
                                        place -> place.latency(LatencySummary::p999).getAsLong()));
        final List<String> incomplete =
                places.stream()
                        .filter(place -> place.latency(LatencySummary::p999).isPresent())
                        .filter(place -> place.missingPart() > MOST_MISSING_AT_P999)
                        .map(place ->
                                "%s %s".formatted(place.channel(), percent(place.missingPart())))
                        .toList();
        if (!incomplete.isEmpty()) {
            sentences.add(
                    "Too few echoes for the 99.9th percentile: %s."
                            .formatted(String.join(", ", incomplete)));
        }
        if (shortest.isEmpty()) {
            headline.add("too busy for a 99.9th percentile");
            sentences.add(
                    "No channel answered often enough for a 99.9th percentile: stop what else runs here, and try again.");
            return;
        }
        final Place place = shortest.get();
        final long ns = place.latency(LatencySummary::p999).getAsLong();
        figures.put("goodToNs", ns);
        figures.put("goodToOn", place.channel());
        headline.add("good to " + Figures.ASCII.time(ns) + " at 99.9 %");
        sentences.add(
                "Anything shorter than %s cannot be told from the machine's own stalls (%s has the shortest tail)."
                        .formatted(Figures.ASCII.time(ns), place.channel()));
    }

    /** Of two runs like this one. */
    private static void resolution(
            final List<Place> places,
            final Map<String, Object> figures,
            final List<String> headline,
            final List<String> sentences) {
        final Optional<Place> median = finest(places, LatencySummary::p50, MOST_MISSING_AT_P50);
        final Optional<Place> tail = finest(places, LatencySummary::p99, MOST_MISSING_AT_P99);
        final List<String> seen = new ArrayList<>();
        if (median.isEmpty()) {
            final boolean isOne =
                    places.stream().allMatch(place -> place.row().repeats().size() < 2);
            headline.add(
                    "detectable changes unknown (%s)"
                            .formatted(isOne ? "one repeat" : "too few echoes"));
            sentences.add(
                    ("%s cannot show which changes are detectable: it takes two repeats with figures on one"
                                    + " channel ('--repeats 3' runs long enough).")
                            .formatted(isOne ? "One repeat" : "Repeats with too few echoes"));
        }
        median.ifPresent(place -> {
            final double part = place.resolution(LatencySummary::p50).getAsDouble();
            figures.put("medianChangeSeenPart", part);
            figures.put("medianChangeSeenOn", place.channel());
            headline.add("changes of the median below " + change(part) + " cannot be seen");
            seen.add("a change of the median by %s on %s".formatted(change(part), place.channel()));
        });
        tail.ifPresent(place -> {
            final double part = place.resolution(LatencySummary::p99).getAsDouble();
            figures.put("p99ChangeSeenPart", part);
            figures.put("p99ChangeSeenOn", place.channel());
            seen.add(
                    "one of the 99th percentile by %s on %s"
                            .formatted(change(part), place.channel()));
        });
        if (!seen.isEmpty()) {
            sentences.add(
                    "Two runs like this one show at best "
                            + String.join(", and ", seen)
                            + "; more repeats show smaller ones.");
        }
    }

    private static Optional<Place> finest(
            final List<Place> places,
            final Function<LatencySummary, OptionalLong> figure,
            final double mostMissing) {
        return places.stream()
                .filter(place -> place.missingPart() <= mostMissing)
                .filter(place -> place.resolution(figure).isPresent())
                .min(Comparator.comparingDouble(place -> place.resolution(figure).getAsDouble()));
    }

    /** In percent up to a doubling, above as a factor. */
    static String change(final double part) {
        return part < 1
                ? percent(part)
                : part < MOST_TIMES - 1
                        ? "a factor of " + Figures.digits(1 + part)
                        : "a factor of more than " + MOST_TIMES;
    }

    private static String percent(final double part) {
        return Figures.digits(PERCENT * part) + " %";
    }

    /** Findings that are likely to show. */
    private static String settings(final List<HostCheck> checks) {
        final List<String> subjects =
                checks.stream()
                        .filter(check -> check.severity() == Severity.WARNING)
                        .map(check -> Printable.of(check.subject()))
                        .distinct()
                        .toList();
        return subjects.isEmpty()
                ? "None of its settings is likely to show in the figures; './tickmark doctor --all' lists them."
                : "Likely to show in its figures: %s; './tickmark doctor' says why, and what to do."
                        .formatted(String.join(", ", subjects));
    }

    private static void figures(final SettingCosts costs, final Map<String, Object> figures) {
        figures.put("clockReadNs", costs.clockReadNs());
        figures.put("wokenLateNs", costs.wokenLateNs());
        costs.awakeLateNs().ifPresent(ns -> figures.put("awakeWokenLateNs", ns));
        figures.put("coldCoreSpeedPart", costs.coldSpeedPart());
        costs.performanceSpeedPart()
                .ifPresent(part -> figures.put("performanceColdCoreSpeedPart", part));
        costs.sharedSpeedPart().ifPresent(part -> figures.put("busySiblingSpeedPart", part));
        figures.put("interruptionsPerSecond", costs.interruptions().perSecond());
        figures.put("interruptedPart", costs.interruptions().part());
        costs.moved()
                .left()
                .ifPresent(left -> {
                    figures.put("movedInterrupts", costs.moved().moved());
                    figures.put("leftInterruptionsPerSecond", left.perSecond());
                    figures.put("leftInterruptedPart", left.part());
                });
    }

    /** What a setting adds to a message that meets it, and the sentence that says so. */
    private record Cost(double ns, String sentence) {
        static Cost of(final String setting, final double ns, final String rest) {
            return new Cost(ns, setting + ": " + Figures.ASCII.time(Math.round(ns)) + rest);
        }

        /**
         * Of a setting that was switched, the difference; of another one no more is known than what
         * it and all else take together.
         *
         * @param switchedNs the same with the setting switched; empty where it was not
         */
        static Cost of(
                final String setting,
                final double ns,
                final OptionalDouble switchedNs,
                final String rest) {
            if (switchedNs.isEmpty()) {
                return new Cost(
                        ns, setting + ": at most " + Figures.ASCII.time(Math.round(ns)) + rest);
            }
            final double costNs = Math.max(0, ns - switchedNs.getAsDouble());
            return of(setting, costNs, (costNs == 0 ? ", within the noise" : "") + rest);
        }
    }

    /** A sentence for each setting, measured on this machine; the costliest first. */
    static List<String> costs(
            final SettingCosts costs, final Map<String, Map<String, Object>> environment) {
        final String source = fact(environment, "kernel", "clockSource");
        final String states = fact(environment, "cpu", "idleStates");
        final String governor = fact(environment, "cpu", "governor");
        return Stream.of(
                        Cost.of(
                                "Clock" + in(source),
                                2 * costs.clockReadNs(),
                                " for two readings; not switched, as all programs use it."),
                        Cost.of(
                                "Sleep states" + in(states),
                                costs.wokenLateNs(),
                                costs.awakeLateNs().isPresent()
                                        ? OptionalDouble.of(costs.awakeLateNs().getAsLong())
                                        : OptionalDouble.empty(),
                                "; a thread that sleeps for %s wakes %s late; %s."
                                        .formatted(
                                                Figures.ASCII.time(SettingCosts.NAP_NS),
                                                Figures.ASCII.time(costs.wokenLateNs()),
                                                costs.awakeLateNs().isPresent()
                                                        ? "switched here, with cores kept awake, %s"
                                                                .formatted(
                                                                        Figures.ASCII.time(
                                                                                costs.awakeLateNs()
                                                                                        .getAsLong()))
                                                        : notSwitchable(costs.awakeRefusal()))),
                        Cost.of(
                                "Governor" + in(governor),
                                slowed(costs.coldSpeedPart()),
                                costs.performanceSpeedPart().isPresent()
                                        ? OptionalDouble.of(
                                                slowed(costs.performanceSpeedPart().getAsDouble()))
                                        : OptionalDouble.empty(),
                                "; after %s without work a core has %s; %s."
                                        .formatted(
                                                Figures.ASCII.time(SettingCosts.REST_NS),
                                                speed(costs.coldSpeedPart(), "at first"),
                                                costs.performanceSpeedPart().isPresent()
                                                        ? "switched here, to performance, it has "
                                                                + speed(
                                                                        costs.performanceSpeedPart()
                                                                                .getAsDouble(),
                                                                        "then")
                                                        : notSwitchable(costs.governorRefusal()))),
                        sibling(costs),
                        interrupts(costs.interruptions(), costs.moved()))
                .sorted(Comparator.comparingDouble(Cost::ns).reversed())
                .map(Cost::sentence)
                .toList();
    }

    private static Cost sibling(final SettingCosts costs) {
        if (costs.sharedSpeedPart().isPresent()) {
            final double part = costs.sharedSpeedPart().getAsDouble();
            return Cost.of(
                    "Siblings",
                    slowed(part),
                    "; a core has %s; switched here."
                            .formatted(speed(part, "while its sibling is busy")));
        }
        return new Cost(
                0,
                costs.sharedRefusal().isEmpty()
                        ? "No SMT siblings visible; a virtual machine can hide them."
                        : "Siblings: not switchable here. " + costs.sharedRefusal());
    }

    /**
     * The mean of all: of a single one nobody knows what it was, and how many are left tells what
     * moving interrupts saves.
     */
    private static Cost interrupts(
            final SettingCosts.Interruptions all, final SettingCosts.MovedInterrupts moved) {
        final double eachNs =
                all.perSecond() == 0
                        ? 0
                        : all.part() * TimeUnit.SECONDS.toNanos(1) / all.perSecond();
        final String switched =
                moved.left()
                        .map(left ->
                                "switched here, with %d of %d interrupts of devices on other cores, %s times, for %s"
                                        .formatted(
                                                moved.moved(),
                                                moved.served(),
                                                Figures.count(Math.round(left.perSecond())),
                                                percent(left.part())))
                        .orElseGet(() ->
                                notSwitchable(
                                        moved.refusal()
                                                + "; './tickmark cores' finds quieter cores"));
        return Cost.of(
                "Interrupts and other disturbances",
                eachNs,
                " each; a thread that spins is held up %s times a second, for %s of the time; %s."
                        .formatted(
                                Figures.count(Math.round(all.perSecond())),
                                percent(all.part()),
                                switched));
    }

    private static String notSwitchable(final String why) {
        return "not switchable here (" + why + ")";
    }

    /** What the work takes longer on a core that has this part of its speed, ns. */
    private static double slowed(final double part) {
        return part < 1 ? WORK_NS / part - WORK_NS : 0;
    }

    /** Above full speed is the scatter of two measurements. */
    private static String speed(final double part, final String when) {
        return part < 1
                ? "%s of its speed %s".formatted(percent(part), when)
                : "all of its speed %s, within the noise".formatted(when);
    }

    private static String fact(
            final Map<String, Map<String, Object>> environment,
            final String group,
            final String key) {
        final Object fact = environment.getOrDefault(group, Map.of()).getOrDefault(key, "");
        return Printable.of(
                fact instanceof final List<?> all
                        ? all.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        : fact.toString());
    }

    /** What the machine does not tell is left out. */
    private static String in(final String state) {
        return state.isEmpty() ? "" : " (" + state + ")";
    }
}
