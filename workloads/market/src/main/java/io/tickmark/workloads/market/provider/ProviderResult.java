package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.measure.ThreadLatencies;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.source.SaturatedSide;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The interactive provider's result: all threads together. */
final class ProviderResult {
    private static final double SECOND_NS = 1e9;

    private final ProviderShared shared;
    private final List<ProviderFindings> findings;

    ProviderResult(final ProviderShared shared, final List<ProviderFindings> findings) {
        this.shared = shared;
        this.findings = findings;
    }

    RoleResult of(final StepRecording last, final List<String> warnings) {
        final List<StepResult> steps = new ArrayList<>();
        if (shared.hadConsumer()) {
            steps.add(startup(shared.startup() == null ? last : shared.startup()));
            if (shared.startup() != null && hasSteadyState()) {
                steps.add(steady(last));
            }
        }
        final List<String> all = new ArrayList<>(warnings);
        warn(all);
        final ProviderTotals steady = sum(false);
        all.addAll(
                SaturatedSide.of(
                        "provider",
                        "consumer",
                        steady.updates,
                        steady.wantedUpdates,
                        steady.noBuffer));
        return new RoleResult(
                steps,
                metrics(),
                all,
                shared.failure().isEmpty() ? shortcoming() : shared.failure());
    }

    /** Why a run that went to its end is no good all the same; empty where it is. */
    private String shortcoming() {
        if (!shared.hadConsumer()) {
            return "No consumer came within the run time.";
        }
        final ProviderTotals all = sum(true);
        all.add(sum(false), 1);
        return all.images + all.updates + all.reflected + all.genericsSent == 0
                ? "The provider served nothing: %d consumers came, with %d requests, %d of them refused."
                        .formatted(all.connections, all.requests, all.refused)
                : "";
    }

    /** After snapshots there is none: nothing was asked for any more, and nothing sent. */
    private boolean hasSteadyState() {
        final ProviderTotals totals = sum(false);
        return totals.wantedUpdates + totals.wantedGenerics > 0
                || totals.updates + totals.reflected + totals.posts > 0
                || totals.genericsSent + totals.genericsReceived > 0;
    }

    private StepResult startup(final StepRecording recorded) {
        final ProviderTotals totals = sum(true);
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        counts.put(Counts.SENT, totals.images + totals.updates + totals.genericsSent);
        putLost(counts, totals);
        return new StepResult(
                0,
                ProviderShared.STARTUP,
                0,
                counts,
                0,
                0,
                0,
                ThreadLatencies.joined(recorded.latencies()),
                List.of());
    }

    private StepResult steady(final StepRecording recorded) {
        final ProviderTotals totals = sum(false);
        final long durationNs =
                findings.stream().mapToLong(ProviderFindings::servedNs).max().orElse(0);
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        counts.put(Counts.SENT, totals.updates + totals.reflected + totals.genericsSent);
        counts.put(
                Counts.MAX_LAG_NS,
                findings.stream().mapToLong(ProviderFindings::maxLagNs).max().orElse(0));
        counts.put(
                Counts.MAX_TIGHT_SENDS,
                findings.stream().mapToLong(ProviderFindings::maxTightSends).max().orElse(0));
        counts.put(Counts.BACK_PRESSURED, totals.noBuffer);
        putLost(counts, totals);
        final double seconds = Math.max(1, durationNs) / SECOND_NS;
        return new StepResult(
                1,
                ProviderShared.STEADY,
                0,
                counts,
                durationNs,
                totals.wantedUpdates / seconds,
                totals.updates / seconds,
                ThreadLatencies.joined(recorded.latencies()),
                HeldRate.reasons(
                        "provider",
                        "consumer",
                        "generic messages",
                        totals.genericsSent / seconds,
                        totals.wantedGenerics / seconds));
    }

    /** Besides what consumers expect: theirs come from here, these come from them. */
    private static void putLost(final Map<String, Long> counts, final ProviderTotals totals) {
        if (totals.genericsLost > 0) {
            counts.put(Counts.EXPECTED, totals.genericsLost);
            counts.put(Counts.LOST, totals.genericsLost);
        }
    }

    private ProviderTotals sum(final boolean ofStartup) {
        final ProviderTotals sum = new ProviderTotals();
        findings.forEach(each -> sum.add(ofStartup ? each.startup() : each.steady(), 1));
        return sum;
    }

    private Map<String, Object> metrics() {
        final ProviderTotals all = sum(true);
        final ProviderTotals steady = sum(false);
        all.add(steady, 1);
        final long servedNs =
                findings.stream().mapToLong(ProviderFindings::servedNs).max().orElse(0);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("connections", all.connections);
        metrics.put("requests", all.requests);
        metrics.put("images", all.images);
        metrics.put("updates", all.updates);
        metrics.put(
                "updatesPerSecond",
                servedNs == 0 ? 0 : Math.round(steady.updates * SECOND_NS * 10 / servedNs) / 10.0);
        metrics.put("posts", all.posts);
        metrics.put("postsReflected", all.reflected);
        metrics.put("genericMessagesSent", all.genericsSent);
        metrics.put("genericMessages", all.genericsReceived);
        Cost.put(
                metrics,
                findings.stream().map(ProviderFindings::cost).toList(),
                findings.stream().mapToLong(ProviderFindings::costUpdates).sum());
        if (all.refused > 0) {
            metrics.put("requestsRefused", all.refused);
        }
        if (all.garbled > 0) {
            metrics.put("messagesUnreadable", all.garbled);
        }
        if (all.ignored > 0) {
            metrics.put("messagesIgnored", all.ignored);
        }
        if (all.unreflected > 0) {
            metrics.put("postsNotReflected", all.unreflected);
        }
        if (all.unsent > 0) {
            metrics.put("answersDropped", all.unsent);
        }
        if (all.noBuffer > 0) {
            metrics.put("noBuffer", all.noBuffer);
        }
        if (shared.settings().api() == Api.ETA) {
            metrics.put(
                    "mostBuffersInUse",
                    findings.stream().mapToInt(ProviderFindings::mostBuffersInUse).max().orElse(0));
        }
        if (all.slowConsumers > 0) {
            metrics.put("slowConsumers", all.slowConsumers);
        }
        return metrics;
    }

    private void warn(final List<String> warnings) {
        final ProviderTotals all = sum(true);
        all.add(sum(false), 1);
        if (all.garbled > 0) {
            warnings.add("%d messages could not be decoded.".formatted(all.garbled));
        }
        if (all.ignored > 0) {
            warnings.add(
                    "%d messages were ignored: consumers have no reason to send their kind."
                            .formatted(all.ignored));
        }
        if (all.unreflected > 0) {
            warnings.add(
                    ("%d posts were shown to nobody: they were on no item's stream, or held neither an image nor "
                                    + "an update that can be read.")
                            .formatted(all.unreflected));
        }
        if (all.unsent > 0) {
            warnings.add(
                    "%d answers to consumers could not be sent and were dropped."
                            .formatted(all.unsent));
        }
        if (all.slowConsumers > 0) {
            warnings.add(
                    "%d consumers were disconnected, as too much waited for them (--max-queued-bytes)."
                            .formatted(all.slowConsumers));
        }
        if (shared.refusedConnections() > 0) {
            warnings.add(
                    "%d connections could not be accepted.".formatted(shared.refusedConnections()));
        }
        if (all.genericsLost > 0) {
            warnings.add(
                    "%d generic messages of consumers were lost on their way here: their numbers have gaps."
                            .formatted(all.genericsLost));
        }
        if (all.refused > 0) {
            warnings.add(
                    "%d requests were refused; compare service and domains of both sides."
                            .formatted(all.refused));
        }
    }
}
