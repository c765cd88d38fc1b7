package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.loop.SummaryInputs;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.measure.SteadyCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the provider reports: its lines, its summary, and the result of all threads together. */
final class ProviderResult {
    private static final double SECOND_NS = 1e9;
    private static final double E6 = 1e6;

    private final ProviderShared shared;
    private final List<ProviderLoop.Findings> findings;
    private final Set<String> asked;
    private final ProviderCounts startup;
    private final ProviderCounts steady;
    private final ProviderCounts all;

    /** Of all threads; {@code asked} are groups of counts that are reported where they are zero. */
    ProviderResult(
            final ProviderShared shared,
            final List<ProviderLoop.Findings> findings,
            final Set<String> asked) {
        this.shared = shared;
        this.findings = findings;
        this.asked = asked;
        final Columns.Totals<ProviderCounts> totals = totals(findings);
        startup = totals.startup();
        steady = totals.steady();
        all = totals.all();
    }

    private static Columns.Totals<ProviderCounts> totals(final List<ProviderLoop.Findings> of) {
        return ProviderCounts.COLUMNS.totals(
                of.stream().map(ProviderLoop.Findings::counts).toList());
    }

    /** Console lines after those of an interval. */
    static List<String> notes(final LoopCounts.Row<ProviderCounts> row) {
        final ProviderCounts counts = row.counts();
        final List<String> lines = new ArrayList<>();
        if (counts.requests().get() > 0 || counts.images().get() > 0) {
            lines.add(
                    "  - Received %d item requests (total: %d), sent %d images (total: %d)"
                            .formatted(
                                    counts.requests().get(),
                                    row.totals().requests().get(),
                                    counts.images().get(),
                                    row.totals().images().get()));
        }
        if (counts.posts().get() > 0) {
            lines.add(
                    "  - Received %d posts, reflected %d"
                            .formatted(counts.posts().get(), counts.reflected().get()));
        }
        return lines;
    }

    /** The head of the summary, in the format of the field. */
    SummaryInputs inputs() {
        final ProviderSettings settings = shared.settings();
        return settings.source()
                .inputs(
                        settings.providerName(),
                        settings.run(),
                        settings.files(),
                        settings.content().messageFile())
                .addText("Latency Log File", settings.latencyFile(), "(none)")
                .add("Generic Msg Rate", settings.genericMsgRate())
                .add("Latency Generic Msg Rate", settings.genericMsgLatencyRate())
                .addSwitch("Measure Decode", settings.measureDecode());
    }

    /**
     * The summary of one thread or of all, in the format of the field; {@code resources} are lines
     * about the process.
     */
    static String section(final List<ProviderLoop.Findings> of, final String resources) {
        final ProviderCounts all = totals(of).all();
        return "Overall Statistics:\n"
                + ProviderCounts.COLUMNS.latencyLines(all, Set.of())
                + ProviderCounts.COLUMNS.countLines(all, Set.of())
                + resources
                + "\n";
    }

    RoleResult of(final StepRecording last, final List<String> warnings) {
        final List<StepResult> steps = new ArrayList<>();
        final List<StepRecording> recorded = new ArrayList<>();
        if (shared.hadConsumer()) {
            recorded.add(shared.startup().orElse(last));
            steps.add(startup(recorded.getFirst()));
            if (shared.isSteady() && hasSteadyState()) {
                recorded.add(last);
                steps.add(steady(last));
            }
        }
        final List<String> sentences = new ArrayList<>(warnings);
        warn(sentences);
        if (findings.stream().anyMatch(ProviderLoop.Findings::hasOtherClock)
                || recorded.stream().anyMatch(shared.otherClock()::isBehind)) {
            sentences.add(OtherClock.WARNING);
        }
        sentences.addAll(
                HeldRate.saturatedSide(
                        "provider",
                        "consumer",
                        steady.updates().get(),
                        steady.wantedUpdatesE6().get() / E6,
                        steady.noBuffer().get()));
        return new RoleResult(
                steps,
                metrics(),
                sentences,
                shared.failure().isEmpty() ? shortcoming() : shared.failure());
    }

    /** Why a completed run still fails; empty where it does not. */
    private String shortcoming() {
        if (!shared.hadConsumer()) {
            return "No consumer connected within the run time.";
        }
        return all.images().get()
                                + all.updates().get()
                                + all.reflected().get()
                                + all.genericsSent().get()
                        == 0
                ? "The provider served nothing: %d consumers connected, with %d requests, %d of them refused."
                        .formatted(
                                all.connections().get(), all.requests().get(), all.refused().get())
                : "";
    }

    /** There is none after snapshots, when nothing more was requested or sent. */
    private boolean hasSteadyState() {
        return steady.wantedUpdatesE6().get() + steady.leastGenerics().get() > 0
                || steady.updates().get() + steady.reflected().get() + steady.posts().get() > 0
                || steady.genericsSent().get() + steady.genericsReceived().get() > 0;
    }

    private StepResult startup(final StepRecording recorded) {
        final Map<String, Long> counts = shared.otherClock().counts(recorded);
        counts.put(
                Counts.SENT,
                startup.images().get() + startup.updates().get() + startup.genericsSent().get());
        putLost(counts, startup.genericsLost().get());
        return StepResult.received(
                0, LoopGroup.STARTUP, 0, counts, 0, LoopCounts.joined(recorded.latencies()));
    }

    private StepResult steady(final StepRecording recorded) {
        final long durationNs = steady.servedNs().get();
        final Map<String, Long> counts = shared.otherClock().counts(recorded);
        counts.put(
                Counts.SENT,
                steady.updates().get() + steady.reflected().get() + steady.genericsSent().get());
        counts.putAll(ProviderCounts.COLUMNS.counts(steady, Set.of()));
        putLost(counts, steady.genericsLost().get());
        final double seconds = Math.max(1, durationNs) / SECOND_NS;
        return new StepResult(
                1,
                LoopGroup.STEADY,
                0,
                counts,
                durationNs,
                steady.wantedUpdatesE6().get() / E6 / seconds,
                steady.updates().get() / seconds,
                LoopCounts.joined(recorded.latencies()),
                HeldRate.reasons(
                        "provider",
                        "consumer",
                        "generic messages",
                        steady.genericsSent().get() / seconds,
                        steady.leastGenerics().get() / seconds,
                        steady.wantedGenericsE6().get() / E6 / seconds));
    }

    /**
     * In addition to what consumers expect: theirs are sent from here, these are received from
     * them.
     */
    private static void putLost(final Map<String, Long> counts, final long lost) {
        if (lost > 0) {
            counts.put(Counts.EXPECTED, lost);
            counts.put(Counts.LOST, lost);
        }
    }

    private Map<String, Object> metrics() {
        final List<SteadyCost> costs = findings.stream().map(ProviderLoop.Findings::cost).toList();
        final Map<String, Object> cost = new LinkedHashMap<>();
        CpuCost.put(
                cost,
                costs.stream().map(SteadyCost::cost).toList(),
                costs.stream().mapToLong(SteadyCost::updates).sum());
        return ProviderCounts.COLUMNS.metrics(
                all, steady, steady.servedNs().get(), asked, Map.of("genericMessages", cost));
    }

    private void warn(final List<String> warnings) {
        warnings.addAll(ProviderCounts.COLUMNS.warnings(all));
        if (shared.refusedConnections() > 0) {
            warnings.add(
                    CountSentence.of(
                            "%d connection{|s} could not be accepted.",
                            shared.refusedConnections()));
        }
    }
}
