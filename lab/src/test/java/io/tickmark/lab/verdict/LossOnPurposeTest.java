package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.verdict.Judge.Judgement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LossOnPurposeTest {
    private static StepResult counted(final Map<String, Long> counts) {
        return new StepResult(0, "", 64, counts, 1, 0, 0, Map.of(), List.of());
    }

    /** Ten of a hundred messages are not sent. */
    private static StepMerge received(final long first, final long second) {
        final StepMerge merge = new StepMerge(0, Set.of("sub-1", "sub-2"));
        merge.add(counted(Map.of(Counts.SENT, 100L, Counts.LOST_ON_PURPOSE, 10L)));
        merge.add(counted(Map.of(Counts.RECEIVED, first)));
        merge.add(counted(Map.of(Counts.RECEIVED, second)));
        return merge;
    }

    private static Judgement judged(final StepMerge step) {
        return new Judge(
                        Settings.read(Criteria.class, Map.of(), key -> key),
                        step,
                        null,
                        new Judge.ClockBound(0, true),
                        false,
                        false,
                        false)
                .judge(false);
    }

    @Test
    void shouldPassWhereEverySubscriberMissesExactlyWhatWasNotSent() {
        assertThat(judged(received(90, 90))).isEqualTo(new Judgement(Verdict.PASS, List.of()));
    }

    @Test
    void shouldFailWhereOneMessageMoreIsMissing() {
        assertThat(judged(received(90, 89)))
                .isEqualTo(
                        new Judgement(
                                Verdict.FAIL,
                                List.of(
                                        "Lost 1 of 200 messages expected (0.5000 %) besides 20 on purpose; at most"
                                                + " 0.000 % may be lost.")));
    }
}
