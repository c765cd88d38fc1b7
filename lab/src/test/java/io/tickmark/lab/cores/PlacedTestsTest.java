package io.tickmark.lab.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacedTestsTest {
    private final RoleCatalog roles = RoleCatalog.load();
    private final TestPlan test =
            TestPlan.builder("t", "mock")
                    .channel("mock:a")
                    .role(RolePlan.of("mock-observer", Map.of()))
                    .role(RolePlan.of("mock-sender", Map.of()))
                    .role(RolePlan.of("mock-receiver", Map.of()).times(2))
                    .build();

    @Test
    void shouldPlaceTheThreadsThatRolesHaveThemselves() {
        final CorePlacement placement = new CorePlacement("cores", List.of(4, 5, 6), List.of());

        assertThat(PlacedTests.hotThreads(test, roles)).isEqualTo(3);
        assertThat(PlacedTests.placed(test, placement, roles).roles())
                .extracting(RolePlan::cores)
                .containsExactly(List.of(), List.of(4), List.of(5, 6));
    }

    @Test
    void shouldRefuseARoleWhoseSettingsNameACore() {
        final TestPlan fixed =
                TestPlan.builder("t", "mock")
                        .channel("mock:a")
                        .role(RolePlan.of("mock-sender", Map.of("core", 1)))
                        .build();

        assertThatThrownBy(() -> PlacedTests.hotThreads(fixed, roles))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("test t: a setting of role mock-sender puts its thread")
                .hasMessageContaining("on core 1");
    }
}
