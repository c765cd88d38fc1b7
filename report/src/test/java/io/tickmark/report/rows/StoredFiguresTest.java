package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.report.Trials;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredFiguresTest {
    private static RoleSummary role(final String name, final Map<String, Object> metrics) {
        return new RoleSummary(name, 1, metrics, List.of());
    }

    @Test
    void shouldPreferWhatAPublisherLearntFromTheServerToWhatItsChannelPromises() {
        final TrialResult trial =
                Trials.stream()
                        .roles(
                                role("store", Map.of("durability", "D1 page cache")),
                                role("stream-pub", Map.of("durability", "D0 memory")))
                        .row();

        assertThat(StoredFigures.reported(trial, "durability")).contains("D0 memory");
        assertThat(StoredFigures.said(trial, "durability")).isEqualTo("D0 memory");
    }

    @Test
    void shouldSayWhatTheStorePromisesWhereNobodyWhoUsesItSaysMore() {
        final TrialResult trial =
                Trials.stream()
                        .roles(
                                role("store", Map.of("durability", "D1 page cache")),
                                role("stream-pub", Map.of()))
                        .row();

        assertThat(StoredFigures.reported(trial, "durability")).contains("D1 page cache");
    }

    @Test
    void shouldSayThatNothingIsReportedWhereNoRoleDoes() {
        final TrialResult trial = Trials.stream().roles(role("stream-pub", Map.of())).row();

        assertThat(StoredFigures.reported(trial, "durability")).isEmpty();
        assertThat(StoredFigures.said(trial, "durability")).isEqualTo("n/a");
    }
}
