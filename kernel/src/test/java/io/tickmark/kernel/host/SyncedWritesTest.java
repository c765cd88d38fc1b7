package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncedWritesTest {
    @TempDir private Path folder;
    private long nowNs;

    /** Each reading is 1 ms later: one write, one reading. */
    private long tick() {
        return nowNs += 1_000_000;
    }

    @Test
    void shouldCountWritesOnTheClockAndLeaveNothingBehind() throws IOException {
        assertThat(SyncedWrites.perSecond(folder, 20_000_000, this::tick)).hasValue(1_000);

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldReportNothingOfAFolderThatCannotBeWritten() {
        assertThat(SyncedWrites.perSecond(folder.resolve("absent"), 1, this::tick)).isEmpty();
    }
}
