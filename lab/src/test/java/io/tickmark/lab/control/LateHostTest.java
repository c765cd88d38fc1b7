package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.kernel.time.ClockSteering;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles on a host whose clock was measured wrongly: they assume that the start is long past. */
@Timeout(180)
class LateHostTest extends RunTesting {
    private record Far(long clockErrorNs) implements Placement {
        private static final Placement HERE = new LocalPlacement();

        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            return HERE.start(launch);
        }

        @Override
        public String host() {
            return "far";
        }

        @Override
        public ClockReading clock() {
            return new ClockReading(0, new ClockOffset(clockErrorNs, 0, 1));
        }
    }

    private RunOutcome runOn(final Placement far) {
        return new RunControl(
                        plan(alone(Trouble.NOTHING).build()),
                        options(folder).on(Placements.all(far)),
                        RunListener.SILENT)
                .run();
    }

    @Test
    void shouldVoidATrialThatARoleElsewhereBeganLate() {
        // an offset of -1 s puts its clock a second ahead on the controller's line
        final RunOutcome outcome = runOn(new Far(-TimeUnit.SECONDS.toNanos(1)));

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
        // its clock is three seconds behind: however busy the machine is, the start is still ahead
        final RunOutcome outcome = runOn(new Far(TimeUnit.SECONDS.toNanos(3)));

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(metric(only(outcome), "mock-receiver-1", "host")).isEqualTo("far");
    }

    /** A clock that first agrees with the controller's, and then drifts away from it. */
    private static final class Wild implements Placement {
        /** Seconds behind: however busy the machine is, the start is still ahead. */
        private static final long BEHIND_NS = TimeUnit.SECONDS.toNanos(3);

        private final Placement here = new LocalPlacement();
        private final ClockSteering steering = new ClockSteering();
        private final long boundNs;
        private int readings;

        Wild(final long boundNs) {
            this.boundNs = boundNs;
        }

        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            return here.start(launch);
        }

        @Override
        public String host() {
            return "wild";
        }

        @Override
        public ClockReading clock() {
            // read when it is aligned, twice, and after the trial: 5 ms off by then
            final long awayNs = readings++ < 2 ? 0 : TimeUnit.MILLISECONDS.toNanos(5);
            return new ClockReading(
                    System.nanoTime(), new ClockOffset(BEHIND_NS + awayNs, boundNs, 1));
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
                .matches("The clock of host wild ran unevenly .* may be wrong by 50\\d\\d us; .*");
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
