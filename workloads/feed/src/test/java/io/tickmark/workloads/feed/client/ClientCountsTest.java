package io.tickmark.workloads.feed.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever clients missed, or could not time, is told. */
class ClientCountsTest {
    private final ClientCounts counts = ClientCounts.COLUMNS.zero();

    private void flushed(final long flushes, final long late) {
        counts.flushes().set(flushes);
        counts.lateFlushes().set(late);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "10, 2", "200, 2", "9000, 90"})
    void shouldNotWarnOfAnIntervalThatWasHeld(final long flushes, final long late) {
        flushed(flushes, late);

        assertThat(counts.warnings()).isEmpty();
    }

    @Test
    void shouldSayHowManyFlushesWereLate() {
        flushed(200, 3);

        assertThat(counts.warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "The flush interval was not held: 3 of 200 flushes were late by an interval or"
                                + " more (1.50 %); more --session-threads");
    }

    @Test
    void shouldSayWhichMessagesHaveNoTimes() {
        counts.fromArrival().set(1);
        counts.lagTooLong().set(2);

        assertThat(counts.warnings())
                .satisfiesExactly(
                        first ->
                                assertThat(first)
                                        .startsWith(
                                                "Response times are not measured for 1 message, and its service time counts"
                                                        + " from when it arrived at the server: its source"),
                        second ->
                                assertThat(second)
                                        .startsWith(
                                                "Service times are not measured for 2 messages: they were sent more"));
        assertThat(metrics()).containsEntry("lagTooLong", 2L);
    }

    @Test
    void shouldLeaveOutOfTheMetricsWhatDidNotHappen() {
        assertThat(metrics()).containsOnlyKeys("clients");
    }

    private Map<String, Object> metrics() {
        return ClientCounts.COLUMNS.metrics(counts, counts, 0, Set.of(), Map.of());
    }

    @Test
    void shouldFailWhereClientsReceivedNothing() {
        counts.silent().set(2);

        assertThat(ClientCounts.COLUMNS.failures(counts, Map.of()))
                .isEqualTo(
                        List.of(
                                "2 of the clients never received a message, though the feed had some for them."));
    }
}
