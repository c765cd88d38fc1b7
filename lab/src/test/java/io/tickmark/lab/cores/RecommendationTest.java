package io.tickmark.lab.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.cores.Recommendation.Score;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecommendationTest {
    private static final CorePlacement CORES = new CorePlacement("cores", List.of(1, 2), List.of());

    private static Score score(
            final CorePlacement placement,
            final double median,
            final double min,
            final double max) {
        return new Score(placement, new Aggregate.Spread(median, min, max), 5, 0);
    }

    /** As fast as possible; void for reasons. */
    private static TrialResult trial(final List<String> voidReasons) {
        final TrialMerge merge = new TrialMerge();
        merge.add("stream-pub-1", step(0, 0, 100, Map.of()));
        return rows(merge, 1, voidReasons).getFirst();
    }

    /** At a rate: 16 bytes and 8 KiB, whose latencies are far apart. */
    private static List<TrialResult> trials(final int repeat, final long... p99Ns) {
        final TrialMerge merge = new TrialMerge();
        for (int step = 0; step < p99Ns.length; step++) {
            final Histogram response = new Histogram(5);
            response.recordValueWithCount(p99Ns[step], 1_000); // fewer have no 99th percentile
            merge.add(
                    "stream-pub-1", step(step, 100, 100, Map.of(Latencies.RESPONSE_NS, response)));
        }
        return rows(merge, repeat, List.of());
    }

    private static StepResult step(
            final int step,
            final double offered,
            final double achieved,
            final Map<String, Histogram> latencies) {
        return new StepResult(
                step,
                "",
                64,
                Map.of(Counts.SENT, 100L, Counts.RECEIVED, 100L),
                1_000_000_000,
                offered,
                achieved,
                latencies,
                List.of());
    }

    private static List<TrialResult> rows(
            final TrialMerge merge, final int repeat, final List<String> voidReasons) {
        return merge.rows(
                new TrialFacts(
                        "t",
                        "stream",
                        "shm:",
                        repeat,
                        1,
                        2,
                        null,
                        null,
                        Criteria.DEFAULT,
                        false,
                        voidReasons,
                        List.of(),
                        List.of()));
    }

    @Test
    void shouldTellPlacementsApartWhoseStepsLieFurtherApart() {
        final Map<CorePlacement, List<TrialResult>> trials = new LinkedHashMap<>();
        trials.put(
                CorePlacement.FREE,
                Stream.of(
                                trials(1, 1_000, 100_000),
                                trials(2, 1_100, 100_000),
                                trials(3, 1_000, 110_000))
                        .flatMap(List::stream)
                        .toList());
        trials.put(
                CORES,
                Stream.of(
                                trials(1, 500, 50_000),
                                trials(2, 550, 50_000),
                                trials(3, 500), // its second step has no figures
                                trials(4, 500, 55_000))
                        .flatMap(List::stream)
                        .toList());

        final Recommendation better = Recommendation.of(trials);

        assertThat(better.sentence())
                .isEqualTo(
                        "Recommended: cores (hot threads on 1, 2)."
                                + " The figures are geometric means over the 2 steps of the test.");
        assertThat(better.scores()).extracting(Score::repeats).containsExactly(3, 3);
        assertThat(better.scores()).extracting(Score::failed).containsExactly(0, 0);
        assertThat(better.scores().getLast().figure().min())
                .as("of both steps")
                .isCloseTo(10_000, within(1.0));
    }

    @Test
    void shouldRecommendWhatIsBetterByMoreThanTheSpread() {
        final Recommendation better =
                new Recommendation(
                        false,
                        1,
                        List.of(score(CORES, 10, 9, 11), score(CorePlacement.FREE, 20, 18, 22)),
                        List.of());

        assertThat(better.sentence()).isEqualTo("Recommended: cores (hot threads on 1, 2).");
    }

    /** Any two single figures are apart. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 5", "5, 2"})
    void shouldRecommendNothingByAFewRepeats(final int ofCores, final int ofFree) {
        for (final boolean isFreeBest : new boolean[] {false, true}) {
            final Score cores = score(CORES, isFreeBest ? 20 : 10, ofCores);
            final Score free = score(CorePlacement.FREE, isFreeBest ? 10 : 20, ofFree);
            final List<Score> scores = isFreeBest ? List.of(free, cores) : List.of(cores, free);

            final Recommendation few = new Recommendation(false, 1, scores, List.of());

            assertThat(few.asGood()).hasSize(1);
            assertThat(few.sentence()).doesNotContain("Recommended:");
        }
    }

    private static Score score(
            final CorePlacement placement, final double figure, final int repeats) {
        return new Score(placement, new Aggregate.Spread(figure, figure, figure), repeats, 0);
    }

    @Test
    void shouldRecommendNothingWithinTheSpread() {
        final Recommendation alike =
                new Recommendation(
                        false,
                        1,
                        List.of(score(CORES, 10, 9, 19), score(CorePlacement.FREE, 20, 18, 22)),
                        List.of());

        assertThat(alike.asGood()).containsExactly(CorePlacement.FREE);
        assertThat(alike.sentence()).startsWith("No placement is better than leaving");
    }

    @Test
    void shouldSayThatTheSystemDidBest() {
        final Recommendation free =
                new Recommendation(
                        true,
                        1,
                        List.of(score(CorePlacement.FREE, 20, 18, 22), score(CORES, 10, 9, 11)),
                        List.of());

        assertThat(free.sentence()).startsWith("Recommended: leave the threads to the system");
    }

    @Test
    void shouldSayWhyNothingGaveAFigure() {
        final List<TrialResult> lost = List.of(trial(List.of("A role was lost.")));

        assertThat(Recommendation.of(Map.of(CORES, lost, CorePlacement.FREE, lost)).sentence())
                .isEqualTo(
                        "No placement gave a figure, so that nothing can be recommended:"
                                + " every repeat was void, in whole or in part.");
    }

    @Test
    void shouldSayHowManyMessagesAPercentileTakes() {
        final Histogram few = new Histogram(5);
        few.recordValueWithCount(1_000, 999);
        final TrialMerge merge = new TrialMerge();
        merge.add("stream-pub-1", step(0, 100, 100, Map.of(Latencies.RESPONSE_NS, few)));

        assertThat(Recommendation.of(Map.of(CORES, rows(merge, 1, List.of()))).sentence())
                .isEqualTo(
                        "No placement gave a figure, so that nothing can be recommended: every repeat was void, in whole or "
                                + "in part, or had fewer than the 1,000 messages that a 99th percentile needs.");
    }

    @Test
    void shouldCallNothingWorseThatHasNoFigure() {
        final TrialResult held = trial(List.of());
        final TrialResult nothing = trial(List.of("A role was lost."));
        final CorePlacement siblings = new CorePlacement("siblings", List.of(1, 9), List.of());

        final Map<CorePlacement, List<TrialResult>> trials = new LinkedHashMap<>();
        trials.put(CorePlacement.FREE, List.of(held));
        trials.put(CORES, List.of(nothing, nothing));
        assertThat(Recommendation.of(trials).sentence())
                .isEqualTo(
                        "Only free gave a figure, so that nothing can be recommended. Without a figure: cores.");

        trials.put(siblings, List.of(held));
        assertThat(Recommendation.of(trials).sentence())
                .startsWith("Nothing can be recommended: free has fewer than 3 repeats")
                .endsWith(" Without a figure: cores.");
    }

    /** Voids leave few figures, and are no reason to call another placement better. */
    @Test
    void shouldRecommendNothingByWhatVoidsHaveLeft() {
        final Score all = score(CORES, 10, 9, 11);
        final Score left = new Score(CorePlacement.FREE, new Aggregate.Spread(20, 20, 20), 1, 4);

        assertThat(new Recommendation(false, 1, List.of(all, left), List.of()).sentence())
                .startsWith("Nothing can be recommended: free has fewer than 3 repeats");
        assertThat(
                        new Recommendation(
                                        false,
                                        1,
                                        List.of(
                                                score(CorePlacement.FREE, 10, 9, 11),
                                                new Score(
                                                        CORES,
                                                        new Aggregate.Spread(20, 20, 20),
                                                        1,
                                                        4)),
                                        List.of())
                                .sentence())
                .doesNotContain("every other placement was worse");
    }
}
