package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.BurstBuffer;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Paragraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code burst}: the buffer and drain time that bursts need, and whether they are sufficient. */
final class BurstCommand implements Command {
    /** Silence is longer than the drain by this part, so that bursts do not add up. */
    private static final double SLACK = 0.5;

    /** Of repeats, below the screen; all are in the tables. */
    private static final int MOST_SEEN = 4;

    private static final Duration LEAST_SILENCE = Duration.ofMillis(10);
    private static final double BYTES_PER_MEGABYTE = 1e6;

    /**
     * Its own options.
     *
     * @param channel to measure
     * @param sustained rate that holds permanently
     * @param rate of the bursts
     * @param length of a burst
     * @param bursts how many
     * @param payloadBytes of a message
     * @param spinCount work of the subscriber for each message
     * @param lossPercent part of the messages lost on purpose
     */
    record BurstOptions(
            @Setting(help = "Channel to measure.", byDefault = "udp://127.0.0.1:0", label = "URI")
                    String channel,
            @Setting(
                            help = "Highest sustainable rate, as './tickmark search' finds it.",
                            unit = "msg/s",
                            min = 1,
                            max = 1e9)
                    double sustained,
            @Setting(
                            help = "Rate of a burst.",
                            unit = "msg/s",
                            min = 1,
                            max = 1e9,
                            aliases = {"-r"})
                    double rate,
            @Setting(help = "Length of a burst.", byDefault = "100ms", min = 1e6, max = 3600e9)
                    Duration length,
            @Setting(
                            help = "How many bursts to send to verify it.",
                            byDefault = "10",
                            min = 1,
                            max = 10_000)
                    int bursts,
            @Setting(
                            help = "Message length, stamp included.",
                            byDefault = "700",
                            unit = "bytes",
                            min = 16,
                            max = 1 << 24,
                            aliases = {"-m"})
                    int payloadBytes,
            @Setting(
                            help = "Passes of an empty loop for each message at the subscriber.",
                            byDefault = "0",
                            min = 0,
                            max = 1_000_000_000)
                    int spinCount,
            @Setting(
                            help =
                                    "Percentage of the messages that are numbered but not sent, within the bursts.",
                            byDefault = "0",
                            unit = Setting.PERCENT,
                            min = 0,
                            max = 100,
                            aliases = {"-L"})
                    double lossPercent) {}

    BurstCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Calculates the buffer and the drain time that a burst above the sustainable rate needs, then sends "
                                + "such bursts on this machine and compares.");
        wanted().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark burst --sustained 50k --rate 100k --length 100ms --channel shm:";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final BurstOptions wanted =
                Settings.read(
                        BurstOptions.class, wanted().values(arguments), wanted().naming(arguments));
        final BurstBuffer buffer =
                new BurstBuffer(
                        wanted.sustained(),
                        wanted.rate(),
                        wanted.length().toNanos(),
                        wanted.payloadBytes());
        final MeasureOptions options = MeasureOptions.of(arguments);
        final Plan plan =
                Plan.named("burst")
                        .describedAs("Bursts above the sustainable rate, and what they need.")
                        .with(test(wanted, silence(buffer)));
        if (!options.json() && !options.quiet()) {
            terminal.err().println("tickmark: " + predicted(buffer));
        }
        return new Measurement(terminal, options)
                .withText(result -> text(buffer, result, terminal.textColumns()))
                .run(options.applyTo(plan, arguments));
    }

    private static Duration silence(final BurstBuffer buffer) {
        final Duration needed = Duration.ofNanos((long) (buffer.drainNs() * (1 + SLACK)));
        return needed.compareTo(LEAST_SILENCE) < 0 ? LEAST_SILENCE : needed;
    }

    private static TestPlan test(final BurstOptions wanted, final Duration silence) {
        final Duration cycle = wanted.length().plus(silence);
        return TestPlan.builder("burst", "stream")
                .channel(wanted.channel())
                .setting("payloadBytes", wanted.payloadBytes())
                .setting("pace", "bursts")
                .setting("rate", wanted.rate())
                .setting("burstOn", wanted.length())
                .setting("burstOff", silence)
                .setting("duration", cycle.multipliedBy(wanted.bursts()))
                .setting("lossPercent", wanted.lossPercent())
                .setting("spinCount", wanted.spinCount())
                .role(RolePlan.of("stream-pub", Map.of()))
                .role(RolePlan.of("stream-sub", Map.of()))
                .criteria(criteria(silence))
                .build();
    }

    /** Nothing lost except on purpose, and each burst drained before the next one begins. */
    private static Criteria criteria(final Duration silence) {
        return Settings.read(
                Criteria.class, Map.of("maxLatency", silence), key -> "criteria." + key);
    }

    private static String text(final BurstBuffer buffer, final RunResult result, final int width) {
        final List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(Paragraph.lines(predicted(buffer), width));
        final List<TrialResult> trials = result.trials();
        final int shown = Math.min(trials.size(), MOST_SEEN);
        trials.subList(0, shown)
                .forEach(trial -> lines.addAll(Paragraph.lines(seen(trial), width)));
        if (shown < trials.size()) {
            lines.add("and %s.".formatted(Plural.of(trials.size() - shown, "more repeat")));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String predicted(final BurstBuffer buffer) {
        return "A burst of %s for %s above %s needs room for %s (%s MB of payload) and %s to drain."
                .formatted(
                        Figures.ASCII.rate(buffer.burstPerSecond()),
                        Figures.ASCII.time(buffer.burstNs()),
                        Figures.ASCII.rate(buffer.sustainedPerSecond()),
                        Plural.of(buffer.messages(), "message"),
                        Figures.digits(buffer.bytes() / BYTES_PER_MEGABYTE),
                        Figures.ASCII.time(buffer.drainNs()));
    }

    /** A message at the end of a burst waits for all messages before it. */
    private static String seen(final TrialResult trial) {
        return "Seen: longest response %s, publisher %s, %s of %s lost%s."
                .formatted(
                        trial.latency(Latencies.RESPONSE_NS)
                                .map(response -> Figures.ASCII.time(response.max()))
                                .orElse("not measured"),
                        trial.counts().containsKey(Counts.MAX_LAG_NS)
                                ? "at most %s behind"
                                        .formatted(
                                                Figures.ASCII.time(
                                                        trial.counts().get(Counts.MAX_LAG_NS)))
                                : "not known to be behind",
                        Figures.count(trial.lost()),
                        Plural.of(trial.expected(), "message"),
                        onPurpose(trial));
    }

    private static String onPurpose(final TrialResult trial) {
        final long onPurpose = trial.lostOnPurpose();
        return onPurpose == 0
                ? ""
                : " (%s on purpose, %s others)"
                        .formatted(Figures.count(onPurpose), Figures.count(trial.lostOnTheWay()));
    }

    private static SettingOptions wanted() {
        return new SettingOptions().add(SettingDescriptor.of(BurstOptions.class), Set.of());
    }
}
