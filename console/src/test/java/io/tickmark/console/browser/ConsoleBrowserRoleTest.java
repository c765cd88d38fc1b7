package io.tickmark.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.console.BrowserRow;
import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.kernel.result.Latencies;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ConsoleBrowserRoleTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unknown|passes|1000|Whether the page kept up is not known: the server, or its own worker, said nothing,"
                        + " or no message could be timed.",
                "none|unknown|1000|Whether p99 was within the threshold of 5.0 ms is not known: there were too few to tell.",
                "none|passes|1000|''",
                "none|passes|null|What the feed made is not known: the server did not say.",
                // what is known to have failed is no less so
                "unknown|unknown|500|''",
                "decode|unknown|1000|''",
                "unknown|fails|1000|''"
            })
    void shouldBeVoidWhereNobodyCouldLookAndNothingFailed(
            final String limit,
            final String threshold,
            final String feedPerSecond,
            final String why) {
        final BrowserRow row = row(limit, threshold, feedPerSecond);

        assertThat(ConsoleBrowserRole.notKnown(row)).isEqualTo(why);
    }

    /** A time to recover was made of when the row was over. */
    @Test
    void shouldNotTakeTheEndOfTheRowForTheArrivalOfItsMessages() {
        final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        recording.watchFaults(0);
        recording.beginStep(0, "row");

        ConsoleBrowserRole.take(
                row("none", "passes", 1000), recording.latency(Latencies.RESPONSE_NS));

        assertThat(recording.deliveries()).isEmpty();
        assertThat(recording.endStep().latencies().get(Latencies.RESPONSE_NS).getTotalCount())
                .isEqualTo(9900);
    }

    private static BrowserRow row(
            final String limit, final String threshold, final Object feedPerSecond) {
        return BrowserRow.read(
                JSON.readTree(
                        """
                        {"name": "a", "seconds": 10, "messages": 9900, "lost": 0, "feedPerSecond": %s,
                         "buckets": [[1000, 9900]], "notPositive": 0, "limit": "%s", "queuePerSecond": 0,
                         "thresholds": [{"name": "p99", "unit": "ms", "limit": 5, "value": 7, "state": "%s"}],
                         "settings": {"channel": "ws-binary", "messageBytes": 64, "rate": 1000}}\
                        """
                                .formatted(feedPerSecond, limit, threshold)));
    }
}
