package io.tickmark.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.role.TestContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoopReporterTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Columns<Sample> columns = Columns.of(Sample.class);
    @TempDir private Path folder;
    private TestContext context;

    record Sample(
            @Column(csv = "Sent", consolePerSecond = "Rate: %d", summary = "Sent") Counter sent) {}

    private LoopReporter<Sample> reporter(final int loops, final boolean isQuiet) {
        context = new TestContext(1, 1).in(folder);
        return new LoopReporter<>(
                context,
                columns,
                new LoopReporter.Options(loops, "Summary.out", "Stats", -1, isQuiet),
                row -> List.of("  - of " + row.totals().sent().get()));
    }

    private LoopCounts<Sample> loop(final int number, final long sent) {
        final LoopCounts<Sample> loop = new LoopCounts<>(columns, number, context.recording());
        loop.beginIntervals(context.clock().nanoTime());
        loop.live().sent().set(sent);
        return loop;
    }

    private List<String> finish(
            final LoopReporter<Sample> reporter, final List<LoopCounts<Sample>> loops) {
        return reporter.finish(
                new SummaryInputs().add("Run Time", 5).addSwitch("Snapshots", true),
                loops,
                (of, resources) ->
                        columns.countLines(
                                        columns.sum(of.stream().map(LoopCounts::live).toList()),
                                        Set.of())
                                + resources);
    }

    @Test
    void shouldWriteTheStatisticsOfEachLoopAndReportThem() throws IOException {
        try (LoopReporter<Sample> reporter = reporter(2, false)) {
            final List<LoopCounts<Sample>> loops = List.of(loop(1, 5), loop(2, 7));
            reporter.start();
            loops.forEach(
                    each -> reporter.rows().add(each.takeInterval(context.clock().nanoTime())));
            assertThat(finish(reporter, loops)).isEmpty();
        }
        final List<String> first = Files.readAllLines(folder.resolve("Stats1.csv"));
        assertThat(first).hasSize(2);
        assertThat(first.getFirst()).isEqualTo("UTC, Sent, CPU usage (%), Memory (MB)");
        assertThat(first.getLast())
                .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, 5, (NaN|[\\d.]+), [\\d.]+");
        assertThat(Files.readAllLines(folder.resolve("Stats2.csv")).getLast()).contains(", 7, ");
        assertThat(context.lines().getFirst())
                .matches("Thread 1 0\\d\\d: Rate: \\d+, CPU: +(NaN|[\\d.]+)%, Mem: [\\d.]+MB");
        assertThat(context.lines().get(1)).isEqualTo("  - of 5");
        assertThat(context.lines().get(2)).startsWith("Thread 2 0");
    }

    @Test
    void shouldSummarizeEachLoopAndAllOfThem() throws IOException {
        try (LoopReporter<Sample> reporter = reporter(2, true)) {
            final List<LoopCounts<Sample>> loops = List.of(loop(1, 5), loop(2, 7));
            reporter.rows().add(loops.getFirst().takeInterval(SECOND_NS));
            finish(reporter, loops);
        }
        final String summary = Files.readString(folder.resolve("Summary.out"));
        assertThat(summary)
                .startsWith(
                        """
                        --- TEST INPUTS ---

                           Run Time: 5
                          Snapshots: Yes

                        --- THREAD 1 SUMMARY ---

                          Sent: 5
                        --- THREAD 2 SUMMARY ---

                          Sent: 7
                        --- OVERALL SUMMARY ---

                          Sent: 12
                          CPU/Memory samples: \
                        """)
                .contains("  Memory Usage max (MB): ");
        assertThat(context.lines())
                .first()
                .as("nothing before the results")
                .isEqualTo("--- THREAD 1 SUMMARY ---");
        assertThat(context.lines()).contains("--- OVERALL SUMMARY ---").doesNotContain("  - of 5");
    }

    @Test
    void shouldNameNoThreadWhereThereIsOne() throws IOException {
        try (LoopReporter<Sample> reporter = reporter(1, false)) {
            final List<LoopCounts<Sample>> loops = List.of(loop(1, 5));
            reporter.rows().add(loops.getFirst().takeInterval(context.clock().nanoTime()));
            finish(reporter, loops);
        }
        assertThat(context.lines().getFirst()).startsWith("00");
        assertThat(Files.readString(folder.resolve("Summary.out"))).doesNotContain("THREAD");
    }

    @Test
    void shouldSayWhichFilesLackSomething() throws IOException {
        Files.createDirectory(folder.resolve("Stats1.csv")); // cannot be written
        final List<String> drained = new ArrayList<>();
        final List<String> warnings;
        try (LoopReporter<Sample> reporter = reporter(1, true)) {
            reporter.add(
                    new LoopReporter.Writer() {
                        @Override
                        public void drain() {
                            drained.add("");
                        }

                        @Override
                        public List<String> warnings() {
                            return List.of("drained " + !drained.isEmpty());
                        }
                    });
            warnings = finish(reporter, List.of(loop(1, 5)));
        }
        assertThat(warnings).hasSize(2);
        assertThat(warnings.getFirst()).isEqualTo("drained true");
        assertThat(warnings.getLast())
                .contains("Stats1.csv could not be written")
                .endsWith("it is incomplete, but the figures of the result are complete.");
    }
}
