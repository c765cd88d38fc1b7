package io.tickmark.report.rows;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lines in the words of the streaming suite's tools, which their users and scripts look for. Roles
 * know none of these words: a line is made of figures that they report under names of their own.
 */
public final class SuiteLines {
    /** The name of the jitter tool's line; roles of older results reported it themselves. */
    public static final String FIGURES = "figures";

    private SuiteLines() {}

    /**
     * The line with which a streaming test ends: that of the publisher, or of the subscriber where
     * it is alone. Where nothing acknowledges, the flight size is not available. Messages of a
     * store's warm-up are not among the sends, which must be consistent with duration and rate.
     *
     * @param trial a row of the run
     * @return the line
     */
    public static String ofStream(final TrialResult trial) {
        if (!Sides.isSenderKnown(trial)) {
            return "num_rx_msgs=%d, num_unrec_loss=%d".formatted(trial.received(), trial.lost());
        }
        return String.format(
                Locale.ROOT,
                "actual_sends=%d, duration_ns=%d, result_rate=%f, global_max_tight_sends=%d,"
                        + " max_flight_size=%s",
                trial.sent() - storeWarmUpSent(trial),
                trial.durationNs(),
                trial.achievedRatePerSecond(),
                trial.maxTightSends(),
                trial.counts().containsKey(Counts.MAX_FLIGHT_SIZE)
                        ? trial.counts().get(Counts.MAX_FLIGHT_SIZE).toString()
                        : "n/a");
    }

    private static long storeWarmUpSent(final TrialResult trial) {
        return trial.roles() == null
                ? 0
                : trial.roles().stream()
                        .map(role -> role.metrics().get("storeWarmUpSent"))
                        .filter(Number.class::isInstance)
                        .mapToLong(sent -> ((Number) sent).longValue())
                        .sum();
    }

    /**
     * The jitter tool's line, which ends with a comma.
     *
     * @param role any role of a trial
     * @return the line; empty for other roles, and for those that reported it themselves
     */
    static Optional<String> ofJitter(final RoleSummary role) {
        final Map<String, Object> metrics = role.metrics();
        final boolean isLoop =
                Stream.of("passes", "spinCount", "minNs", "maxNs")
                        .allMatch(metric -> metrics.get(metric) instanceof Number);
        if (!isLoop || metrics.containsKey(FIGURES)) {
            return Optional.empty();
        }
        return Optional.of(
                "o_affinity_cpu=%s, o_jitter_loops=%s, o_spin_cnt=%s, ts_min_ns=%s, ts_max_ns=%s,"
                        .formatted(
                                metrics.getOrDefault("core", -1),
                                metrics.get("passes"),
                                metrics.get("spinCount"),
                                metrics.get("minNs"),
                                metrics.get("maxNs")));
    }
}
