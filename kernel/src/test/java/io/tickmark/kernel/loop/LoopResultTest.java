package io.tickmark.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoopResultTest {
    private static final Columns<Sample> COLUMNS = Columns.of(Sample.class);

    @TempDir private Path folder;

    record Sample(
            @Column(summary = "Sent") Counter sent, @Column(summary = "Latency") Timings latency) {}

    /** A loop that sent some up to the steady state and some in it. */
    private static LoopCounts<Sample> loop(
            final TestContext context, final int number, final long startup, final long steady) {
        final LoopCounts<Sample> loop = new LoopCounts<>(COLUMNS, number, context.recording());
        loop.live().sent().add(startup);
        loop.beginSteady();
        loop.live().sent().add(steady);
        loop.live().latency().add(5_000);
        return loop;
    }

    private static final class Result extends LoopResult<Sample, LoopResult.OneLoop<Sample>> {
        Result(final List<LoopResult.OneLoop<Sample>> loops) {
            super(COLUMNS, loops);
        }

        @Override
        protected SummaryInputs inputs() {
            return new SummaryInputs().add("Loops", loops().size());
        }

        @Override
        protected RoleResult of(final StepRecording last, final List<String> warnings) {
            return new RoleResult(
                    List.of(),
                    Map.of(
                            "startup",
                            startup().sent().get(),
                            "steady",
                            steady().sent().get(),
                            "all",
                            all().sent().get()),
                    warnings,
                    "");
        }
    }

    private RoleResult finish(final String statisticsFile) {
        final TestContext context = new TestContext(1, 1).in(folder);
        context.recording().beginStep(LoopGroup.STEADY_STEP, LoopGroup.STEADY);
        final LoopCounts<Sample> first = loop(context, 1, 1, 10);
        final LoopCounts<Sample> second = loop(context, 2, 2, 20);
        try (LoopReporter<Sample> reporter =
                new LoopReporter<>(
                        context,
                        COLUMNS,
                        new LoopReporter.Options(2, "Summary.out", statisticsFile, -1, true),
                        _ -> List.of())) {
            return new Result(List.of(() -> first, () -> second))
                    .finish(reporter, context.recording().endStep(), List.of("the role's own"));
        }
    }

    @Test
    void shouldAddUpWhatAllLoopsCountedBeforeTheSteadyStateAndInIt() {
        assertThat(finish("").metrics())
                .containsEntry("startup", 3L)
                .containsEntry("steady", 30L)
                .containsEntry("all", 33L);
    }

    @Test
    void shouldSummarizeWhatTheColumnsDeclareOfEachLoopAndOfAll() throws IOException {
        finish("");
        assertThat(Files.readString(folder.resolve("Summary.out")))
                .containsSubsequence(
                        "  Loops: 2\n",
                        "--- THREAD 1 SUMMARY ---\n\nOverall Statistics:\n  Latency avg (usec): 5.0\n",
                        "  Sent: 11\n\n--- THREAD 2 SUMMARY ---\n",
                        "  Sent: 22\n\n--- OVERALL SUMMARY ---\n",
                        "  Sent: 33\n  CPU/Memory samples: ");
    }

    @Test
    void shouldWarnOfIncompleteFilesAfterTheRolesOwnWarnings() throws IOException {
        Files.createDirectory(folder.resolve("Stats1.csv")); // cannot be written
        assertThat(finish("Stats").warnings())
                .hasSize(2)
                .startsWith("the role's own")
                .last()
                .asString()
                .contains("Stats1.csv could not be written");
    }
}
