package io.tickmark.console;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.session.FlushInterval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/**
 * A benchmark row as a page measured it.
 *
 * @param name that its user gave it
 * @param channel that messages came by
 * @param messageBytes of each
 * @param seconds that were measured
 * @param messages received
 * @param lost messages that were numbered and not seen
 * @param feedPerSecond what the feed made; empty where the page does not know it
 * @param askedPerSecond what the feed was asked for; 0 for no rate
 * @param latency response times in ns
 * @param notPositive latencies that were too short to time
 * @param figures everything else, to show
 * @param broken a clause for each threshold that was set and did not hold
 * @param notJudged a clause for each threshold that was set, of which nobody knows whether it held
 */
public record BrowserRow(
        String name,
        String channel,
        int messageBytes,
        double seconds,
        long messages,
        long lost,
        OptionalDouble feedPerSecond,
        double askedPerSecond,
        Histogram latency,
        long notPositive,
        Map<String, Object> figures,
        List<String> broken,
        List<String> notJudged) {
    private static final String NO_LIMIT = "none";
    private static final String SERVER_LIMIT = "server";
    private static final String UNKNOWN_LIMIT = "unknown";

    /** As for the limit that a row names. */
    private static final double MOST_BEHIND_TIME_PART = 0.1;

    private static final double BEHIND_PART = 0.01;

    /** A second of a slow feed holds a message more or less, by where it begins. */
    private static final double SLACK_PER_SECOND = 2;

    private static final int MAX_ROWS = 500;
    private static final int MAX_BUCKETS = 10_000;
    private static final int MAX_TEXT = 200;
    private static final int MAX_THRESHOLDS = 20;
    private static final long HIGHEST_NS = 3_600_000_000_000L;
    private static final double MAX_SECONDS = 86_400;
    private static final double MAX_COUNT = 1e15;
    private static final double ROUNDED = 1000;
    private static final List<String> SETTINGS =
            List.of(
                    "symbols",
                    "threads",
                    "sleepMs",
                    "rate",
                    "maxFrequency",
                    "conflation",
                    "flushMs",
                    "guaranteed",
                    "framesPerSecond",
                    "rendering",
                    "renderer",
                    "flash",
                    "p99LimitMs",
                    "screenLimitMs",
                    "lateLimitPercent");
    private static final List<String> RESULTS =
            List.of(
                    "perSecond",
                    "frames",
                    "bytes",
                    "merged",
                    "dropped",
                    "busy",
                    "frameMs",
                    "hiddenPart",
                    "behindPart",
                    "clockBoundNs",
                    "limit",
                    "screenP50Ns",
                    "screenP99Ns",
                    "screenMaxNs",
                    "latePart",
                    "queuePerSecond",
                    "flushes",
                    "lateFlushes",
                    "source",
                    "browser");

    /**
     * Figures of the latency.
     *
     * @return empty where there is none
     */
    public Optional<LatencySummary> summary() {
        return latency.getTotalCount() == 0
                ? Optional.empty()
                : Optional.of(LatencySummary.of(latency));
    }

    /**
     * Why the page, its feed or its flushes have not kept up; its search for the highest rate is
     * stricter.
     *
     * @return a clause; empty where they have kept up
     */
    public Optional<String> notKeptUp() {
        final double queuePerSecond = figure("queuePerSecond");
        final Object limit = figures.getOrDefault("limit", NO_LIMIT);
        if (messages == 0) {
            return Optional.of("the page received nothing");
        }
        if (wasBehind()
                && !limit.equals(UNKNOWN_LIMIT)
                && !limit.equals(NO_LIMIT)
                && !limit.equals(SERVER_LIMIT)) {
            return Optional.of("the page did not keep up; its limit was " + limit);
        }
        if (feedPerSecond.isEmpty()) {
            return wasBehind() && limit.equals(SERVER_LIMIT)
                    ? Optional.of("the feed did not reach the requested rate")
                    : whyNotFlushed();
        }
        final double madePerSecond = feedPerSecond.getAsDouble();
        if (wasBehind() && limit.equals(SERVER_LIMIT)
                || isMadeHere() && isBehind(askedPerSecond, madePerSecond)) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "the feed made %,.0f of the requested %,.0f messages a second",
                            madePerSecond,
                            askedPerSecond));
        }
        if (isBehind(madePerSecond, madePerSecond - queuePerSecond)) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "the page did not keep up; the queue grew by %,.0f messages a second",
                            queuePerSecond));
        }
        return whyNotFlushed();
    }

    private Optional<String> whyNotFlushed() {
        final double flushes = figure("flushes");
        final double lateFlushes = figure("lateFlushes");
        return FlushInterval.isHeld(flushes, lateFlushes)
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                "the flush interval was not held: %,.0f of %,.0f flushes were late by an interval or more",
                                lateFlushes,
                                flushes));
    }

    /** 0 where the row does not know it. */
    private double figure(final String key) {
        return figures.get(key) instanceof final Number value ? value.doubleValue() : 0;
    }

    /**
     * What nobody could judge, besides {@link #whyNotTimed}: a row of which that is not known has
     * not passed.
     *
     * @return clauses; empty where all is known
     */
    public List<String> notKnown() {
        final List<String> clauses = new ArrayList<>();
        if (messages > 0
                && wasBehind()
                && figures.getOrDefault("limit", NO_LIMIT).equals(UNKNOWN_LIMIT)
                && whyNotTimed().isEmpty()) {
            clauses.add(
                    "whether the page kept up is not known: the server, or its own worker, said nothing"
                            + ", or no message could be timed");
        }
        if (messages > 0 && feedPerSecond.isEmpty()) {
            clauses.add("what the feed made is not known: the server did not say");
        }
        clauses.addAll(notJudged);
        return clauses;
    }

    private boolean wasBehind() {
        return !(figures.get("behindPart") instanceof final Number part)
                || part.doubleValue() >= MOST_BEHIND_TIME_PART;
    }

    /**
     * Whether too many of its latencies were too short to time.
     *
     * @return a sentence; empty where the others stand for all
     */
    public Optional<String> whyNotTimed() {
        return TrialResult.whyNotTimed(notPositive, latency.getTotalCount());
    }

    /** A channel is not asked for a rate: its publisher has one. */
    private boolean isMadeHere() {
        return !figures.getOrDefault("source", "").toString().contains(":");
    }

    /** As the page judges it. */
    private static boolean isBehind(final double wanted, final double done) {
        return wanted - done > Math.max(BEHIND_PART * wanted, SLACK_PER_SECOND);
    }

    /**
     * Reads rows that a page sends; bounded, whatever they hold.
     *
     * @param json a list of rows
     * @return the rows
     * @throws UserError if they are none
     */
    public static List<BrowserRow> readAll(final JsonNode json) {
        if (!json.isArray() || json.isEmpty() || json.size() > MAX_ROWS) {
            throw UserError.usage("rows: must be a list of 1 to " + MAX_ROWS + " rows.");
        }
        final List<BrowserRow> rows = new ArrayList<>();
        for (final JsonNode each : json) {
            rows.add(read(each));
        }
        return List.copyOf(rows);
    }

    /**
     * Reads one row.
     *
     * @param json of the row
     * @return the row
     * @throws UserError if it is none
     */
    public static BrowserRow read(final JsonNode json) {
        final JsonNode settings = json.path("settings");
        final Map<String, Object> figures = new LinkedHashMap<>();
        SETTINGS.forEach(key -> put(figures, key, settings.path(key)));
        RESULTS.forEach(key -> put(figures, key, json.path(key)));
        final JsonNode search = json.path("search");
        put(figures, "limitHeldPerSecond", search.path("held"));
        put(figures, "limitFailedPerSecond", search.path("failed"));
        put(figures, "limitConfirmed", search.path("isConfirmed"));
        return new BrowserRow(
                text(json, "name"),
                text(settings, "channel"),
                (int) number(settings, "messageBytes", 1e6),
                number(json, "seconds", MAX_SECONDS),
                (long) number(json, "messages", MAX_COUNT),
                (long) number(json, "lost", MAX_COUNT),
                json.path("feedPerSecond").isNull()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(number(json, "feedPerSecond", MAX_COUNT)),
                number(settings, "rate", MAX_COUNT),
                histogram(json.path("buckets")),
                (long) number(json, "notPositive", MAX_COUNT),
                figures,
                thresholds(json, "fails", BrowserRow::broken),
                thresholds(json, "unknown", BrowserRow::notJudged));
    }

    private static void put(
            final Map<String, Object> figures, final String key, final JsonNode value) {
        if (value.isNumber()) {
            figures.put(key, value.isIntegralNumber() ? value.asLong(0) : value.asDouble(0));
        } else if (value.isBoolean()) {
            figures.put(key, value.asBoolean());
        } else if (value.isString()) {
            figures.put(key, cut(value.asString()));
        }
    }

    /** Rows of earlier versions have none. */
    private static List<String> thresholds(
            final JsonNode row, final String state, final Function<JsonNode, String> words) {
        final JsonNode thresholds = row.path("thresholds");
        if (thresholds.size() > MAX_THRESHOLDS) {
            throw UserError.usage(
                    "thresholds: must be a list of at most " + MAX_THRESHOLDS + " thresholds.");
        }
        final List<String> clauses = new ArrayList<>();
        for (int i = 0; i < thresholds.size(); i++) {
            final JsonNode each = thresholds.path(i);
            if (each.path("state").asString("").equals(state)) {
                clauses.add(words.apply(each));
            }
        }
        return List.copyOf(clauses);
    }

    private static String broken(final JsonNode threshold) {
        return "%s was %s %s, more than the threshold of %s %s"
                .formatted(
                        text(threshold, "name"),
                        Math.round(number(threshold, "value", MAX_COUNT) * ROUNDED) / ROUNDED,
                        text(threshold, "unit"),
                        number(threshold, "limit", MAX_COUNT),
                        text(threshold, "unit"));
    }

    private static String notJudged(final JsonNode threshold) {
        return "whether %s was within the threshold of %s %s is not known: there were too few to tell"
                .formatted(
                        text(threshold, "name"),
                        number(threshold, "limit", MAX_COUNT),
                        text(threshold, "unit"));
    }

    private static String cut(final String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    /** A text of bounded length. */
    static String text(final JsonNode of, final String key) {
        final JsonNode value = of.path(key);
        if (!value.isString()) {
            throw UserError.usage("rows: '" + key + "' must be text.");
        }
        return cut(value.asString());
    }

    private static double number(final JsonNode of, final String key, final double max) {
        final JsonNode value = of.path(key);
        final double number = value.isNumber() ? value.asDouble(-1) : -1;
        if (!(number >= 0 && number <= max)) {
            throw UserError.usage("rows: '" + key + "' must be a number from 0.");
        }
        return number;
    }

    private static Histogram histogram(final JsonNode buckets) {
        if (!buckets.isArray() || buckets.size() > MAX_BUCKETS) {
            throw UserError.usage("rows: 'buckets' must be a list of latencies and their counts.");
        }
        final Histogram histogram = new Histogram(1, HIGHEST_NS, 3);
        for (final JsonNode bucket : buckets) {
            final long ns = bucket.path(0).asLong(-1);
            final long count = bucket.path(1).asLong(-1);
            if (ns < 1 || ns > HIGHEST_NS || count < 1 || count > (long) MAX_COUNT) {
                throw UserError.usage(
                        "rows: 'buckets' holds something that is not a latency and its count.");
            }
            histogram.recordValueWithCount(ns, count);
        }
        return histogram;
    }
}
