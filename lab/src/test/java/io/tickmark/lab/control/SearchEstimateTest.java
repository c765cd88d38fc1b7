package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SearchEstimateTest {
    private final TestPlan test =
            TestPlan.builder("t", "mock")
                    .role(RolePlan.of("mock-sender", Map.of()))
                    .repeats(7)
                    .build();

    private static PlanRun.ChannelTest channelTest(final TestPlan test) {
        return new PlanRun.ChannelTest(test, "mock:a", List.of(), 0, Optional.empty());
    }

    @Test
    void shouldStartASearchOnceAndForEachTrialInNewProcesses() {
        final SearchGoal goal =
                Settings.read(SearchGoal.class, Map.of("confirmations", 2), key -> key);

        assertThat(channelTest(test.searching(goal)).starts(false)).isEqualTo(4);
        assertThat(channelTest(test.searching(goal)).starts(true))
                .as("what is asked of repeats is none of a search")
                .isEqualTo(4);
    }

    @Test
    void shouldStartRepeatsOnceOrEachAnew() {
        assertThat(channelTest(test).starts(false)).isEqualTo(1);
        assertThat(channelTest(test).starts(true)).isEqualTo(7);
    }
}
