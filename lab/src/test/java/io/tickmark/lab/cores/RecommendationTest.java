package io.tickmark.lab.cores;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.lab.cores.Recommendation.Score;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    private static final Placement CORES = new Placement("cores", List.of(1, 2), List.of());

    private static Score score(
            final Placement placement, final double median, final double min, final double max) {
        return new Score(placement, new Aggregate.Spread(median, min, max), 5, 0);
    }

    @Test
    void shouldRecommendWhatIsBetterByMoreThanTheSpread() {
        final Recommendation better =
                new Recommendation(
                        false, List.of(score(CORES, 10, 9, 11), score(Placement.FREE, 20, 18, 22)));

        assertThat(better.sentence()).isEqualTo("Recommended: cores (hot threads on 1, 2).");
    }

    @Test
    void shouldRecommendNothingWithinTheSpread() {
        final Recommendation alike =
                new Recommendation(
                        false, List.of(score(CORES, 10, 9, 19), score(Placement.FREE, 20, 18, 22)));

        assertThat(alike.asGood()).containsExactly(Placement.FREE);
        assertThat(alike.sentence()).startsWith("No placement is better than leaving");
    }

    @Test
    void shouldSayThatTheSystemDidBest() {
        final Recommendation free =
                new Recommendation(
                        true, List.of(score(Placement.FREE, 20, 18, 22), score(CORES, 10, 9, 11)));

        assertThat(free.sentence()).startsWith("Recommended: leave the threads to the system");
    }

    @Test
    void shouldRecommendNothingWithoutFigures() {
        assertThat(new Recommendation(true, List.of()).sentence()).contains("nothing can be");
    }
}
