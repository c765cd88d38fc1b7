package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private static final long SENT = 1_200;

    private static Side side(final String name, final long... echoed) {
        final List<TrialResult> trials = new ArrayList<>();
        for (final long each : echoed) {
            trials.add(trial(trials.size() + 1, SENT - each));
        }
        return CompareSamples.side(name, trials);
    }

    private static TrialResult trial(final int repeat, final long timedOut) {
        final TrialResult other =
                CompareSamples.trial(
                        "echo",
                        "udp:",
                        repeat,
                        new CompareSamples.Repeat(
                                CompareSamples.latency(100_000),
                                200,
                                CompareSamples.noise(0, 1_000)),
                        Verdict.PASS);
        return new TrialResult(
                other.test(),
                other.workload(),
                other.channel(),
                repeat,
                0,
                "",
                64,
                1,
                SENT,
                SENT,
                SENT,
                0,
                0,
                0,
                Map.of(Counts.SENT, SENT, Counts.TIMED_OUT, timedOut),
                6_000_000_000L,
                200,
                other.achievedRatePerSecond(),
                1,
                2,
                2,
                other.latencies(),
                other.noiseBefore(),
                other.noiseAfter(),
                List.of(),
                Verdict.PASS,
                List.of(),
                List.of(),
                null);
    }

    private static Outcome rate(final Side a, final Side b) {
        return new Comparer(CompareSettings.DEFAULT, "0.1.0")
                .compare(a, List.of(b)).rows().getFirst().figures().stream()
                        .filter(figure -> figure.name().equals(Samples.RATE))
                        .findFirst()
                        .orElseThrow()
                        .outcome();
    }

    /** Both had sent at the same rate, so it said that there was no difference. */
    @Test
    void shouldCompareTheRateOfEchoesAndNotOfPings() {
        final Side whole = side("A", 1_200, 1_200, 1_200);

        assertThat(rate(whole, side("B", 600, 601, 599))).isEqualTo(Outcome.WORSE);
        assertThat(rate(whole, side("B", 1_200, 1_200, 1_200))).isEqualTo(Outcome.NO_DIFFERENCE);
    }
}
