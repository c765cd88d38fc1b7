package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.kernel.time.ClockSteering;
import io.tickmark.lab.mock.MockSettings.Trouble;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles on a host whose clock was measured wrongly: they assume that the start is long past. */
@Timeout(180)
class LateHostTest extends RunTesting {
    private RunOutcome runOn(final FarHost far) {
        return run(alone(Trouble.NOTHING).build(), far);
    }

    @Test
    void shouldVoidATrialThatARoleElsewhereBeganLate() {
        // an offset of -1 s puts its clock a second ahead on the controller's line
        final RunOutcome outcome = runOn(new FarHost(-TimeUnit.SECONDS.toNanos(1)));

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.VOID);
        assertThat(only(outcome).reasons())
                .singleElement()
                .asString()
                .matches("mock-receiver-1 on far began \\d{3,5} ms after the start; see what .*");
        assertThat(((Number) metric(only(outcome), "mock-receiver-1", "startLateNs")).longValue())
                .isBetween(TimeUnit.MILLISECONDS.toNanos(500), TimeUnit.SECONDS.toNanos(90));
    }

    @Test
    void shouldTakeATrialThatBeganInTime() {
        final RunOutcome outcome = runOn(new FarHost());

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(metric(only(outcome), "mock-receiver-1", "host")).isEqualTo("far");
    }

    /** On another machine it may be there. */
    @Test
    void shouldLookForWhatARoleNeedsBeforeItIsStartedOnThisMachine() {
        assertThat(only(run(alone(Trouble.LACKS).build(), new FarHost())).verdict())
                .isEqualTo(Verdict.PASS);

        assertThatThrownBy(() -> run(alone(Trouble.LACKS).build()))
                .isInstanceOf(UserError.class)
                .hasMessage("The receiver's server is not installed; install it.");
    }

    /** A clock that first agrees with the controller's, and then drifts away from it. */
    private static final class Wild extends FarHost {
        private final ClockSteering steering = new ClockSteering();
        private final long boundNs;
        private int readings;

        Wild(final long boundNs) {
            this.boundNs = boundNs;
        }

        @Override
        public ClockReading clock() {
            // read when it is aligned, twice, and after the trial: 5 ms off by then
            final long awayNs = readings++ < 2 ? 0 : TimeUnit.MILLISECONDS.toNanos(5);
            final long behindNs = super.clock().offset().offsetNs() + awayNs;
            return new ClockReading(System.nanoTime(), new ClockOffset(behindNs, boundNs, 1));
        }

        @Override
        public Optional<ClockSteering> steering() {
            return Optional.of(steering);
        }
    }

    @Test
    void shouldVoidATrialWhoseClockCouldNotBeFollowed() {
        final RunOutcome outcome = runOn(new Wild(1_000));

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.VOID);
        assertThat(only(outcome).reasons())
                .singleElement()
                .asString()
                .matches("The clock of host far ran unevenly .* may be wrong by 50\\d\\d us; .*");
        assertThat(((Number) metric(only(outcome), "mock-receiver-1", "clockBoundNs")).longValue())
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    }

    @Test
    void shouldTakeATrialWhoseClockIsKnownWithinItsBoundOnly() {
        final RunOutcome outcome = runOn(new Wild(4_500_000));

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(((Number) metric(only(outcome), "mock-receiver-1", "clockBoundNs")).longValue())
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    }
}
