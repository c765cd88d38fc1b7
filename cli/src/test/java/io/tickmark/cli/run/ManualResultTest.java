package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.messaging.latency.LatencyPubSettings;
import io.tickmark.workloads.messaging.latency.LatencyPublisher;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManualResultTest {
    private static final OffsetDateTime START = OffsetDateTime.parse("2026-11-20T09:30:00+01:00");
    private static final LatencyPublisher.Factory FACTORY = new LatencyPublisher.Factory();

    private final ManualResult<LatencyPubSettings> hand =
            new ManualResult<>(
                    "latency pub",
                    FACTORY,
                    Settings.read(FACTORY.settings(), Map.of(), key -> key));

    @Test
    void shouldBeSuccessfulWhenItCameToItsEnd() {
        final RunResult run = hand.of(START, measured(""), false);

        assertThat(run.verdict()).isEqualTo(Verdict.PASS);
        assertThat(printed(run)).contains("Passed.", "Test successful!");
    }

    @Test
    void shouldReportWhenItWasStartedAndNotWhenItEnded() {
        assertThat(hand.of(START, measured(""), false).startedAt())
                .isEqualTo("2026-11-20T09:30:00+01:00");
    }

    @Test
    void shouldBeVoidWhenASignalEndedIt() {
        final RunResult run = hand.of(START, measured(""), true);

        assertThat(run.verdict()).isEqualTo(Verdict.VOID);
        assertThat(run.reasons()).containsExactly("The run was interrupted.");
        assertThat(printed(run))
                .contains("Void.")
                .containsOnlyOnce("interrupted")
                .doesNotContain("Passed", "Test successful!");
    }

    @Test
    void shouldAlsoReportWhatTheRoleSaidOfAnInterruptedRun() {
        assertThat(hand.of(START, measured("Nobody came."), true).reasons())
                .containsExactly("The run was interrupted.", "Nobody came.");
    }

    private static RoleResult measured(final String failure) {
        return new RoleResult(
                List.of(
                        new StepResult(
                                0,
                                "",
                                64,
                                Map.of(Counts.SENT, 10L, Counts.RECEIVED, 10L),
                                1_000_000,
                                0,
                                10_000,
                                Map.of(),
                                List.of())),
                Map.of(),
                List.of(),
                failure);
    }

    private String printed(final RunResult run) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        hand.print(run, false, new Terminal(stream, stream, 0, 0, false));
        return out.toString(StandardCharsets.UTF_8);
    }
}
