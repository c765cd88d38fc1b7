package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.HeldRate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The consumer's result: startup and steady state of all connections together. */
final class ConsumerResult {
    private static final double SECOND_NS = 1e9;
    private static final double NS_PER_US = 1e3;

    private final ConsumerSettings settings;
    private final ConsumerShared shared;
    private final List<ConsumerConnection.Findings> findings;
    private final ConsumerCounts startup;
    private final ConsumerCounts steady;
    private final ConsumerCounts all;

    ConsumerResult(
            final ConsumerSettings settings,
            final ConsumerShared shared,
            final List<ConsumerConnection.Findings> findings) {
        this.settings = settings;
        this.shared = shared;
        this.findings = findings;
        startup = sum(LoopCounts::startup);
        steady = sum(LoopCounts::steady);
        all = ConsumerCounts.COLUMNS.sum(List.of(startup, steady));
    }

    private ConsumerCounts sum(final Function<LoopCounts<ConsumerCounts>, ConsumerCounts> part) {
        return ConsumerCounts.COLUMNS.sum(
                findings.stream().map(ConsumerConnection.Findings::counts).map(part).toList());
    }

    RoleResult of(final StepRecording last, final List<String> warnings) {
        final List<StepResult> steps = new ArrayList<>();
        final boolean wasSteady = shared.startup() != null;
        steps.add(startup(wasSteady ? shared.startup() : last));
        final boolean isSteadyTold = wasSteady && !settings.snapshot() && hasSteadyState();
        if (isSteadyTold) {
            steps.add(steady(last));
        }
        final List<String> sentences = new ArrayList<>(warnings);
        warn(sentences);
        if (isSteadyTold) {
            sentences.addAll(diagnosis(steps.get(1)));
        } else if (wasSteady && !settings.snapshot()) {
            sentences.add(
                    "No message arrived in the steady state: the figures are those of the start alone.");
        }
        return new RoleResult(steps, metrics(), sentences, failure());
    }

    /** A message that cannot be decoded has not been checked: its numbers, its time, its fields. */
    private String failure() {
        return shared.failure().isEmpty() && all.garbled().get() > 0
                ? "%d messages could not be decoded.".formatted(all.garbled().get())
                : shared.failure();
    }

    /**
     * There is none where only images are retrieved. Where a provider did send, its own step
     * reports it, and all of it is lost then.
     */
    private boolean hasSteadyState() {
        return settings.postingRate() + settings.genericMsgRate() > 0
                || steady.updates().get()
                                + steady.postsBack().get()
                                + steady.genericsReceived().get()
                        > 0
                || steady.lost().get() + steady.duplicated().get() > 0;
    }

    private StepResult startup(final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        final long items = findings.stream().mapToLong(each -> each.items().size()).sum();
        counts.put(
                Counts.RECEIVED,
                startup.images().get()
                        + startup.updates().get()
                        + startup.genericsReceived().get());
        counts.put(
                Counts.EXPECTED,
                items
                        + startup.updates().get()
                        + startup.genericsReceived().get()
                        + startup.lost().get());
        counts.put(Counts.LOST, items - startup.images().get() + startup.lost().get());
        counts.put(Counts.DUPLICATED, startup.duplicated().get());
        counts.put("images", startup.images().get());
        counts.put("updates", startup.updates().get());
        return new StepResult(
                0,
                ConsumerShared.STARTUP,
                0,
                counts,
                ConsumerConnection.Findings.startupNs(findings),
                0,
                0,
                LoopCounts.joined(recorded.latencies()),
                List.of());
    }

    private StepResult steady(final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        final long received =
                steady.updates().get() + steady.postsBack().get() + steady.genericsReceived().get();
        final long postsLost = Math.max(0, steady.posts().get() - steady.postsBack().get());
        counts.put(Counts.RECEIVED, received);
        counts.put(Counts.EXPECTED, received + steady.lost().get() + postsLost);
        counts.put(Counts.LOST, steady.lost().get() + postsLost);
        counts.put(Counts.DUPLICATED, steady.duplicated().get());
        counts.put("updates", steady.updates().get());
        if (settings.postingRate() > 0) {
            counts.put("posts", steady.posts().get());
            counts.put("postsBack", steady.postsBack().get());
        }
        if (settings.genericMsgRate() > 0 || steady.genericsReceived().get() > 0) {
            counts.put("genericMessagesSent", steady.genericsSent().get());
            counts.put("genericMessages", steady.genericsReceived().get());
        }
        return new StepResult(
                1,
                ConsumerShared.STEADY,
                0,
                counts,
                ConsumerConnection.Findings.steadyNs(findings),
                0,
                0,
                LoopCounts.joined(recorded.latencies()),
                reasons());
    }

    private List<String> reasons() {
        final List<String> reasons = new ArrayList<>();
        reasons.addAll(
                held(
                        "posts",
                        steady.posts().get(),
                        settings.postingRate(),
                        ConsumerConnection.Findings::posts));
        reasons.addAll(
                held(
                        "generic messages",
                        steady.genericsSent().get(),
                        settings.genericMsgRate(),
                        ConsumerConnection.Findings::generics));
        return reasons;
    }

    private List<String> held(
            final String what,
            final long sent,
            final long rate,
            final Function<ConsumerConnection.Findings, ItemMessages> sender) {
        final double achieved =
                sent * SECOND_NS / Math.max(1, ConsumerConnection.Findings.steadyNs(findings));
        final boolean isShutOut =
                findings.stream().map(sender).anyMatch(each -> each != null && !each.hasOpenItem());
        return isShutOut && !HeldRate.isHeld(achieved, rate)
                ? List.of(
                        "The consumer sent %.0f %s/s of the %d/s asked for: the provider has closed the items that take them."
                                .formatted(achieved, what, rate))
                : HeldRate.reasons("consumer", "provider", what, achieved, rate);
    }

    /** For a steady state that was reached; otherwise the failure reports them. */
    private List<WatchedItems> withClosedItems() {
        return shared.startup() == null || settings.snapshot()
                ? List.of()
                : findings.stream()
                        .map(ConsumerConnection.Findings::items)
                        .filter(items -> items.closed() > 0)
                        .toList();
    }

    private long closedItems() {
        return withClosedItems().stream().mapToLong(WatchedItems::closed).sum();
    }

    private Map<String, Object> metrics() {
        final long retrievalNs = ConsumerConnection.Findings.retrievalNs(findings);
        final Map<String, Object> images = new LinkedHashMap<>();
        images.put("imageRetrievalNs", retrievalNs);
        images.put("imagesPerSecond", Columns.perSecond(all.images().get(), retrievalNs));
        final Map<String, Object> costs = new LinkedHashMap<>();
        Cost.put(
                costs,
                findings.stream().map(ConsumerConnection.Findings::cost).toList(),
                steady.updates().get());
        return ConsumerCounts.COLUMNS.metrics(
                all,
                steady,
                ConsumerConnection.Findings.steadyNs(findings),
                Set.of(),
                Map.of(
                        "",
                        Map.of("connections", findings.size()),
                        "images",
                        images,
                        "loginRoundTripNs",
                        costs,
                        "recoveredItems",
                        closedItems() == 0 ? Map.of() : Map.of("closedItems", closedItems())));
    }

    private List<String> diagnosis(final StepResult step) {
        final Histogram response = step.latencies().get(Latencies.RESPONSE_NS);
        return LatencyDiagnosis.of(
                startup.updateLatency().meanUs(),
                steady.updateLatency().meanUs(),
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
        if (all.repeated().get() > 0) {
            warnings.add(
                    "%d requests were sent again, as they were not answered within %s (--request-timeout)."
                            .formatted(
                                    all.repeated().get(),
                                    Durations.format(settings.requestTimeout())));
        }
        if (all.strays().get() > 0) {
            warnings.add(
                    "%d messages were ignored: they belong to no item that was asked for, or are of a kind no provider sends."
                            .formatted(all.strays().get()));
        }
        if (all.nacks().get() > 0) {
            warnings.add("%d posts were refused by the provider.".formatted(all.nacks().get()));
        }
        if (all.suspectItems().get() > 0) {
            warnings.add(
                    ("%d items turned suspect and %d of them came back: what provides them behind %s was "
                                    + "gone for a while.")
                            .formatted(
                                    all.suspectItems().get(),
                                    all.recoveredItems().get(),
                                    shared.host() + ":" + shared.port()));
        }
        if (closedItems() > 0) {
            warnings.add(
                    "%d items were closed by the provider, the last one %s; nothing was received for them from then on."
                            .formatted(closedItems(), withClosedItems().getLast().closedWords()));
        }
        warnOfTimes(warnings);
    }

    private void warnOfTimes(final List<String> warnings) {
        final long intended =
                findings.stream().mapToLong(f -> f.intake().updatesWithIntended()).sum();
        if (steady.updateLatency().count() > 0 && intended == 0) {
            warnings.add(
                    "Updates do not say when they were intended (the dictionary has no field TM_INTENDED): service times "
                            + "only, no response times.");
        }
    }

    /** Explains high latencies, as far as the consumer's own figures show the cause. */
    static final class LatencyDiagnosis {
        /** Below it the value is irrelevant. */
        private static final double HIGH_US = 10_000;

        private static final double MUCH_HIGHER = 5;

        private LatencyDiagnosis() {}

        /**
         * Means in us; 0 for what was not measured.
         *
         * @param startupUs service time in the startup state
         * @param serviceUs service time in the steady state
         * @param responseUs response time in the steady state
         */
        static List<String> of(
                final double startupUs, final double serviceUs, final double responseUs) {
            final List<String> sentences = new ArrayList<>();
            if (serviceUs > 0 && startupUs > HIGH_US && startupUs > MUCH_HIGHER * serviceUs) {
                sentences.add(
                        ("Latencies were high at first (mean %s ms at startup, %s ms after): images and "
                                        + "updates share the way then; --delay-steady-state-calc leaves time to "
                                        + "settle, more --output-buffers at the provider may help.")
                                .formatted(ms(startupUs), ms(serviceUs)));
            }
            final double waitedUs = responseUs - serviceUs;
            if (responseUs > HIGH_US && waitedUs > responseUs / 2) {
                sentences.add(
                        ("Latencies are high throughout, and %s of %s ms pass before the provider encodes: the provider is "
                                        + "the saturated side, or has no output buffer because it is not read fast enough "
                                        + "(its backPressured count shows it).")
                                .formatted(ms(waitedUs), ms(responseUs)));
            } else if (Math.max(responseUs, serviceUs) > HIGH_US) {
                sentences.add(
                        ("Latencies are high throughout, and %s ms pass between encoding and decoding: the "
                                        + "connection or the consumer is the saturated side; lower the update rate, "
                                        + "give the consumer a core of its own, or use packing.")
                                .formatted(ms(serviceUs)));
            }
            return sentences;
        }

        private static String ms(final double us) {
            return String.format(Locale.ROOT, "%.1f", us / 1e3);
        }
    }
}
