package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class BrowserRowTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static BrowserRow row(
            final long messages,
            final double feedPerSecond,
            final String limit,
            final double queuePerSecond) {
        return row(
                messages,
                "\"limit\": \"%s\", \"queuePerSecond\": %s, \"feedPerSecond\": %s"
                        .formatted(limit, queuePerSecond, feedPerSecond));
    }

    private static BrowserRow row(final long messages, final String figures) {
        return BrowserRow.read(
                JSON.readTree(
                        """
                        {"name": "a", "seconds": 10, "messages": %d, "lost": 0, %s, "buckets": [], "notPositive": 0,
                         "settings": {"channel": "ws-binary", "messageBytes": 64, "rate": 1000}}\
                        """
                                .formatted(messages, figures)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|1000|none|0|the page received nothing",
                "9000|1000|decode|0|the page did not keep up; its limit was decode",
                "9000|989|none|0|the feed made 989 of the requested 1,000 messages a second",
                "9000|1000|none|11|the page did not keep up; the queue grew by 11 messages a second"
            })
    void shouldSayWhyThePageDidNotKeepUp(
            final long messages,
            final double feedPerSecond,
            final String limit,
            final double queuePerSecond,
            final String why) {
        assertThat(row(messages, feedPerSecond, limit, queuePerSecond).notKeptUp()).contains(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"limit\": \"render\", \"behindPart\": 0.05, \"feedPerSecond\": 1000",
                "\"limit\": \"none\", \"source\": \"shm://prices\", \"feedPerSecond\": 400"
            })
    void shouldKeepUpWhereThePageSaidSo(final String figures) {
        assertThat(row(9_900, figures).notKeptUp()).isEmpty();
    }

    /** Its label says the interval that its settings asked for. */
    @Test
    void shouldSayThatTheFlushIntervalWasNotHeld() {
        assertThat(flushed(9_000, 2_700).notKeptUp())
                .contains(
                        "the flush interval was not held: 2,700 of 9,000 flushes were late by an interval or more");
        assertThat(flushed(9_000, 90).notKeptUp()).isEmpty();
        assertThat(flushed(9_000, 91).notKeptUp()).isPresent();
        assertThat(flushed(9_000, 2_700).figures())
                .containsEntry("flushes", 9_000.0)
                .containsEntry("lateFlushes", 2_700.0);
    }

    private static BrowserRow flushed(final long flushes, final long late) {
        return row(
                9_900,
                "\"limit\": \"none\", \"feedPerSecond\": 1000, \"flushes\": %d, \"lateFlushes\": %d"
                        .formatted(flushes, late));
    }

    /** One delay of three intervals failed it. */
    @Test
    void shouldKeepUpWithAFlushOrTwoOfASlowFeedThatWereLate() {
        assertThat(flushed(200, 1).notKeptUp()).isEmpty();
        assertThat(flushed(10, 2).notKeptUp()).isEmpty();
        assertThat(flushed(10, 3).notKeptUp()).isPresent();
    }

    @Test
    void shouldNotHaveKeptUpWhereFramesWereLateForLong() {
        assertThat(
                        row(
                                        9_900,
                                        "\"limit\": \"render\", \"behindPart\": 0.1, \"feedPerSecond\": 1000")
                                .notKeptUp())
                .contains("the page did not keep up; its limit was render");
    }

    /** A row has no figure where nothing was timed, and the clock of the server was not known. */
    @Test
    void shouldTakeEmptyFiguresAndBeVoidNotFailedWhereNothingCouldBeTimed() {
        final BrowserRow row =
                BrowserRow.read(
                        JSON.readTree(
                                """
                                {"name": "a", "seconds": 10, "messages": 9900, "lost": 0, "feedPerSecond": 1000,
                                 "buckets": [], "notPositive": 9900, "meanNs": null, "p50Ns": null, "p99Ns": null,
                                 "maxNs": null, "frameMs": null, "clockBoundNs": null, "limit": "unknown",
                                 "behindPart": 1, "queuePerSecond": 0,
                                 "settings": {"channel": "ws-binary", "messageBytes": 64, "rate": 1000}}\
                                """));
        assertThat(row.summary()).isEmpty();
        assertThat(row.figures()).doesNotContainKeys("clockBoundNs", "frameMs");
        assertThat(row.whyNotTimed()).isPresent();
        assertThat(row.notKeptUp()).isEmpty();
        assertThat(row.notKnown()).isEmpty();
    }

    /** Nobody could look, which is neither kept up nor failed. */
    @Test
    void shouldSayWhatIsNotKnown() {
        final BrowserRow row =
                row(
                        9_000,
                        """
                        "limit": "unknown", "feedPerSecond": 1000, "thresholds": [
                         {"key": "p99LimitMs", "name": "p99", "unit": "ms", "limit": 5, "value": null, "state": "unknown"},
                         {"key": "lateLimitPercent", "name": "frames late", "unit": "%", "limit": 2, "value": 3,
                          "state": "fails"}]\
                        """);

        assertThat(row.notKeptUp()).isEmpty();
        assertThat(row.notKnown())
                .containsExactly(
                        "whether the page kept up is not known: the server, or its own worker, said nothing,"
                                + " or no message could be timed",
                        "whether p99 was within the threshold of 5.0 ms is not known: there were too few to tell");
        assertThat(row.broken())
                .containsExactly("frames late was 3.0 %, more than the threshold of 2.0 %");
    }

    /** Those after the twentieth were not judged, and the row passed. */
    @Test
    void shouldRefuseMoreThresholdsThanItJudges() {
        final String threshold =
                "{\"name\": \"p99\", \"unit\": \"ms\", \"limit\": 5, \"value\": 9, \"state\": \"%s\"}";
        final List<String> all =
                new ArrayList<>(Collections.nCopies(20, threshold.formatted("passes")));
        final String thresholds = "\"feedPerSecond\": 1000, \"thresholds\": ";
        assertThat(row(9_900, thresholds + all).broken()).isEmpty();
        all.add(threshold.formatted("fails"));

        assertThatThrownBy(() -> row(9_900, thresholds + all))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("at most 20 thresholds");
    }

    /** It read as a feed that made nothing, and the row failed. */
    @Test
    void shouldNotBlameAFeedOfWhichNothingIsKnown() {
        final BrowserRow row =
                row(
                        9_900,
                        "\"limit\": \"none\", \"behindPart\": 0, \"feedPerSecond\": null, \"queuePerSecond\": 9000");

        assertThat(row.notKeptUp()).isEmpty();
        assertThat(row.notKnown())
                .containsExactly("what the feed made is not known: the server did not say");
        assertThat(row(0, "\"feedPerSecond\": null").notKeptUp()).isPresent();
        assertThat(row(9_900, "\"feedPerSecond\": null, \"limit\": \"server\"").notKeptUp())
                .contains("the feed did not reach the requested rate");
    }

    @Test
    void shouldKeepUpWithAMessageMoreOrLess() {
        assertThat(row(9_900, 991, "none", 9).notKeptUp()).isEmpty();
    }
}
