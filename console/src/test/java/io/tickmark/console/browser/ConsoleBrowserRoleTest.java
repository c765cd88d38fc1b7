package io.tickmark.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.console.BrowserRow;
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
        final BrowserRow row =
                BrowserRow.read(
                        JSON.readTree(
                                """
                                {"name": "a", "seconds": 10, "messages": 9900, "lost": 0, "feedPerSecond": %s,
                                 "buckets": [[1000, 9900]], "notPositive": 0, "limit": "%s", "queuePerSecond": 0,
                                 "thresholds": [{"name": "p99", "unit": "ms", "limit": 5, "value": 7, "state": "%s"}],
                                 "settings": {"channel": "ws-binary", "messageBytes": 64, "rate": 1000}}\
                                """
                                        .formatted(feedPerSecond, limit, threshold)));

        assertThat(ConsoleBrowserRole.notKnown(row)).isEqualTo(why);
    }
}
