package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.result.IntervalLog;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often a run compared with itself is called different, and how often 3 % are detected: 200
 * comparisons each, with all figures and all that the command does.
 */
class ComparisonProofTest {
    private static final int COMPARISONS = 200;
    private static final double SLOWER = 1.03;

    /**
     * Three times the spread of the loopback's repeats; less cannot be detected with 12 against 12
     * repeats.
     */
    private static final double MUCH_SLOWER = 1.42;

    /** Sides whose intervals are in memory. */
    private static final class Memory {
        private final Map<TrialResult, BlockBootstrap> blocks = new IdentityHashMap<>();

        Comparison compare(final Side first, final Side other) {
            return new Comparer(
                            CompareSettings.DEFAULT,
                            "0.1.0",
                            side -> (row, trial, latency) -> blocks.get(trial))
                    .compare(first, List.of(other));
        }
    }

    private static boolean isDifferent(final Comparison comparison) {
        return comparison.count(Outcome.WORSE) + comparison.count(Outcome.BETTER) > 0;
    }

    /**
     * Processes differ by 1 %, seconds by 2 % with each keeping half of the one before, messages by
     * 5 % with a long tail.
     */
    private static Side simulated(
            final Memory memory,
            final String name,
            final double factor,
            final SplittableRandom random) {
        final List<TrialResult> trials = new ArrayList<>();
        final Histogram all = new Histogram(3); // used again, as they grow in many steps
        final Histogram histogram = new Histogram(3);
        for (int repeat = 1; repeat <= 10; repeat++) {
            final double process = 0.01 * random.nextGaussian();
            double second = random.nextGaussian();
            final List<SparseHistogram> blocks = new ArrayList<>();
            all.reset();
            for (int block = 0; block < 8; block++) {
                second = 0.5 * second + Math.sqrt(0.75) * random.nextGaussian();
                histogram.reset();
                for (int message = 0; message < 200; message++) {
                    final double tail = random.nextInt(20) == 0 ? random.nextExponential() : 0;
                    final long ns =
                            Math.round(
                                    20_000
                                            * factor
                                            * Math.exp(
                                                    process
                                                            + 0.02 * second
                                                            + 0.05 * random.nextGaussian()
                                                            + tail));
                    histogram.recordValue(ns);
                    all.recordValue(ns);
                }
                blocks.add(SparseHistogram.of(histogram));
            }
            final TrialResult trial =
                    CompareSamples.trial(
                            "latency",
                            "shm:",
                            repeat,
                            new CompareSamples.Repeat(LatencySummary.of(all), 5000, null),
                            Verdict.PASS);
            memory.blocks.put(trial, new BlockBootstrap(blocks));
            trials.add(trial);
        }
        return CompareSamples.side(name, trials);
    }

    @Test
    void shouldCallFewSimulatedRunsDifferentFromThemselves() {
        final SplittableRandom random = new SplittableRandom(7);
        int different = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            final Memory memory = new Memory();
            final Comparison comparison =
                    memory.compare(
                            simulated(memory, "A", 1, random), simulated(memory, "B", 1, random));
            different += isDifferent(comparison) ? 1 : 0;
        }

        assertThat(different).isLessThanOrEqualTo(COMPARISONS * 5 / 100);
    }

    @Test
    void shouldSeeThreePercentInSimulatedRuns() {
        final SplittableRandom random = new SplittableRandom(8);
        int worse = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            final Memory memory = new Memory();
            final Comparison comparison =
                    memory.compare(
                            simulated(memory, "A", 1, random),
                            simulated(memory, "B", SLOWER, random));
            worse += comparison.count(Outcome.WORSE) > 0 ? 1 : 0;
        }

        assertThat(worse).isGreaterThanOrEqualTo(COMPARISONS * 90 / 100);
    }

    /**
     * 24 repeats in fresh processes, recorded once by {@link LoopbackRecorder} on a busy virtual
     * machine: their medians differ by 14 %.
     */
    private static final String LOOPBACK = "recorded-loopback.hlog";

    /**
     * 40 repeats in fresh processes, recorded once on the same machine by the plan beside it: the
     * response times of a feed whose newest prices go out every 10 ms. Most of them is waiting for
     * the next time, which the machine's own noise changes little: their medians differ by 1.8 %.
     */
    private static final String FEED = "recorded-feed.hlog";

    private static Map<Integer, List<SparseHistogram>> recorded(final String name)
            throws URISyntaxException {
        final Map<Integer, List<SparseHistogram>> repeats = new TreeMap<>();
        final Path log = Path.of(ComparisonProofTest.class.getResource(name).toURI());
        assertThat(
                        IntervalLog.read(
                                log,
                                interval ->
                                        repeats.computeIfAbsent(
                                                        interval.tag().repeat(),
                                                        repeat -> new ArrayList<>())
                                                .add(SparseHistogram.of(interval.histogram()))))
                .isEmpty();
        return repeats;
    }

    private static int calls(final String log, final double factor, final Outcome... wanted)
            throws URISyntaxException {
        final Memory memory = new Memory();
        final List<TrialResult> plain = new ArrayList<>();
        final List<TrialResult> scaled = new ArrayList<>();
        recorded(log)
                .forEach((repeat, blocks) -> {
                    assertThat(blocks).hasSizeGreaterThanOrEqualTo(BlockBootstrap.FEWEST_BLOCKS);
                    plain.add(scaled(memory, repeat, blocks, 1));
                    scaled.add(scaled(memory, repeat, blocks, factor));
                });
        final Random random = new Random(9);
        final List<Integer> order = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            order.add(i);
        }
        int called = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            Collections.shuffle(order, random);
            final int half = order.size() / 2;
            final Comparison comparison =
                    memory.compare(
                            CompareSamples.side(
                                    "A", order.subList(0, half).stream().map(plain::get).toList()),
                            CompareSamples.side(
                                    "B",
                                    order.subList(half, 2 * half).stream()
                                            .map(scaled::get)
                                            .toList()));
            called += Arrays.stream(wanted).anyMatch(each -> comparison.count(each) > 0) ? 1 : 0;
        }
        return called;
    }

    /** The same repeat with every latency longer by a factor. */
    private static TrialResult scaled(
            final Memory memory,
            final int repeat,
            final List<SparseHistogram> blocks,
            final double factor) {
        final Histogram all = new Histogram(3);
        final List<SparseHistogram> longer = new ArrayList<>();
        for (final SparseHistogram block : blocks) {
            final Histogram histogram = new Histogram(3);
            for (int i = 0; i < block.values().length; i++) {
                histogram.recordValueWithCount(
                        Math.round(block.values()[i] * factor), block.counts()[i]);
            }
            all.add(histogram);
            longer.add(SparseHistogram.of(histogram));
        }
        final TrialResult made =
                CompareSamples.trial(
                        "recorded",
                        "",
                        repeat,
                        new CompareSamples.Repeat(LatencySummary.of(all), 5000, null),
                        Verdict.PASS);
        memory.blocks.put(made, new BlockBootstrap(longer));
        return made;
    }

    @ParameterizedTest
    @ValueSource(strings = {LOOPBACK, FEED})
    void shouldCallFewHalvesOfARealRunDifferentFromEachOther(final String log)
            throws URISyntaxException {
        assertThat(calls(log, 1, Outcome.WORSE, Outcome.BETTER))
                .isLessThanOrEqualTo(COMPARISONS * 5 / 100);
    }

    @Test
    void shouldSeeThreePercentBetweenHalvesOfARealRun() throws URISyntaxException {
        assertThat(calls(FEED, SLOWER, Outcome.WORSE))
                .isGreaterThanOrEqualTo(COMPARISONS * 90 / 100);
    }

    @Test
    void shouldSeeThreeTimesTheSpreadBetweenHalvesOfANoisyOne() throws URISyntaxException {
        assertThat(calls(LOOPBACK, MUCH_SLOWER, Outcome.WORSE))
                .isGreaterThanOrEqualTo(COMPARISONS * 90 / 100);
    }
}
