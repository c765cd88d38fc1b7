package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.control.InterleavedRun.End;
import io.tickmark.lab.control.RunOutcome;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.NoiseRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a gate ends where a side has no repeat that counts. */
class InterleavedMeasurementTest {
    private static final String LOST = "Role latency-sub-1 was lost.";

    @TempDir private Path folder;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private static TrialResult passed() {
        return new TrialResult(
                "t",
                "latency",
                "shm:",
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
                Map.of(),
                1_000_000,
                5_000,
                5_000,
                1,
                2,
                2,
                Map.of(),
                null,
                null,
                List.of(),
                Verdict.PASS,
                List.of(),
                List.of(),
                null);
    }

    private static TrialResult noisy() {
        return passed().voided(NoiseRule.TOO_NOISY, List.of());
    }

    private static TrialResult taken() {
        return passed().voided(
                        "Other tasks or the hypervisor used the core of role 1.",
                        List.of(Labels.TAKEN));
    }

    private static TrialResult lost() {
        return passed().voided(LOST, List.of());
    }

    private End end(final String name, final TrialResult... trials) throws IOException {
        final RunResult result =
                new RunResult(
                        RunResult.SCHEMA,
                        "0.1.0",
                        "2026-01-02T03:04:05+01:00",
                        "plan",
                        Stream.of(trials)
                                .map(TrialResult::verdict)
                                .reduce(Verdict.PASS, Verdict::worse),
                        Stream.of(trials).flatMap(trial -> trial.reasons().stream()).toList(),
                        List.of(trials),
                        List.of(),
                        List.of(),
                        null,
                        Map.of(),
                        null);
        final Path own = Files.createDirectories(folder.resolve(name));
        Files.writeString(own.resolve(ResultFolder.RESULT), ResultJson.write(result));
        return new End(
                name,
                new RunOutcome(
                        result, Optional.of(own), List.of(), Optional.empty(), new TailReader()));
    }

    /** With a gate of 10 %. */
    private int concluded(final End first, final End other, final End again) {
        final PrintStream silent = new PrintStream(err, true, StandardCharsets.UTF_8);
        final MeasureOptions options =
                new MeasureOptions(
                        "",
                        false,
                        true,
                        false,
                        0,
                        "",
                        true,
                        true,
                        Duration.ZERO,
                        true,
                        false,
                        "",
                        "",
                        "",
                        "");
        return new InterleavedMeasurement(
                        new Terminal(silent, silent, 0, 0, false),
                        options,
                        CompareSettings.DEFAULT,
                        true,
                        0.1)
                .conclude(List.of(first, other, again), folder, 0);
    }

    private void assertUndecided(final End first, final End other, final End again)
            throws IOException {
        err.reset();
        Files.deleteIfExists(folder.resolve(InterleavedMeasurement.MARKDOWN));
        assertThat(concluded(first, other, again)).isEqualTo(InterleavedMeasurement.UNDECIDED);
        assertThat(folder.resolve(InterleavedMeasurement.MARKDOWN))
                .content()
                .startsWith("### tickmark: Gate undecided: nothing could be compared.\n\n")
                .contains("every repeat is void.");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("every repeat is void.");
    }

    /** It ended with 1: the change was blamed for the noise of the runner. */
    @Test
    void shouldBeUndecidedWhereNoiseCouldExplainWhatEveryRepeatOfTheChangeBroke()
            throws IOException {
        assertUndecided(
                end("A", passed(), noisy()),
                end("B", noisy(), noisy()),
                end("A-again", passed(), passed()));
    }

    @Test
    void shouldBeUndecidedWhereTheMachineTookAllOfTheChangeWhateverElseIsVoid() throws IOException {
        assertUndecided(
                end("A", passed(), lost()),
                end("B", taken(), taken()),
                end("A-again", passed(), passed()));
    }

    @Test
    void shouldBeUndecidedWhereEitherMeasurementOfTheFirstIsVoid() throws IOException {
        assertUndecided(
                end("A", lost(), lost()),
                end("B", passed(), passed()),
                end("A-again", passed(), passed()));
        assertUndecided(
                end("A", passed(), passed()),
                end("B", passed(), passed()),
                end("A-again", taken(), noisy()));
    }

    @Test
    void shouldSayHowManyReasonsItDoesNotTell() throws IOException {
        final End lost =
                end(
                        "A",
                        Stream.of("one", "two", "three", "four", "five")
                                .map("Role %s was lost."::formatted)
                                .map(reason -> passed().voided(reason, List.of()))
                                .toArray(TrialResult[]::new));

        concluded(lost, end("B", passed(), passed()), end("A-again", passed(), passed()));

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("tickmark: Role three was lost.")
                .doesNotContain("Role four")
                .contains("tickmark: and 2 more reasons, in the result.json of the runs.");
    }

    @Test
    void shouldFailWhereTheChangeItselfCouldNotBeMeasured() throws IOException {
        assertThat(
                        concluded(
                                end("A", passed(), passed()),
                                end("B", lost(), noisy()),
                                end("A-again", passed(), passed())))
                .isEqualTo(1);
        assertThat(folder.resolve(InterleavedMeasurement.MARKDOWN))
                .content()
                .contains("Gate failed", LOST);
    }
}
