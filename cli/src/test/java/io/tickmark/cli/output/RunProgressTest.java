package io.tickmark.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.control.TrialKey;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunProgressTest {
    private static final int TRIALS = 4;
    private static final int ESTIMATE_S = 40;

    private final RunProgress.TimeLeft time =
            new RunProgress.TimeLeft(
                    new RunEstimate(TRIALS, seconds(ESTIMATE_S), Optional.empty()), 0);

    private static long seconds(final long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    private void start(final int number, final long atS) {
        time.trialStarted(
                new TrialKey("floor", "latency", "shm:", 1, number, TRIALS, seconds(6)),
                seconds(atS));
    }

    private long leftS(final long atS) {
        return TimeUnit.NANOSECONDS.toSeconds(time.leftNs(seconds(atS)));
    }

    @Test
    void shouldCountDownWhereTheEstimateIsRight() {
        start(1, 0);
        assertThat(leftS(0)).isEqualTo(40);
        start(2, 10);
        assertThat(leftS(10)).isEqualTo(30);
        assertThat(leftS(15)).isEqualTo(25);
        assertThat(time.donePart(seconds(15))).isEqualTo(15.0 / 40);
    }

    /** It stood at 100 % from the third of twenty trials on. */
    @Test
    void shouldStretchTheEstimateWhereTrialsTakeLonger() {
        start(1, 0);
        start(2, 30);
        assertThat(leftS(30)).as("three trials, each three times as long").isEqualTo(90);
        start(3, 60);
        assertThat(leftS(60)).isEqualTo(60);
        assertThat(time.donePart(seconds(60))).isEqualTo(0.5);
    }

    @Test
    void shouldHaveTheTrialsLeftThatHaveNotBegun() {
        start(1, 0);
        start(2, 10);
        assertThat(leftS(100)).as("the second takes and takes").isEqualTo(20);
    }

    @Test
    void shouldNotBeDoneBeforeTheLastTrialIs() {
        start(1, 0);
        start(2, 10);
        start(3, 20);
        start(4, 30);
        assertThat(leftS(100)).isEqualTo(1);
        assertThat(time.donePart(seconds(100))).isLessThan(1);
    }
}
