package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StepMergeTest {
    private static StepMerge published(final Set<String> receivers) {
        final StepMerge merge = new StepMerge(0, receivers);
        merge.add(
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 100L, Counts.COUNTED_IN, 3L),
                        1_000,
                        0,
                        50,
                        Map.of(),
                        List.of()));
        return merge;
    }

    @Test
    void shouldTakeThePublishersWordWhereNoSubscriberIsHeardOf() {
        final StepMerge merge = published(Set.of());

        assertThat(merge.subscribers()).isEqualTo(3);
        assertThat(merge.expected()).isEqualTo(300);
        assertThat(Judge.lost(merge)).isZero();
    }

    @Test
    void shouldCountThoseWhoReportWhereAnyDoes() {
        final StepMerge merge = published(Set.of("sub-1", "sub-2"));

        assertThat(merge.subscribers()).isEqualTo(2);
        assertThat(merge.expected()).isEqualTo(200);
    }
}
