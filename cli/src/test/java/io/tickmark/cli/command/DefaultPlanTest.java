package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.run.Machines;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a newcomer runs first has a length that a newcomer waits for. */
class DefaultPlanTest {
    @ParameterizedTest
    @CsvSource({
        "default, 180",
        "messaging, 70",
        "market, 35",
        "fix, 30",
        "dds, 15",
        "fan-out, 25",
        "quick, 52"
    })
    void shouldTakeNoLongerThanItMay(final String plan, final int seconds) {
        final RunEstimate estimate =
                RunEstimate.of(
                        new PlanLibrary(RoleCatalog.load()).find(plan),
                        Machines.here(Optional.empty()));
        assertThat(Duration.ofNanos(estimate.durationNs())).isLessThan(Duration.ofSeconds(seconds));
    }
}
