package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.host.HostCheck;
import io.tickmark.kernel.host.HostCheck.Severity;
import io.tickmark.kernel.host.HostChecks;
import io.tickmark.kernel.host.SettingCosts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.lab.compare.Resolution;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.transport.ChannelUri;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.agrona.concurrent.SystemNanoClock;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code quick}: a machine's floor in a minute, and its resolution. */
final class QuickCommand implements Command {
    private static final String PLAN = "quick";
    private static final int[] RATES_PER_SECOND = {1_000, 5_000, 25_000};
    private static final String TARGET = "--target";

    /** A message that waits longer to be sent than its service takes is in a queue. */
    private static final double KNEE = 2;

    private static final int MOST_SETTINGS = 3;
    private static final double PERCENT = 100;

    QuickCommand() {}

    /** A step of a channel that was measured. */
    private record Place(Block block, MergedRow row) {
        String channel() {
            return Printable.of(block.channel());
        }

        OptionalLong latency(final Function<LatencySummary, OptionalLong> figure) {
            return row.headline().flatMap(row::latency).map(figure).orElse(OptionalLong.empty());
        }

        OptionalDouble resolution(final Function<LatencySummary, OptionalLong> figure) {
            return row.headline()
                    .map(name -> Resolution.of(row.repeats(), name, figure))
                    .orElse(OptionalDouble.empty());
        }
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Measures in less than a minute what this machine can resolve: round trips at a rate through shared"
                                + " memory, sockets and one engine, what of their tail is the machine's, how small a change"
                                + " would be seen in such a minute, and which settings of the machine matter most. The plan"
                                + " is 'quick'. With --target it measures an echo service of yours at three rates, response"
                                + " beside service time, and says where its knee is.");
        spec.addOption(
                OptionSpec.builder(TARGET)
                        .paramLabel("URI")
                        .type(String.class)
                        .description(
                                "Echo service that sends back what it gets (RFC 862), for example udp://192.0.2.7:7007.")
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
            return measurement
                    .saying(run -> machine(run, terminal.textColumns()))
                    .run(options.applyTo(library.find(PLAN), arguments));
        }
        final String target = arguments.matchedOptionValue(TARGET, "");
        ChannelUri.parse(target); // or says what is wrong with it
        return measurement
                .saying(run -> target(run, target, terminal.textColumns()))
                .run(options.applyTo(echoing(target), arguments));
    }

    /** A rate that is not held is the expected end, not a failure. */
    private static Plan echoing(final String target) {
        Plan plan = Plan.named("quick-target").describedAs("The echo service " + target + ".");
        for (final int rate : RATES_PER_SECOND) {
            plan =
                    plan.with(
                            TestPlan.builder("at-" + rate, "latency")
                                    .channel(target)
                                    .setting("echo", "external")
                                    .setting("sizes", "64")
                                    .setting("rate", rate)
                                    .setting("duration", "4s")
                                    .criteria(Criteria.DEFAULT.withMinRateHeldPart(0))
                                    .role(RolePlan.of("latency-pub", Map.of()))
                                    .build());
        }
        return plan;
    }

    private static List<Place> places(final RunResult run) {
        final List<Place> places = new ArrayList<>();
        for (final Block block : Block.of(run)) {
            block.rows().stream()
                    .filter(row -> !row.isVoid())
                    .forEach(row -> places.add(new Place(block, row)));
        }
        return places;
    }

    /** Service and response time at each rate, and where they diverge. */
    private static String target(final RunResult run, final String target, final int width) {
        final List<String> sentences = new ArrayList<>();
        Optional<Place> held = Optional.empty();
        Optional<Place> knee = Optional.empty();
        for (final Place place : places(run)) {
            final Optional<LatencySummary> response = place.row().latency(Latencies.RESPONSE_NS);
            final Optional<LatencySummary> service = place.row().latency(Latencies.SERVICE_NS);
            if (response.isEmpty() || service.isEmpty()) {
                continue;
            }
            sentences.add(
                    "At %s: response time %s, service time %s."
                            .formatted(
                                    offered(place),
                                    figures(response.get()),
                                    figures(service.get())));
            final boolean isQueued =
                    !place.row().isRateHeld()
                            || response.get().p50().orElse(0)
                                    > KNEE * service.get().p50().orElse(Long.MAX_VALUE);
            if (knee.isEmpty()) {
                held = isQueued ? held : Optional.of(place);
                knee = isQueued ? Optional.of(place) : knee;
            }
        }
        sentences.add(knee(held, knee));
        return paragraph(Printable.of(target), sentences, width);
    }

    private static String knee(final Optional<Place> held, final Optional<Place> knee) {
        if (knee.isPresent()) {
            return "The knee lies %sbelow %s: there messages wait for their turn longer than they take."
                    .formatted(
                            held.map(place -> "above " + offered(place) + " and ").orElse(""),
                            offered(knee.get()));
        }
        return held.map(place -> "No knee was seen up to " + offered(place) + ".")
                .orElse("Nothing came back.");
    }

    private static String offered(final Place place) {
        return Figures.ASCII.rate(place.row().any().offeredRatePerSecond());
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

    private static String machine(final RunResult run, final int width) {
        final List<Place> places = places(run);
        final List<String> sentences = new ArrayList<>();
        floor(places).ifPresent(sentences::add);
        resolution(places, "the median", LatencySummary::p50).ifPresent(sentences::add);
        resolution(places, "the 99th percentile", LatencySummary::p99).ifPresent(sentences::add);
        final Map<String, Map<String, Object>> environment =
                Environment.describe(Path.of("."), Map.of());
        final SettingCosts costs = SettingCosts.measure(SystemNanoClock.INSTANCE);
        sentences.addAll(settings(environment));
        return paragraph("This machine", sentences, width).stripTrailing()
                + "\n"
                + paragraph("What its settings cost", costs(costs, environment), width);
    }

    private static String paragraph(
            final String title, final List<String> sentences, final int width) {
        final StringBuilder text = new StringBuilder("\n" + title + "\n");
        sentences.forEach(sentence ->
                Paragraph.lines(sentence, width, "- ", "  ")
                        .forEach(line -> text.append(line).append('\n')));
        return text.append('\n').toString();
    }

    /** The fastest of the channels adds the least itself. */
    private static Optional<String> floor(final List<Place> places) {
        return places.stream()
                .filter(place -> place.latency(LatencySummary::p999).isPresent())
                .min(
                        Comparator.comparingLong(
                                place -> place.latency(LatencySummary::p999).getAsLong()))
                .map(place ->
                        "At 99.9 %% it is good to %s: what is shorter cannot be distinguished from its own stalls (%s, with the"
                                        .formatted(
                                                Figures.ASCII.time(
                                                        place.latency(LatencySummary::p999)
                                                                .getAsLong()),
                                                place.channel())
                                + " shortest tail of the channels).");
    }

    private static Optional<String> resolution(
            final List<Place> places,
            final String words,
            final Function<LatencySummary, OptionalLong> figure) {
        final List<Place> resolved =
                places.stream()
                        .filter(place -> place.resolution(figure).isPresent())
                        .sorted(
                                Comparator.comparingDouble(
                                        place -> place.resolution(figure).getAsDouble()))
                        .toList();
        if (resolved.isEmpty()) {
            return Optional.empty();
        }
        final Place best = resolved.getFirst();
        final Place worst = resolved.getLast();
        return Optional.of(
                "Between two runs like this one, changes of %s below %s on %s%s cannot be detected."
                        .formatted(
                                words,
                                percent(best.resolution(figure).getAsDouble()),
                                best.channel(),
                                best == worst
                                        ? ""
                                        : " and below %s on %s"
                                                .formatted(
                                                        percent(
                                                                worst.resolution(figure)
                                                                        .getAsDouble()),
                                                        worst.channel())));
    }

    private static String percent(final double part) {
        return Figures.digits(PERCENT * Math.min(1, part))
                + " %"; // below a factor of two, this is sufficient
    }

    /** Findings that are likely to show, the worst first. */
    private static List<String> settings(final Map<String, Map<String, Object>> environment) {
        final List<HostCheck> warnings =
                HostChecks.all(environment).stream()
                        .filter(check -> check.severity() == Severity.WARNING)
                        .toList();
        final List<String> sentences = new ArrayList<>();
        warnings.stream()
                .limit(MOST_SETTINGS)
                .forEach(check ->
                        sentences.add(
                                Printable.of(
                                        capitalised(check.subject()) + ": " + check.sentence())));
        sentences.add(
                warnings.isEmpty()
                        ? "No setting of it is likely to show in the figures; ./tickmark doctor --all lists them."
                        : warnings.size() <= MOST_SETTINGS
                                ? "./tickmark doctor lists what else there is to know of it."
                                : "./tickmark doctor lists %d more such settings."
                                        .formatted(warnings.size() - MOST_SETTINGS));
        return sentences;
    }

    /** A sentence for each setting, measured on this machine. */
    static List<String> costs(
            final SettingCosts costs, final Map<String, Map<String, Object>> environment) {
        final String source = fact(environment, "kernel", "clockSource");
        final String states = fact(environment, "cpu", "idleStates");
        final String governor = fact(environment, "cpu", "governor");
        return List.of(
                "Clock%s: a reading takes %s."
                        .formatted(in(source), Figures.ASCII.time(costs.clockReadNs())),
                "Sleep states%s: a thread that sleeps for %s is woken %s late, %s."
                        .formatted(
                                in(states),
                                Figures.ASCII.time(SettingCosts.NAP_NS),
                                Figures.ASCII.time(costs.wokenLateNs()),
                                costs.awakeLateNs().isPresent()
                                        ? Figures.ASCII.time(costs.awakeLateNs().getAsLong())
                                                + " where cores are kept awake"
                                        : "and cores cannot be kept awake for comparison (%s)"
                                                .formatted(costs.awakeRefusal())),
                "Governor%s: after %s without work a core has %s of its speed at first."
                        .formatted(
                                in(governor),
                                Figures.ASCII.time(SettingCosts.REST_NS),
                                percent(costs.coldSpeedPart())),
                costs.sharedSpeedPart().isPresent()
                        ? "Siblings: a core has %s of its speed while its sibling is busy."
                                .formatted(percent(costs.sharedSpeedPart().getAsDouble()))
                        : costs.sharedRefusal().isEmpty()
                                ? "Siblings: none are seen; a virtual machine can hide them."
                                : "Siblings: not measured. " + costs.sharedRefusal(),
                "Interrupts and other disturbances: a thread that spins is held up %s times a second, for %s of the time."
                        .formatted(
                                Figures.count(Math.round(costs.interruptionsPerSecond())),
                                percent(costs.interruptedPart())));
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

    private static String capitalised(final String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
