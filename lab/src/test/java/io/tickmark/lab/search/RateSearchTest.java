package io.tickmark.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches on simulated engines, whose capacity is known. */
class RateSearchTest {
    private static final int SEARCHES = 200;

    private static SearchGoal goal(final Map<String, Object> settings) {
        return Settings.read(SearchGoal.class, settings, key -> key).withWidth(0.01);
    }

    /** An engine whose capacity varies log-normally from trial to trial. */
    private static final class Engine implements RateSearch.Trials {
        private final Random random;
        private final double capacity;
        private final double spread;
        private final List<Double> rates = new ArrayList<>();
        private long spentNs;

        Engine(final Random random, final double capacity, final double spread) {
            this.random = random;
            this.capacity = capacity;
            this.spread = spread;
        }

        @Override
        public Optional<Boolean> isBad(final double ratePerSecond, final long durationNs) {
            spentNs += durationNs;
            rates.add(ratePerSecond);
            return Optional.of(ratePerSecond > capacity * Math.exp(spread * random.nextGaussian()));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.002, 0.01, 0.03})
    void shouldFindTheCapacityAndClaimNoMoreThanItKnows(final double spread) {
        final double[] ratios = new double[SEARCHES];
        int covered = 0;
        for (int i = 0; i < SEARCHES; i++) {
            final Random random = new Random(i);
            final double capacity = Math.pow(10, 4 + 2.5 * random.nextDouble());
            final Engine engine = new Engine(random, capacity, spread);

            final RateSearch.Found found =
                    new RateSearch(goal(Map.of()), engine)
                            .run(capacity * Math.exp(0.15 * random.nextGaussian()));

            final Capacity.ConfidenceInterval interval =
                    Capacity.of(found.trials(), 0.9).orElseThrow();
            ratios[i] = found.lowerBound().orElseThrow() / capacity;
            covered +=
                    interval.lowPerSecond() <= capacity && capacity <= interval.highPerSecond()
                            ? 1
                            : 0;
        }
        Arrays.sort(ratios);
        assertThat(ratios[SEARCHES / 2]).isBetween(0.98, 1.02);
        // three standard deviations of 200 draws of 0.9 below; more than claimed is correct, too
        assertThat(covered / (double) SEARCHES).isGreaterThan(0.9 - 3 * Math.sqrt(0.09 / SEARCHES));
    }

    @Test
    void shouldAnswerWithinSixMinutesOfTrials() {
        for (int i = 0; i < SEARCHES; i++) {
            final Engine engine = new Engine(new Random(i), 250_000, 0.01);

            new RateSearch(goal(Map.of()), engine).run(400_000);

            assertThat(engine.spentNs).isLessThan(360_000_000_000L);
        }
    }

    @Test
    void shouldKeepTheBoundsOfAnEngineWithoutNoiseWithinTheWidth() {
        final Engine engine = new Engine(new Random(1), 123_456, 0);

        final RateSearch.Found found = new RateSearch(goal(Map.of()), engine).run(1_000);

        assertThat(found.isWhole()).isTrue();
        assertThat(found.lowerBound().orElseThrow()).isLessThanOrEqualTo(123_456);
        assertThat(found.upperBound().orElseThrow()).isGreaterThan(123_456);
        assertThat(found.upperBound().orElseThrow() / found.lowerBound().orElseThrow())
                .isLessThanOrEqualTo(1.0101);
    }

    /** Whatever comes out in the middle of two bounds, one of them need not be measured again. */
    @Test
    void shouldMeasureOnlyOneOfTheCoarserBoundsForLonger() {
        final Engine engine = new Engine(new Random(1), 100_500, 0);

        final RateSearch.Found found = new RateSearch(goal(Map.of()), engine).run(100_000);

        assertThat(found.lowerBound()).hasValue(100_000);
        assertThat(found.upperBound().orElseThrow()).isLessThanOrEqualTo(101_001);
        assertThat(engine.rates)
                .filteredOn(rate -> rate > 103_000)
                .as("the upper bound of the shortest trials")
                .hasSize(1);
        assertThat(engine.spentNs).isLessThan(55_000_000_000L);
    }

    @Test
    void shouldHaveNoUpperBoundWhereEveryRateHolds() {
        final Engine engine = new Engine(new Random(1), 1e12, 0);

        final RateSearch.Found found =
                new RateSearch(goal(Map.of("maxRate", "1M")), engine).run(900_000);

        assertThat(found.lowerBound()).hasValue(1_000_000);
        assertThat(found.upperBound()).isEmpty();
    }

    @Test
    void shouldHaveNoLowerBoundWhereNoRateHolds() {
        final Engine engine = new Engine(new Random(1), 1, 0);

        final RateSearch.Found found = new RateSearch(goal(Map.of()), engine).run(900_000);

        assertThat(found.lowerBound()).isEmpty();
        assertThat(found.upperBound()).hasValue(100);
    }

    @Test
    void shouldStayInTheRangeGiven() {
        final Engine engine = new Engine(new Random(1), 50_000, 0.01);

        new RateSearch(goal(Map.of("minRate", 40_000, "maxRate", "60k")), engine).run(1e9);

        assertThat(engine.rates).allMatch(rate -> rate >= 40_000 && rate <= 60_000);
    }

    @Test
    void shouldBreakOffWhenNoMoreTrialsCanBeDone() {
        final List<Double> rates = new ArrayList<>();
        final RateSearch.Found found =
                new RateSearch(
                                goal(Map.of()),
                                (rate, durationNs) -> {
                                    rates.add(rate);
                                    return rates.size() < 5 ? Optional.of(true) : Optional.empty();
                                })
                        .run(1_000);

        assertThat(found.isWhole()).isFalse();
        assertThat(found.trials()).hasSize(4);
    }

    /** Two bounds that are the same setting would be two verdicts on one rate. */
    @ParameterizedTest
    @ValueSource(doubles = {500, 1_499, 20_700, 20_000, 98_765, 1e9})
    void shouldEndWhereNoRateBetweenTheBoundsCanBeSet(final double capacity) {
        final Engine engine = new Engine(new Random(1), capacity, 0);
        final RateSearch.Trials thousands =
                new RateSearch.Trials() {
                    @Override
                    public Optional<Boolean> isBad(final double rate, final long durationNs) {
                        return engine.isBad(rate, durationNs);
                    }

                    @Override
                    public double settable(final double rate) {
                        return engine.rates.isEmpty()
                                ? rate // the unit is unknown before the first trial
                                : Math.max(1_000, 1_000 * Math.rint(rate / 1_000));
                    }
                };

        final RateSearch.Found found =
                new RateSearch(goal(Map.of("maxRate", "1M")), thousands).run(20_400);

        assertThat(found.isWhole()).isTrue();
        final double floor = 1_000 * Math.floor(capacity / 1_000);
        final double held = Math.min(1_000_000, floor);
        assertThat(found.lowerBound().orElse(0)).isEqualTo(held);
        assertThat(found.upperBound().orElse(0)).isEqualTo(capacity > 1e6 ? 0 : held + 1_000);
        assertThat(found.trials()).hasSizeLessThan(60);
    }

    @Test
    void shouldNotTakeOneBadTrialOfThreeForACollapse() {
        final List<Double> rates = new ArrayList<>();
        final RateSearch.Found found =
                new RateSearch(
                                goal(Map.of()),
                                (rate, durationNs) -> {
                                    rates.add(rate);
                                    final boolean stall = rates.size() % 7 == 0;
                                    return Optional.of(stall || rate > 100_000);
                                })
                        .run(100_000);

        assertThat(found.lowerBound().orElseThrow()).isBetween(90_000.0, 100_000.0);
    }
}
