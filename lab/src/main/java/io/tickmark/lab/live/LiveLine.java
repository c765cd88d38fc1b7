package io.tickmark.lab.live;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A line of {@link LiveFile#NAME}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LiveLine.Run.class, name = "run"),
    @JsonSubTypes.Type(value = LiveTick.class, name = "tick"),
    @JsonSubTypes.Type(value = LiveLine.Row.class, name = "row"),
    @JsonSubTypes.Type(value = LiveLine.End.class, name = "end")
})
public sealed interface LiveLine permits LiveTick, LiveLine.Run, LiveLine.Row, LiveLine.End {
    /**
     * The first line.
     *
     * @param plan its name
     * @param startedAt ISO 8601
     * @param trials how many there will be
     * @param expectedSeconds expected duration
     * @param pid of the process that leads the run
     * @param pidSinceMs when that process began, ms since 1970, to distinguish it from a later one
     *     with the same number
     */
    record Run(
            String plan,
            String startedAt,
            int trials,
            double expectedSeconds,
            long pid,
            long pidSinceMs)
            implements LiveLine {}

    /**
     * A row is final.
     *
     * @param seconds since the run began
     * @param test name of the test
     * @param channel one of its channels
     * @param repeat from 1
     * @param label of the step
     * @param verdict of the row
     * @param lost messages
     * @param reasons for the verdict
     * @param ratePerSecond achieved
     * @param latencies of the whole step by name, without buckets
     * @param tail where its latency above the median comes from, from the median up; empty where
     *     that was not examined
     * @param curves percentiles of the whole step by latency, the lowest first
     * @param undisturbed the same without the messages that the machine disturbed; none where these
     *     figures are refused
     * @param leftOut what these leave out; absent where the tail is not attributed
     */
    record Row(
            double seconds,
            String test,
            String channel,
            int repeat,
            String label,
            String verdict,
            long lost,
            List<String> reasons,
            double ratePerSecond,
            Map<String, LatencyInterval> latencies,
            List<TailBand> tail,
            Map<String, List<Percentile>> curves,
            List<Percentile> undisturbed,
            LeftOut leftOut)
            implements LiveLine {
        /** Lines of 0.1.0 lack the last four. */
        public Row {
            tail = tail == null ? List.of() : List.copyOf(tail);
            curves = curves == null ? Map.of() : curves;
            undisturbed = undisturbed == null ? List.of() : List.copyOf(undisturbed);
        }
    }

    /**
     * What undisturbed figures leave out.
     *
     * @param part of the examined messages, 0 to 1
     * @param refused why there are no such figures, a clause; empty where there are
     */
    record LeftOut(double part, String refused) {
        /**
         * That of a row.
         *
         * @param tail of the row; null where it was not examined
         * @return null where the tail is not attributed
         */
        public static LeftOut of(final TailSummary tail) {
            return tail == null || !tail.whyNotAttributed().isEmpty()
                    ? null
                    : new LeftOut(tail.undisturbed().leftOutPart(), tail.undisturbed().refused());
        }
    }

    /**
     * A point of a percentile curve.
     *
     * @param percentile 50 to 100, which is the maximum
     * @param ns at most so many messages took longer
     */
    record Percentile(double percentile, long ns) {
        /**
         * Those of a latency that are reportable.
         *
         * @param latency of a step
         * @return the lowest first
         */
        public static List<Percentile> of(final LatencySummary latency) {
            final List<Percentile> all = new ArrayList<>();
            latency.p50().ifPresent(ns -> all.add(new Percentile(50, ns)));
            latency.p90().ifPresent(ns -> all.add(new Percentile(90, ns)));
            latency.p95().ifPresent(ns -> all.add(new Percentile(95, ns)));
            latency.p99().ifPresent(ns -> all.add(new Percentile(99, ns)));
            latency.p999().ifPresent(ns -> all.add(new Percentile(99.9, ns)));
            latency.p9999().ifPresent(ns -> all.add(new Percentile(99.99, ns)));
            all.add(new Percentile(100, latency.max()));
            return all;
        }
    }

    /**
     * A cause of the latency of a band.
     *
     * @param owner {@link TailSummary#MACHINE} or another
     * @param cause in words
     * @param evidence {@code dated}, {@code apportioned} or {@code inferred}
     * @param ns of all messages of the band
     */
    record TailCause(String owner, String cause, String evidence, long ns) {}

    /**
     * The messages of a row between two percentiles, and parts of their latency above the median.
     *
     * @param fromPercentile exclusive
     * @param toPercentile inclusive
     * @param messages in it
     * @param partNs by owner ({@link TailSummary#MACHINE} and the others) and {@code rest}, ns of
     *     all of them
     * @param cause the largest of all, in words; empty where the rest is larger
     * @param causes all of them, the largest first
     */
    record TailBand(
            double fromPercentile,
            double toPercentile,
            long messages,
            Map<String, Long> partNs,
            String cause,
            List<TailCause> causes) {
        private static final List<String> OWNERS =
                List.of(
                        TailSummary.MACHINE,
                        TailSummary.SYSTEM,
                        TailSummary.BENCH,
                        TailSummary.UNKNOWN);

        /**
         * The bands of a row.
         *
         * @param tail of the row; null where it was not examined
         * @return from the median up
         */
        public static List<TailBand> of(final TailSummary tail) {
            return tail == null ? List.of() : tail.bands().stream().map(TailBand::of).toList();
        }

        private static TailBand of(final TailSummary.Band band) {
            final Map<String, Long> parts = new LinkedHashMap<>();
            OWNERS.forEach(owner -> parts.put(owner, band.ns(owner)));
            parts.put("rest", band.restNs());
            final boolean isCharged =
                    !band.charges().isEmpty() && band.charges().getFirst().ns() > band.restNs();
            return new TailBand(
                    band.fromPercentile(),
                    band.toPercentile(),
                    band.messages(),
                    parts,
                    isCharged ? band.charges().getFirst().cause() : "",
                    causes(band));
        }

        /** Of a cause, what was stalled and what waited behind that, together. */
        private static List<TailCause> causes(final TailSummary.Band band) {
            final Map<TailCause, Long> sums = new LinkedHashMap<>();
            band.charges()
                    .forEach(each ->
                            sums.merge(
                                    new TailCause(each.owner(), each.cause(), each.evidence(), 0),
                                    each.ns(),
                                    Long::sum));
            return sums.entrySet().stream()
                    .map(each ->
                            new TailCause(
                                    each.getKey().owner(),
                                    each.getKey().cause(),
                                    each.getKey().evidence(),
                                    each.getValue()))
                    .sorted(Comparator.comparingLong(TailCause::ns).reversed())
                    .toList();
        }
    }

    /**
     * The last line; a run without it still runs, or was aborted.
     *
     * @param seconds since the run began
     * @param verdict of the run
     */
    record End(double seconds, String verdict) implements LiveLine {}
}
