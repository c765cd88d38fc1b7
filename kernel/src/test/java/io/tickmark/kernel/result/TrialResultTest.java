package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrialResultTest {
    private static TrialResult of(final RoleSummary... roles) {
        return new TrialResult(
                "ping",
                "latency",
                "shm:",
                1,
                0,
                "",
                64,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                0,
                0,
                0,
                0,
                2,
                2,
                Map.of(),
                null,
                null,
                List.of(),
                Verdict.PASS,
                List.of(),
                List.of(roles),
                null);
    }

    private static RoleSummary role(final String name, final int index, final Object idle) {
        return new RoleSummary(name, index, Map.of(RoleSummary.IDLE, idle), List.of());
    }

    @Test
    void shouldSayOnceHowAllThreadsWaited() {
        assertThat(
                        of(role("pub", 1, "spin"), role("sub", 1, "spin"), role("sub", 2, "spin"))
                                .idle())
                .isEqualTo("spin");
    }

    @Test
    void shouldNameTheRolesWhereTheyWaitedDifferently() {
        assertThat(
                        of(role("sub", 2, "block"), role("sub", 1, "spin"), role("pub", 1, "spin"))
                                .idle())
                .isEqualTo("pub spin, sub block or spin");
    }

    @Test
    void shouldSayNothingWhereNoRoleDoes() {
        assertThat(of(new RoleSummary("pub", 1, Map.of(), List.of())).idle()).isEmpty();
        assertThat(of(role("pub", 1, 3)).idle()).as("of a result made by hand").isEmpty();
    }
}
