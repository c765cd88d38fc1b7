package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class BrowserRowTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static BrowserRow row(
            final long messages,
            final double feedPerSecond,
            final String limit,
            final double queuePerSecond) {
        return BrowserRow.read(
                JSON.readTree(
                        """
                        {"name": "a", "seconds": 10, "messages": %d, "lost": 0, "feedPerSecond": %s, "buckets": [],
                         "notPositive": 0, "limit": "%s", "queuePerSecond": %s,
                         "settings": {"channel": "ws-binary", "messageBytes": 64, "rate": 1000}}\
                        """
                                .formatted(messages, feedPerSecond, limit, queuePerSecond)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|1000|none|0|the page received nothing",
                "9000|1000|decode|0|the page did not keep up, its limit was decode",
                "9000|989|none|0|the feed made 989 messages a second of the 1,000 that it was asked for",
                "9000|1000|none|11|the page did not keep up, 11 more messages waited each second"
            })
    void shouldSayWhyThePageDidNotKeepUp(
            final long messages,
            final double feedPerSecond,
            final String limit,
            final double queuePerSecond,
            final String why) {
        assertThat(row(messages, feedPerSecond, limit, queuePerSecond).notKeptUp()).contains(why);
    }

    @Test
    void shouldKeepUpWithAMessageMoreOrLess() {
        assertThat(row(9_900, 991, "none", 9).notKeptUp()).isEmpty();
    }
}
