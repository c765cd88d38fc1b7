package io.tickmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.rows.SuiteLines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StreamTableTest {
    /** A second at 1000 a second, and 50 messages of the store's warm-up. */
    private final TrialResult stored =
            Trials.stream()
                    .sent(1_050)
                    .rate(1_000, 1_000)
                    .count("applicationMessages", 2_000)
                    .roles(
                            new TrialResult.RoleSummary(
                                    "stream-pub",
                                    1,
                                    Map.of("storeWarmUpSent", 50, "messagesPerSend", 2),
                                    List.of()))
                    .row();

    @Test
    void shouldLeaveTheWarmUpOfAStoreOutOfTheLineOfFigures() {
        assertThat(SuiteLines.ofStream(stored)).startsWith("actual_sends=1000, ");
    }

    @Test
    void shouldCountApplicationMessagesAsThePublisherWasTold() {
        assertThat(StreamTable.application(stored))
                .contains("Counted as 2,000 application messages, 2 for each sent: 2,000/s.");
    }
}
