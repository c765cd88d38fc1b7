package io.tickmark.lab.cores;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.cores.Recommendation.Score;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    private static final Placement CORES = new Placement("cores", List.of(1, 2), List.of());

    private static Score score(
            final Placement placement, final double median, final double min, final double max) {
        return new Score(placement, new Aggregate.Spread(median, min, max), 5, 0);
    }

    /** As fast as possible; void for reasons. */
    private static TrialResult trial(final List<String> voidReasons) {
        final TrialMerge merge = new TrialMerge();
        merge.add(
                "stream-pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 100L, Counts.RECEIVED, 100L),
                        1_000_000_000,
                        0,
                        100,
                        Map.of(),
                        List.of()));
        return merge.rows(
                        new TrialFacts(
                                "t",
                                "stream",
                                "shm:",
                                1,
                                1,
                                2,
                                null,
                                null,
                                Criteria.DEFAULT,
                                false,
                                voidReasons,
                                List.of(),
                                List.of()))
                .getFirst();
    }

    @Test
    void shouldRecommendWhatIsBetterByMoreThanTheSpread() {
        final Recommendation better =
                new Recommendation(
                        false,
                        List.of(score(CORES, 10, 9, 11), score(Placement.FREE, 20, 18, 22)),
                        List.of());

        assertThat(better.sentence()).isEqualTo("Recommended: cores (hot threads on 1, 2).");
    }

    @Test
    void shouldRecommendNothingWithinTheSpread() {
        final Recommendation alike =
                new Recommendation(
                        false,
                        List.of(score(CORES, 10, 9, 19), score(Placement.FREE, 20, 18, 22)),
                        List.of());

        assertThat(alike.asGood()).containsExactly(Placement.FREE);
        assertThat(alike.sentence()).startsWith("No placement is better than leaving");
    }

    @Test
    void shouldSayThatTheSystemDidBest() {
        final Recommendation free =
                new Recommendation(
                        true,
                        List.of(score(Placement.FREE, 20, 18, 22), score(CORES, 10, 9, 11)),
                        List.of());

        assertThat(free.sentence()).startsWith("Recommended: leave the threads to the system");
    }

    @Test
    void shouldRecommendNothingWithoutFigures() {
        assertThat(new Recommendation(true, List.of(), List.of(CORES)).sentence())
                .contains("nothing can be");
    }

    @Test
    void shouldCallNothingWorseThatHasNoFigure() {
        final TrialResult held = trial(List.of());
        final TrialResult nothing = trial(List.of("A role was lost."));
        final Placement siblings = new Placement("siblings", List.of(1, 9), List.of());

        final Map<Placement, List<TrialResult>> trials = new LinkedHashMap<>();
        trials.put(Placement.FREE, List.of(held));
        trials.put(CORES, List.of(nothing, nothing));
        assertThat(Recommendation.of(trials).sentence())
                .isEqualTo(
                        "Only free gave a figure, so that nothing can be recommended. Without a figure: cores.");

        trials.put(siblings, List.of(held));
        assertThat(Recommendation.of(trials).sentence())
                .startsWith("No placement is better")
                .endsWith(" Without a figure: cores.");
    }
}
