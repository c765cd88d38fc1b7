package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.measure.SteadyCost;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.source.SaturatedSide;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The interactive provider's result: all threads together. */
final class ProviderResult {
    private static final double SECOND_NS = 1e9;
    private static final double E6 = 1e6;

    private final ProviderShared shared;
    private final List<ProviderThread.Findings> findings;
    private final ProviderCounts startup;
    private final ProviderCounts steady;
    private final ProviderCounts all;

    ProviderResult(final ProviderShared shared, final List<ProviderThread.Findings> findings) {
        this.shared = shared;
        this.findings = findings;
        startup = sum(LoopCounts::startup);
        steady = sum(LoopCounts::steady);
        all = ProviderCounts.COLUMNS.sum(List.of(startup, steady));
    }

    private ProviderCounts sum(final Function<LoopCounts<ProviderCounts>, ProviderCounts> part) {
        return ProviderCounts.COLUMNS.sum(
                findings.stream().map(ProviderThread.Findings::counts).map(part).toList());
    }

    RoleResult of(final StepRecording last, final List<String> warnings) {
        final List<StepResult> steps = new ArrayList<>();
        if (shared.hadConsumer()) {
            steps.add(startup(shared.startup() == null ? last : shared.startup()));
            if (shared.startup() != null && hasSteadyState()) {
                steps.add(steady(last));
            }
        }
        final List<String> sentences = new ArrayList<>(warnings);
        warn(sentences);
        sentences.addAll(
                SaturatedSide.of(
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

    /** After snapshots there is none: nothing was requested any more, and nothing sent. */
    private boolean hasSteadyState() {
        return steady.wantedUpdatesE6().get() + steady.wantedGenericsE6().get() > 0
                || steady.updates().get() + steady.reflected().get() + steady.posts().get() > 0
                || steady.genericsSent().get() + steady.genericsReceived().get() > 0;
    }

    private StepResult startup(final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        counts.put(
                Counts.SENT,
                startup.images().get() + startup.updates().get() + startup.genericsSent().get());
        putLost(counts, startup.genericsLost().get());
        return new StepResult(
                0,
                ProviderShared.STARTUP,
                0,
                counts,
                0,
                0,
                0,
                LoopCounts.joined(recorded.latencies()),
                List.of());
    }

    private StepResult steady(final StepRecording recorded) {
        final long durationNs = steady.servedNs().get();
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        counts.put(
                Counts.SENT,
                steady.updates().get() + steady.reflected().get() + steady.genericsSent().get());
        counts.put(Counts.MAX_LAG_NS, steady.maxLagNs().get());
        counts.put(Counts.MAX_TIGHT_SENDS, steady.maxTightSends().get());
        counts.put(Counts.BACK_PRESSURED, steady.noBuffer().get());
        putLost(counts, steady.genericsLost().get());
        final double seconds = Math.max(1, durationNs) / SECOND_NS;
        return new StepResult(
                1,
                ProviderShared.STEADY,
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
        final List<SteadyCost> costs =
                findings.stream().map(ProviderThread.Findings::cost).toList();
        final Map<String, Object> cost = new LinkedHashMap<>();
        Cost.put(
                cost,
                costs.stream().map(SteadyCost::cost).toList(),
                costs.stream().mapToLong(SteadyCost::updates).sum());
        // output buffers concern only users of the Transport API
        final Set<String> asked =
                shared.settings().api() == Api.ETA ? Set.of(ProviderCounts.BUFFERS) : Set.of();
        return ProviderCounts.COLUMNS.metrics(
                all, steady, steady.servedNs().get(), asked, Map.of("genericMessages", cost));
    }

    private void warn(final List<String> warnings) {
        if (all.garbled().get() > 0) {
            warnings.add("%d messages could not be decoded.".formatted(all.garbled().get()));
        }
        if (all.ignored().get() > 0) {
            warnings.add(
                    "%d messages were ignored: consumers have no reason to send their kind."
                            .formatted(all.ignored().get()));
        }
        if (all.unreflected().get() > 0) {
            warnings.add(
                    ("%d posts reached no consumer: they were on no item's stream, or held neither an image nor an update "
                                    + "that can be read.")
                            .formatted(all.unreflected().get()));
        }
        if (all.unsent().get() > 0) {
            warnings.add(
                    "%d answers to consumers could not be sent and were dropped."
                            .formatted(all.unsent().get()));
        }
        if (all.slowConsumers().get() > 0) {
            warnings.add(
                    "%d consumers were disconnected, as too much waited for them (--max-queued-bytes)."
                            .formatted(all.slowConsumers().get()));
        }
        if (shared.refusedConnections() > 0) {
            warnings.add(
                    "%d connections could not be accepted.".formatted(shared.refusedConnections()));
        }
        if (all.genericsLost().get() > 0) {
            warnings.add(
                    "%d generic messages of consumers were lost on their way here: their numbers have gaps."
                            .formatted(all.genericsLost().get()));
        }
        if (all.refused().get() > 0) {
            warnings.add(
                    "%d requests were refused; compare service and domains of both sides."
                            .formatted(all.refused().get()));
        }
    }
}
