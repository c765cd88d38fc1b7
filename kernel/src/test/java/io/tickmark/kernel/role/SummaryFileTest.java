package io.tickmark.kernel.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SummaryFileTest {
    @TempDir private Path directory;

    private static RoleResult result() {
        final Histogram latency = new Histogram(3);
        latency.recordValueWithCount(1500, 99);
        latency.recordValue(2_000_000);
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("sent", 100L);
        counts.put("maxTightSends", 3L);
        return new RoleResult(
                List.of(
                        new StepResult(
                                0,
                                "",
                                64,
                                counts,
                                1_500_000_000L,
                                0,
                                66.6666,
                                Map.of("roundTripNs", latency),
                                List.of("It did not hold its rate."))),
                Map.of("cpuPercentMean", 12.3456),
                List.of("The clock is coarse."),
                "The peer went away.");
    }

    @Test
    void shouldWriteInputsAndFiguresInColumns() throws IOException {
        final Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("channel", "udp://127.0.0.1:0");
        settings.put("payloadBytes", 64);

        SummaryFile.append(directory, "latency-pub 1, repeat 2", settings, result());

        assertThat(Files.readString(directory.resolve(RoleFiles.SUMMARY)))
                .isEqualTo(
                        """
                        latency-pub 1, repeat 2
                        =======================

                        Settings
                          channel       udp://127.0.0.1:0
                          payloadBytes  64

                        Step 0: 64 bytes, 1.500 s
                          sent                      100
                          maxTightSends               3
                          achievedRatePerSecond  66.667  msg/s

                          latency in us  count    min    mean    stdev    p50    p90  p99  p99.9  p99.99       max
                          roundTripNs      100  1.500  21.489  198.886  1.500  1.500                      2000.895

                        Reasons
                          It did not hold its rate.

                        Metrics
                          cpuPercentMean  12.346

                        Warnings
                          The clock is coarse.

                        Failure
                          The peer went away.

                        """);
    }

    @Test
    void shouldAppendFurtherRepeats() throws IOException {
        SummaryFile.append(directory, "repeat 1", Map.of(), result());
        SummaryFile.append(directory, "repeat 2", Map.of(), result());

        assertThat(Files.readString(directory.resolve(RoleFiles.SUMMARY)))
                .contains("repeat 1\n", "repeat 2\n");
    }

    @Test
    void shouldLeaveOutWhatThereIsNot() throws IOException {
        final RoleResult nothing = new RoleResult(List.of(), Map.of(), List.of(), "");
        SummaryFile.append(directory, "idle", Map.of(), nothing);

        assertThat(Files.readString(directory.resolve(RoleFiles.SUMMARY)))
                .isEqualTo("idle\n====\n\n");
    }
}
