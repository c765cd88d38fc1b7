package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles on a host whose clock is told wrong: they take the start for long past. */
@Timeout(60)
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
        public ClockOffset clock() {
            return new ClockOffset(clockErrorNs, 0, 1);
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
                .matches("mock-receiver-1 on far began \\d{3,4} ms after the start; look for .*");
        assertThat(((Number) metric(only(outcome), "mock-receiver-1", "startLateNs")).longValue())
                .isBetween(TimeUnit.MILLISECONDS.toNanos(500), TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void shouldTakeATrialThatBeganInTime() {
        // its clock is three seconds behind: however busy the machine is, the start is yet to come
        final RunOutcome outcome = runOn(new Far(TimeUnit.SECONDS.toNanos(3)));

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(metric(only(outcome), "mock-receiver-1", "host")).isEqualTo("far");
    }
}
