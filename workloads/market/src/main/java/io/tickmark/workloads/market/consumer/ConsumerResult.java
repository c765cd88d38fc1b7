package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.HeldRate;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.ThreadLatencies;
import io.tickmark.workloads.market.measure.Timings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The consumer's result: startup and steady state of all connections together. */
final class ConsumerResult {
    private static final double SECOND_NS = 1e9;
    private static final double NS_PER_US = 1e3;

    private final ConsumerSettings settings;
    private final ConsumerShared shared;
    private final List<ConsumerFindings> findings;

    ConsumerResult(
            final ConsumerSettings settings,
            final ConsumerShared shared,
            final List<ConsumerFindings> findings) {
        this.settings = settings;
        this.shared = shared;
        this.findings = findings;
    }

    RoleResult of(final StepRecording last, final List<String> warnings) {
        final List<StepResult> steps = new ArrayList<>();
        final boolean wasSteady = shared.startup() != null;
        steps.add(startup(wasSteady ? shared.startup() : last));
        final boolean isSteadyTold = wasSteady && !settings.snapshot() && hasSteadyState();
        if (isSteadyTold) {
            steps.add(steady(last));
        }
        final List<String> all = new ArrayList<>(warnings);
        warn(all);
        if (isSteadyTold) {
            all.addAll(diagnosis(steps.get(1)));
        } else if (wasSteady && !settings.snapshot()) {
            all.add(
                    "No message came in the steady state: the figures are those of the start alone.");
        }
        return new RoleResult(steps, metrics(), all, failure());
    }

    /**
     * What cannot be decoded has not been checked for anything: its numbers, its time, its fields.
     */
    private String failure() {
        final ConsumerTotals totals = sum(true);
        totals.add(sum(false), 1);
        return shared.failure().isEmpty() && totals.garbled > 0
                ? "%d messages could not be decoded.".formatted(totals.garbled)
                : shared.failure();
    }

    /**
     * There is none where images alone are retrieved. Where a provider did send, its own step says
     * so, and all of it is lost then.
     */
    private boolean hasSteadyState() {
        final ConsumerTotals totals = sum(false);
        return settings.postingRate() + settings.genericMsgRate() > 0
                || totals.updates + totals.postsBack + totals.genericsReceived > 0
                || totals.lost + totals.duplicated > 0;
    }

    private StepResult startup(final StepRecording recorded) {
        final ConsumerTotals totals = sum(true);
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        final long items = findings.stream().mapToLong(each -> each.items().size()).sum();
        counts.put(Counts.RECEIVED, totals.images + totals.updates + totals.genericsReceived);
        counts.put(Counts.EXPECTED, items + totals.updates + totals.genericsReceived + totals.lost);
        counts.put(Counts.LOST, items - totals.images + totals.lost);
        counts.put(Counts.DUPLICATED, totals.duplicated);
        counts.put("images", totals.images);
        counts.put("updates", totals.updates);
        return new StepResult(
                0,
                ConsumerShared.STARTUP,
                0,
                counts,
                startupNs(),
                0,
                0,
                ThreadLatencies.joined(recorded.latencies()),
                List.of());
    }

    private StepResult steady(final StepRecording recorded) {
        final ConsumerTotals totals = sum(false);
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        final long received = totals.updates + totals.postsBack + totals.genericsReceived;
        final long postsLost = Math.max(0, totals.posts - totals.postsBack);
        counts.put(Counts.RECEIVED, received);
        counts.put(Counts.EXPECTED, received + totals.lost + postsLost);
        counts.put(Counts.LOST, totals.lost + postsLost);
        counts.put(Counts.DUPLICATED, totals.duplicated);
        counts.put("updates", totals.updates);
        if (settings.postingRate() > 0) {
            counts.put("posts", totals.posts);
            counts.put("postsBack", totals.postsBack);
        }
        if (settings.genericMsgRate() > 0 || totals.genericsReceived > 0) {
            counts.put("genericMessagesSent", totals.genericsSent);
            counts.put("genericMessages", totals.genericsReceived);
        }
        return new StepResult(
                1,
                ConsumerShared.STEADY,
                0,
                counts,
                steadyNs(),
                0,
                0,
                ThreadLatencies.joined(recorded.latencies()),
                reasons());
    }

    private List<String> reasons() {
        final ConsumerTotals totals = sum(false);
        final List<String> reasons = new ArrayList<>();
        reasons.addAll(
                held("posts", totals.posts, settings.postingRate(), ConsumerFindings::posts));
        reasons.addAll(
                held(
                        "generic messages",
                        totals.genericsSent,
                        settings.genericMsgRate(),
                        ConsumerFindings::generics));
        return reasons;
    }

    private List<String> held(
            final String what,
            final long sent,
            final long rate,
            final Function<ConsumerFindings, ItemMessages> sender) {
        final double achieved = sent * SECOND_NS / Math.max(1, steadyNs());
        final boolean isShutOut =
                findings.stream().map(sender).anyMatch(each -> each != null && !each.hasOpenItem());
        return isShutOut && !HeldRate.isHeld(achieved, rate)
                ? List.of(
                        "The consumer sent %.0f %s/s of the %d/s asked for: the provider has closed the items that take them."
                                .formatted(achieved, what, rate))
                : HeldRate.reasons("consumer", "provider", what, achieved, rate);
    }

    /** Of a steady state that was reached; else the failure tells them. */
    private List<WatchedItems> withClosedItems() {
        return shared.startup() == null || settings.snapshot()
                ? List.of()
                : findings.stream()
                        .map(ConsumerFindings::items)
                        .filter(items -> items.closed() > 0)
                        .toList();
    }

    private long closedItems() {
        return withClosedItems().stream().mapToLong(WatchedItems::closed).sum();
    }

    private ConsumerTotals sum(final boolean ofStartup) {
        final ConsumerTotals sum = new ConsumerTotals();
        findings.forEach(each -> sum.add(ofStartup ? each.startup() : each.steady(), 1));
        return sum;
    }

    private long startupNs() {
        return findings.stream()
                .map(ConsumerFindings::times)
                .filter(times -> times.firstRequestNs() != 0)
                .mapToLong(times -> times.steadyNs() - times.firstRequestNs())
                .max()
                .orElse(0);
    }

    private long steadyNs() {
        return findings.stream()
                .map(ConsumerFindings::times)
                .mapToLong(times -> times.endNs() - times.steadyNs())
                .max()
                .orElse(0);
    }

    private Map<String, Object> metrics() {
        final ConsumerTotals startup = sum(true);
        final ConsumerTotals steady = sum(false);
        final ConsumerTotals all = startup.minus(new ConsumerTotals());
        all.add(steady, 1);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("connections", findings.size());
        metrics.put("requests", all.requests);
        metrics.put("images", all.images);
        final long retrievalNs = ConsumerFindings.retrievalNs(findings);
        metrics.put("imageRetrievalNs", retrievalNs);
        metrics.put("imagesPerSecond", perSecond(all.images, retrievalNs));
        metrics.put("updates", all.updates);
        metrics.put("updatesPerSecond", perSecond(steady.updates, steadyNs()));
        metrics.put("posts", all.posts);
        metrics.put("postsBack", all.postsBack);
        metrics.put("genericMessagesSent", all.genericsSent);
        metrics.put("genericMessages", all.genericsReceived);
        metrics.put("loginRoundTripNs", longestLoginNs());
        Cost.put(metrics, findings.stream().map(ConsumerFindings::cost).toList(), steady.updates);
        if (all.suspectItems > 0) {
            metrics.put("suspectItems", all.suspectItems);
            metrics.put("recoveredItems", all.recoveredItems);
        }
        if (closedItems() > 0) {
            metrics.put("closedItems", closedItems());
        }
        if (all.repeated > 0) {
            metrics.put("requestsRepeated", all.repeated);
        }
        if (all.garbled > 0) {
            metrics.put("messagesUnreadable", all.garbled);
        }
        if (all.strays > 0) {
            metrics.put("messagesIgnored", all.strays);
        }
        if (all.suspects > 0) {
            metrics.put("suspectImages", all.suspects);
        }
        if (all.statuses > 0) {
            metrics.put("statuses", all.statuses);
        }
        return metrics;
    }

    /** Of all connections: the one that was served last tells how long a login takes. */
    private long longestLoginNs() {
        return findings.stream().mapToLong(f -> f.times().loginNs()).max().orElse(0);
    }

    private static double perSecond(final long count, final long overNs) {
        return overNs <= 0 ? 0 : Math.round(count * SECOND_NS / overNs * 10) / 10.0;
    }

    private List<String> diagnosis(final StepResult steady) {
        final Timings startup = new Timings();
        final Timings service = new Timings();
        for (final ConsumerFindings each : findings) {
            startup.add(each.intake().meter(LatencyKind.UPDATE).startup());
            service.add(each.intake().meter(LatencyKind.UPDATE).steady());
        }
        final Histogram response = steady.latencies().get(Latencies.RESPONSE_NS);
        return LatencyDiagnosis.of(
                startup.meanUs(),
                service.meanUs(),
                response == null ? 0 : response.getMean() / NS_PER_US);
    }

    private void warn(final List<String> warnings) {
        final long unknown = findings.stream().mapToLong(f -> f.intake().unknownFields()).sum();
        if (unknown > 0) {
            warnings.add(
                    ("%d fields are not in the dictionary and were not decoded; name the provider's with "
                                    + "--field-dictionary and --enum-dictionary.")
                            .formatted(unknown));
        }
        final ConsumerTotals all = sum(true);
        all.add(sum(false), 1);
        if (all.repeated > 0) {
            warnings.add(
                    "%d requests were sent again, as nobody answered them within %s (--request-timeout)."
                            .formatted(all.repeated, Durations.format(settings.requestTimeout())));
        }
        if (all.strays > 0) {
            warnings.add(
                    "%d messages were ignored: they belong to no item that was asked for, or are of a kind no provider sends."
                            .formatted(all.strays));
        }
        if (all.nacks > 0) {
            warnings.add("%d posts were refused by the provider.".formatted(all.nacks));
        }
        if (all.suspectItems > 0) {
            warnings.add(
                    ("%d items turned suspect and %d of them came back: what provides them behind %s was "
                                    + "gone for a while.")
                            .formatted(
                                    all.suspectItems,
                                    all.recoveredItems,
                                    shared.host() + ":" + shared.port()));
        }
        if (closedItems() > 0) {
            warnings.add(
                    "%d items were closed by the provider, the last one %s; nothing came of them from then on."
                            .formatted(closedItems(), withClosedItems().getLast().closedWords()));
        }
        warnOfTimes(warnings);
    }

    private void warnOfTimes(final List<String> warnings) {
        final long stamped =
                findings.stream()
                        .mapToLong(f -> f.intake().meter(LatencyKind.UPDATE).steady().count())
                        .sum();
        final long intended =
                findings.stream()
                        .mapToLong(f -> f.intake().meter(LatencyKind.UPDATE).withIntended())
                        .sum();
        if (stamped > 0 && intended == 0) {
            warnings.add(
                    "Updates do not tell when they were wanted (the dictionary has no field "
                            + "TM_INTENDED): service times only, no response times.");
        }
    }
}
