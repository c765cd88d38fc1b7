package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.time.VirtualClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostClocksTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HostClocks clocks = new HostClocks(new VirtualClock(0));

    /** They load no class for the order any more, and a search has a dozen trials or more. */
    @Test
    void shouldOrderTheStartLaterWhereProcessesHaveRunATrial() {
        assertThat(clocks.startDelayNs(0, true, 2)).isEqualTo(200 * MS);
        assertThat(clocks.startDelayNs(0, false, 2)).isEqualTo(102 * MS);
    }

    @Test
    void shouldOrderTheStartNoLaterWhereManyRolesAreOrderedOneAfterTheOther() {
        assertThat(clocks.startDelayNs(0, false, 1_000)).isEqualTo(200 * MS);
    }
}
