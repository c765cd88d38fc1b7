package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.cli.option.PlanSettings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Settings without effect in combination with others, tested here because all roles are on this
 * class path.
 */
class UselessSettingsTest {
    private static final PlanLibrary LIBRARY = new PlanLibrary(RoleCatalog.load());

    @TempDir private Path folder;

    private Plan plan(final String settings, final String more) throws IOException {
        final String text =
                """
                schema: tickmark.plan/1
                name: p
                %s
                tests:
                - name: t
                  workload: latency
                  channels: ["shm:"]
                  settings: {%s}
                  %s
                  roles: [{role: latency-pub}, {role: latency-sub}]
                """;
        final boolean isMatrix = more.startsWith("matrix");
        return LIBRARY.find(
                Files.writeString(
                                folder.resolve("p.yaml"),
                                text.formatted(
                                        isMatrix ? more : "", settings, isMatrix ? "" : more))
                        .toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    pace: poisson | tests[0].settings.pace poisson: spreads a rate; give one with rate.
                    sleep: 1ms | tests[0].settings.sleep: belongs to pace sleep; give it, or leave this out.
                    ticksPerSecond: 50, rate: 10k | tests[0].settings.ticksPerSecond: belongs to pace ticks; give
                    pace: as-fast-as-possible, rate: 10k | tests[0].settings.pace as-fast-as-possible: does not keep to a rate
                    """)
    void shouldBeRefusedInAPlanWithLineAndKey(final String settings, final String refusal) {
        assertThatThrownBy(() -> plan(settings, ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("p.yaml line 8: " + refusal);
    }

    /** The pace of a test that is searched has its rates from the search. */
    @ParameterizedTest
    @ValueSource(strings = {"search: {}", "matrix: {rate: [10k, 20k]}"})
    void shouldBeAllowedWhereWhatTheyNeedComesLater(final String later) throws IOException {
        assertThat(plan("pace: poisson", later).tests()).hasSize(1);
        assertThatThrownBy(() -> plan("sleep: 1ms", later))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("belongs to pace sleep");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    rate: 10k | sleep=1ms | --set sleep: belongs to pace sleep; give it, or leave this out.
                    samples: 5 | pace=poisson | --set pace poisson: spreads a rate; give one with rate.
                    rate: 10k | pace=sleep | --set pace sleep: does not keep to a rate; leave rate out (or 0), or give
                    pace: sleep | rate=10k | pace sleep: does not keep to a rate; leave --set rate out (or 0), or give
                    """)
    void shouldBeRefusedWhereTheyAreTypedBesideAPlan(
            final String planned, final String typed, final String refusal) throws IOException {
        final Plan plan = plan(planned, "");
        final PlanSettings settings = PlanSettings.read("--set", List.of(typed));

        assertThatThrownBy(() -> settings.applyTo(plan, "--set"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(refusal);
    }

    @Test
    void shouldBeTakenTogetherWithWhatTheyNeed() throws IOException {
        final PlanSettings settings =
                PlanSettings.read("--set", List.of("pace=sleep", "sleep=1ms", "rate=0"));

        assertThat(settings.applyTo(plan("rate: 10k", ""), "--set").tests().getFirst().settings())
                .containsEntry("sleep", "1ms");
        assertThat(
                        PlanSettings.read("--set", List.of("pace=poisson"))
                                .applyTo(plan("samples: 5", "matrix: {rate: [10k, 20k]}"), "--set")
                                .tests())
                .hasSize(1);
    }
}
