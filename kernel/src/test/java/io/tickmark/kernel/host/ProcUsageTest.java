package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProcUsageTest {
    private static final long TICKS_PER_SECOND = 100;
    private static final long PAGE_BYTES = 4096;

    @TempDir private Path folder;

    @Test
    void shouldAddUserAndSystemTime() throws IOException {
        write(
                "4711 (java) S 1 4711 4711 0 -1 1077936384 9 8 7 6 250 50 99 98 20 0 30 0 1 2 3",
                "1 2");

        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.cpuNs()).isEqualTo(3_000_000_000L);
        }
    }

    @Test
    void shouldReadPastANameWithSpacesAndBrackets() throws IOException {
        write("4711 (a) b (c 1 2) S 1 4711 4711 0 -1 1077936384 9 8 7 6 1 2 99 98 20 0", "1 2");

        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.cpuNs()).isEqualTo(30_000_000L);
        }
    }

    @Test
    void shouldMultiplyResidentPages() throws IOException {
        write("1 (x) S", "1000 250 30 1 0 50 0\n");

        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.residentBytes()).isEqualTo(250 * PAGE_BYTES);
        }
    }

    @Test
    void shouldReadAgainWhatTheFileHoldsThen() throws IOException {
        write("1 (x) S 1 1 1 0 -1 0 0 0 0 0 1 0 0 0", "1 1");

        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.cpuNs()).isEqualTo(10_000_000L);
            write("1 (x) S 1 1 1 0 -1 0 0 0 0 0 1 8 0 0", "1 3");
            assertThat(usage.cpuNs()).isEqualTo(90_000_000L);
            assertThat(usage.residentBytes()).isEqualTo(3 * PAGE_BYTES);
        }
    }

    @Test
    void shouldKeepTheLastFiguresAndCountWhenTheFilesAreOfNoUse() throws IOException {
        write("1 (x) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0", "1 1");

        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.cpuNs()).isEqualTo(20_000_000L);
            assertThat(usage.residentBytes()).isEqualTo(PAGE_BYTES);
            assertThat(usage.failedReadings()).isZero();
            write("", "");
            assertThat(usage.cpuNs()).isEqualTo(20_000_000L);
            assertThat(usage.residentBytes()).isEqualTo(PAGE_BYTES);
            assertThat(usage.failedReadings()).isEqualTo(2);
        }
    }

    @Test
    void shouldReportNothingWhereThereAreNoSuchFiles() throws IOException {
        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.cpuNs()).isEqualTo(-1);
            assertThat(usage.residentBytes()).isEqualTo(-1);
        }
        Files.writeString(folder.resolve("stat"), "1 (x) S");
        try (ResourceSampler.ProcessUsage usage = open()) {
            assertThat(usage.cpuNs()).isEqualTo(-1);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldReadThisProcess() {
        try (ResourceSampler.ProcessUsage usage = ResourceSampler.ProcUsage.ofThisProcess()) {
            assertThat(usage.cpuNs()).isPositive();
            assertThat(usage.residentBytes()).isGreaterThan(10_000_000L);
        }
    }

    private ResourceSampler.ProcessUsage open() {
        return ResourceSampler.ProcUsage.open(folder, TICKS_PER_SECOND, PAGE_BYTES);
    }

    private void write(final String stat, final String statm) throws IOException {
        Files.writeString(folder.resolve("stat"), stat);
        Files.writeString(folder.resolve("statm"), statm);
    }
}
