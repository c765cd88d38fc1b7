package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.compare.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** On the runs of the worked comparison, whose medians differ by 1.2 % from repeat to repeat. */
final class DetectionTest {
    private final Side side = Side.read("A", sample());

    private static Path sample() {
        Path root = Path.of("").toAbsolutePath();
        while (!root.resolve("samples/worked-comparison").toFile().isDirectory()) {
            root = root.getParent();
        }
        return root.resolve("samples/worked-comparison/before");
    }

    private static LatencySummary response(final TrialResult row) {
        return row.latency(Latencies.RESPONSE_NS).orElseThrow();
    }

    @Test
    void shouldMakeMediansAndTailsLonger() {
        final Side slower = Detection.slower(side);

        for (int i = 0; i < side.result().trials().size(); i++) {
            final LatencySummary before = response(side.result().trials().get(i));
            final LatencySummary after = response(slower.result().trials().get(i));
            assertThat((double) after.p50().orElseThrow())
                    .isCloseTo(1.05 * before.p50().orElseThrow(), within(1.0));
            assertThat((double) after.p99().orElseThrow())
                    .isCloseTo(1.10 * before.p99().orElseThrow(), within(1.0));
            assertThat(after.p90()).isEqualTo(before.p90());
        }
    }

    @Test
    void shouldFindLongerMediansAndNoDifferenceOfARunFromItself() {
        assertThat(Detection.compared(side, side, false)).noneMatch(Detection::differs);
        assertThat(
                        Detection.isWorse(
                                Detection.compared(side, Detection.slower(side), false),
                                Latencies.RESPONSE_NS + ".p50"))
                .isTrue();
    }

    /** Undisturbed percentiles are the fourth roots of those as measured, times 1,000. */
    @Test
    void shouldCompareTheSpreadsOfUndisturbedAndMeasuredTails() {
        final List<TrialResult> repeats = new ArrayList<>();
        for (final TrialResult row : side.result().trials()) {
            final LatencySummary measured = response(row);
            final OptionalLong root =
                    OptionalLong.of(
                            Math.round(1_000 * Math.pow(measured.p99().orElseThrow(), 0.25)));
            final LatencySummary undisturbed =
                    new LatencySummary(
                            measured.count(),
                            measured.min(),
                            measured.mean(),
                            measured.stdev(),
                            measured.p50(),
                            measured.p90(),
                            measured.p95(),
                            root,
                            measured.p999(),
                            measured.p9999(),
                            measured.max());
            repeats.add(
                    row.withTail(
                            new TailSummary(
                                    1,
                                    1,
                                    1,
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    new Undisturbed(0, "", undisturbed),
                                    List.of(),
                                    "",
                                    ""),
                            List.of()));
        }

        assertThat(Detection.spread(repeats)).isPresent();
        assertThat(Detection.spread(repeats).getAsDouble()).isCloseTo(0.25, within(0.001));
        assertThat(Detection.spread(side.result().trials())).isEmpty();
    }
}
