package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.control.RunOutcome;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Labels;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever has figures that the machine has made is told what tells more about the machine. */
class QuickHintTest {
    private static final String HINT = "What this machine can resolve: ./tickmark quick";

    private static TrialResult row(final String channel, final String... labels) {
        return new TrialResult(
                "t",
                "latency",
                channel,
                1,
                0,
                "",
                64,
                1,
                5_000,
                5_000,
                5_000,
                0,
                0,
                0,
                Map.of(Counts.SENT, 5_000L, Counts.RECEIVED, 5_000L),
                1_000_000_000L,
                5_000,
                5_000,
                1,
                2,
                2,
                Map.of(
                        Latencies.RESPONSE_NS,
                        new LatencySummary(
                                5_000,
                                20_000,
                                41_000,
                                4_000,
                                OptionalLong.of(40_000),
                                OptionalLong.of(44_000),
                                OptionalLong.of(48_000),
                                OptionalLong.of(60_000),
                                OptionalLong.of(90_000),
                                OptionalLong.empty(),
                                900_000)),
                null,
                null,
                List.of(labels),
                Verdict.PASS,
                List.of(),
                List.of(),
                null);
    }

    private static RunResult run(final TrialResult... rows) {
        return RunResult.ofRows(
                "0.1.0",
                OffsetDateTime.parse("2026-11-20T09:30:00+01:00"),
                "p",
                List.of(rows),
                Map.of());
    }

    /** What the command prints of a result that nobody has to measure for it. */
    private static String printed(
            final RunResult result, final boolean isJson, final boolean isQuiet) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        final MeasureOptions options =
                new MeasureOptions(
                        "",
                        isJson,
                        isQuiet,
                        false,
                        0,
                        "",
                        true,
                        false,
                        Duration.ZERO,
                        false,
                        false,
                        "",
                        "",
                        "",
                        "");
        new Measurement(new Terminal(stream, stream, 0, 0, false), options)
                .runBy(control ->
                        new RunOutcome(
                                result,
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                new TailReader()))
                .run(Plan.named("p"));
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {Labels.NOISY, Labels.DISTURBED})
    void shouldPointToQuickWhereTheMachineShowsInOneRow(final String label) {
        final RunResult result = run(row("shm:"), row("tcp://127.0.0.1:0", label));

        assertThat(printed(result, false, false).lines()).last().isEqualTo(HINT);
    }

    @Test
    void shouldNotPointToQuickWhereTheMachineIsQuiet() {
        assertThat(printed(run(row("shm:"), row("aeron:ipc", Labels.CLOSED_LOOP)), false, false))
                .contains("Passed")
                .doesNotContain(HINT);
    }

    @Test
    void shouldNotPointToQuickInOutputForPrograms() {
        final RunResult result = run(row("shm:", Labels.NOISY));

        assertThat(printed(result, true, false)).startsWith("{").doesNotContain("./tickmark quick");
        assertThat(printed(result, false, true)).contains("Passed").doesNotContain(HINT);
    }

    /** Its own answer says so. */
    @Test
    void shouldNotPointToQuickFromQuick() {
        final RunResult answered =
                run(row("shm:", Labels.NOISY))
                        .with(new Answer("This machine: good to 1 ms.", Map.of(), List.of()));

        assertThat(printed(answered, false, false)).contains("good to 1 ms").doesNotContain(HINT);
    }
}
