package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.HistogramTag;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.compare.CompareSamples.Repeat;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalBlocksTest {
    private static final long BEGIN_S = 1_767_000_000;
    private static final String LATENCY = "responseNs";

    @TempDir Path folder;

    private final TrialResult trial =
            CompareSamples.trial(
                    "t",
                    "shm:",
                    1,
                    new Repeat(CompareSamples.latency(1_000), 1, null),
                    Verdict.PASS,
                    List.of(new RoleSummary("market-consumer", 1, Map.of(), List.of())),
                    List.of());

    /** The log of a single role: in each second one value of each tag. */
    private void log(final int seconds, final HistogramTag... tags) throws IOException {
        final Path role =
                Files.createDirectories(
                        folder.resolve(ResultFolder.ROLES)
                                .resolve(ResultFolder.nameOf("t", "shm:", "market-consumer-1")));
        try (PrintStream out =
                new PrintStream(
                        Files.newOutputStream(role.resolve(RoleFiles.HISTOGRAMS)),
                        false,
                        StandardCharsets.UTF_8)) {
            final HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputStartTime(1_000 * BEGIN_S);
            writer.outputLegend();
            for (int second = 0; second < seconds; second++) {
                for (final HistogramTag tag : tags) {
                    final Histogram histogram = new Histogram(3);
                    histogram.recordValue(1_000);
                    histogram.setTag(tag.toString());
                    writer.outputIntervalHistogram(
                            BEGIN_S + second, BEGIN_S + second + 1, histogram);
                }
            }
        }
    }

    private List<SparseHistogram> blocks() {
        final Side plain = CompareSamples.side("A", List.of(trial));
        final Side side = new Side("A", folder, plain.result(), Optional.of(folder));
        return new IntervalBlocks(side).of(SideRow.of(side).getFirst(), trial, LATENCY);
    }

    private static long messages(final List<SparseHistogram> blocks) {
        return blocks.stream().flatMapToLong(block -> LongStream.of(block.counts())).sum();
    }

    /** The bootstrap used only the first thread, although the figure covers all. */
    @Test
    void shouldPutTheThreadsOfARoleTogether() throws IOException {
        log(
                5,
                new HistogramTag(LATENCY, 1, 0),
                new HistogramTag(LATENCY + "-2", 1, 0),
                new HistogramTag(LATENCY + "-3", 1, 0));

        assertThat(blocks()).hasSize(5);
        assertThat(messages(blocks())).isEqualTo(15);
    }

    @Test
    void shouldLeaveOtherStepsAndRepeatsOut() throws IOException {
        log(
                5,
                new HistogramTag(LATENCY, 1, 0),
                new HistogramTag(LATENCY, 1, 1),
                new HistogramTag(LATENCY, 2, 0));

        assertThat(messages(blocks())).isEqualTo(5);
    }

    @Test
    void shouldPutNeighboursOfALongTestTogether() throws IOException {
        log(1_000, new HistogramTag(LATENCY, 1, 0));

        assertThat(blocks()).hasSizeBetween(IntervalBlocks.MOST / 2, IntervalBlocks.MOST);
        assertThat(messages(blocks())).isEqualTo(1_000);
    }
}
