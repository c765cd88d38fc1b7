package io.tickmark.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static TrialResult waited(final long messages) {
        return new TrialResult(
                "stored",
                "stream",
                "archive:",
                1,
                0,
                "",
                64,
                1,
                5_000,
                5_000,
                5_000,
                0,
                0,
                0,
                Map.of(Counts.WOULD_BLOCK, messages),
                1_000_000_000,
                5_000,
                5_000,
                1,
                2,
                2,
                Map.of(),
                null,
                null,
                List.of(),
                Verdict.PASS,
                List.of(),
                List.of(),
                null);
    }

    @Test
    void shouldSpeakOfOneMessageInTheSingular() {
        assertThat(Backlog.of(waited(1), 0.99, -1))
                .contains("1 message had to wait for room in flight (--flight-size).");
        assertThat(Backlog.of(waited(2), 0.99, -1))
                .contains("2 messages had to wait for room in flight (--flight-size).");
        assertThat(Backlog.of(waited(2), 0.99, 2)).isEmpty();
    }
}
