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

    /** It said 4 min 31 s, and took 79 s. */
    @Test
    void shouldShowNoMoreThanIsLeftWhereTrialsAreLeftOut() {
        final RunProgress.TimeLeft limited = limited(4);
        int number = 1;
        for (int channel = 0; channel < 4; channel++) {
            // five times the estimate of 4 s: there is no time for the two other repeats
            limited.trialStarted(trial(1, number), seconds(20 * channel));
            number += 3;
            for (int atS = 20 * channel; atS < 20 * channel + 20; atS++) {
                assertThat(limited.leftNs(seconds(atS)))
                        .as("after %d s of 80", atS)
                        .isLessThanOrEqualTo(seconds(channel == 0 ? 52 : 80 - atS));
            }
        }
        assertThat(limited.leftNs(seconds(60))).isEqualTo(seconds(20));
    }

    @Test
    void shouldShowNoMoreThanTheLimitLeaves() {
        final RunProgress.TimeLeft limited = limited(1);
        limited.trialStarted(trial(1, 1), 0);
        assertThat(limited.leftNs(0)).as("the estimate, which is shorter").isEqualTo(seconds(48));
        limited.trialStarted(trial(2, 2), seconds(20));

        assertThat(limited.leftNs(seconds(20))).as("not eleven times 20 s").isEqualTo(seconds(32));
        assertThat(limited.leftNs(seconds(36))).isEqualTo(seconds(16));
    }

    @Test
    void shouldNotWaitForTrialsThatWereLeftOut() {
        start(1, 0);
        start(4, 10);
        assertThat(leftS(10)).isEqualTo(10);
    }

    private static RunProgress.TimeLeft limited(final int certainTrials) {
        return new RunProgress.TimeLeft(
                new RunEstimate(
                        12,
                        seconds(48),
                        Optional.empty(),
                        Optional.of(new RunEstimate.Limit(seconds(52), certainTrials))),
                0);
    }

    private static TrialKey trial(final int repeat, final int number) {
        return new TrialKey("floor", "latency", "shm:", repeat, number, 12, seconds(3));
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
