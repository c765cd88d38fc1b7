package io.tickmark.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.mock.MockSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoleResolverTest {
    private final RoleResolver resolver = new RoleResolver(RoleCatalog.load());

    /** Whoever asked for a short warm-up, or for none, does not get a longer one. */
    @Test
    void shouldShortenInWarmProcessesWhatHasLessToDoThere() {
        final TestPlan test =
                TestPlan.builder("t", "mock")
                        .role(RolePlan.of("mock-sender", Map.of("patience", "3s", "samples", 7)))
                        .role(RolePlan.of("mock-receiver", Map.of("patience", "1s")))
                        .build();

        final List<MockSettings> warm =
                resolver.resolve(resolver.warm(test, "mock:a"), "mock:a").stream()
                        .map(role -> (MockSettings) role.settings())
                        .toList();

        assertThat(warm)
                .extracting(MockSettings::patience)
                .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(1));
        assertThat(warm.getFirst().samples()).isEqualTo(7);
        assertThat(warm).extracting(MockSettings::warmUps).containsOnly(0);
    }

    /** Its code is not compiled yet, and of its messages none is a figure. */
    @Test
    void shouldLeaveOutOfABurstWhatIsNoTimeInWhichCodeIsCompiled() {
        final TestPlan test =
                TestPlan.builder("t", "mock")
                        .role(RolePlan.of("mock-sender", Map.of("patience", "3s")))
                        .build();

        assertThat(resolver.resolve(resolver.burst(test, "mock:a"), "mock:a"))
                .singleElement()
                .extracting(role -> (MockSettings) role.settings())
                .satisfies(settings -> {
                    assertThat(settings.patience()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(settings.warmUps()).isZero();
                });
    }

    @Test
    void shouldShortenASettingOfTheTestForTheRolesThatDeclareIt() {
        final TestPlan test =
                TestPlan.builder("t", "mock")
                        .role(RolePlan.of("mock-sender", Map.of()))
                        .build()
                        .withSettings(Map.of("patience", "1m"));

        assertThat(resolver.resolve(resolver.warm(test, "mock:a"), "mock:a"))
                .singleElement()
                .satisfies(role ->
                        assertThat(((MockSettings) role.settings()).patience())
                                .isEqualTo(Duration.ofSeconds(2)));
    }
}
