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

    /** The second of two topics only, and one that did not report. */
    @Test
    void shouldExpectOfEachSubscriberOnlyWhatItAsksFor() {
        final StepMerge merge = published(Set.of("sub-1", "sub-2"));
        merge.add(counted(Map.of("sub-2.notAskedFor", 50L, "sub-3.notAskedFor", 50L)));
        assertThat(merge.expected()).isEqualTo(150);

        merge.add(counted(Map.of(Counts.RECEIVED, 100L)));
        merge.add(counted(Map.of(Counts.RECEIVED, 49L)));

        assertThat(Judge.lost(merge)).isEqualTo(1);
    }

    private static StepResult counted(final Map<String, Long> counts) {
        return new StepResult(0, "", 64, counts, 1_000, 0, 0, Map.of(), List.of());
    }

    @Test
    void shouldCountThoseWhoReportWhereAnyDoes() {
        final StepMerge merge = published(Set.of("sub-1", "sub-2"));

        assertThat(merge.subscribers()).isEqualTo(2);
        assertThat(merge.expected()).isEqualTo(200);
    }

    @Test
    void shouldKeepTheLargestOfAMaximumAndSumOtherCounts() {
        final StepMerge merge = published(Set.of());
        merge.add(counted(Map.of(Counts.SENT, 50L, Counts.MAX_LAG_NS, 7_000L)));
        merge.add(counted(Map.of(Counts.MAX_LAG_NS, 5_000L)));

        assertThat(merge.count(Counts.SENT)).isEqualTo(150);
        assertThat(merge.count(Counts.MAX_LAG_NS)).isEqualTo(7_000);
    }
}
