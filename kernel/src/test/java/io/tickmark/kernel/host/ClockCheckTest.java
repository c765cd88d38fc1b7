package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class ClockCheckTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private long monotonicNs = 5_000;
    private long wallNs = 1_800_000_000L * SECOND_NS;
    private long readingNs;
    private final ClockCheck check = new ClockCheck(() -> monotonicNs, this::readWall);

    private long readWall() {
        pass(readingNs);
        return wallNs;
    }

    private void pass(final long ns) {
        monotonicNs += ns;
        wallNs += ns;
    }

    @Test
    void shouldBeContentWhenBothClocksGoAlike() {
        pass(3600 * SECOND_NS);

        assertThat(check.warning()).isEmpty();
    }

    @Test
    void shouldNoticeAStepForward() {
        pass(2 * SECOND_NS);
        wallNs += 250 * MS_NS;

        assertThat(check.warning().orElseThrow())
                .startsWith("The wall clock stepped by +250.000 ms")
                .contains("within 2.0 s");
    }

    @Test
    void shouldNoticeAStepBack() {
        wallNs -= SECOND_NS;

        assertThat(check.warning().orElseThrow()).contains("by -1000.000 ms");
    }

    @Test
    void shouldNoticeAStepThatIsUndoneLater() {
        wallNs += 20 * MS_NS;
        check.sample();
        wallNs -= 20 * MS_NS;

        assertThat(check.warning().orElseThrow()).contains("+20.000 ms");
    }

    @Test
    void shouldForgetTheStepsOfTheTrialBefore() {
        wallNs += 20 * MS_NS;
        assertThat(check.warning()).isPresent();

        check.begin();
        pass(SECOND_NS);

        assertThat(check.warning()).isEmpty();
    }

    @Test
    void shouldTolerateAMillisecond() {
        wallNs += MS_NS;
        assertThat(check.warning()).isEmpty();

        wallNs += 1;
        assertThat(check.warning()).isPresent();
    }

    @Test
    void shouldNotTakeAnInterruptedReadingForAStep() {
        readingNs = 30 * MS_NS;
        pass(SECOND_NS);

        assertThat(check.warning()).isEmpty();
    }

    @Test
    void shouldReadTheClocksOfTheMachine() {
        assertThatCode(() ->
                        new ClockCheck(SystemNanoClock.INSTANCE, SystemEpochNanoClock.INSTANCE)
                                .warning())
                .doesNotThrowAnyException();
    }
}
