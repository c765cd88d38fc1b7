package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.lab.result.PackedRun;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFilesTest {
    private static final Path MAPS = Path.of("/proc/self/maps");

    @TempDir private Path folder;
    private final byte[] content = new byte[100_000];

    private Path run() throws IOException {
        final Path run = Files.createDirectory(folder.resolve("run"));
        new Random(1).nextBytes(content);
        Files.write(run.resolve(RoleFiles.MESSAGES), content);
        return run;
    }

    private Path packed() throws IOException {
        final Path zip = folder.resolve("run.zip");
        PackedRun.write(run(), zip);
        return PackedRun.open(zip).resolve(RoleFiles.MESSAGES);
    }

    @Test
    void shouldMapAFileOfAFolder() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment mapped =
                    new MappedFiles().map(run().resolve(RoleFiles.MESSAGES), arena);

            assertThat(mapped.isMapped()).isTrue();
            assertThat(mapped.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
        }
    }

    /** All of it was read onto the heap, which ended with a file that is larger than that. */
    @Test
    void shouldHoldAFileOfAPackedRunOutsideOfTheHeapAndLeaveNoCopyBehind() throws IOException {
        final MappedFiles files = new MappedFiles();
        final Path file = packed();
        final MemorySegment mapped;
        try (Arena arena = Arena.ofConfined()) {
            mapped = files.map(file, arena);
        }
        try (Arena next = Arena.ofConfined()) {
            assertThat(files.map(file, next)).as("copied once").isSameAs(mapped);
        }

        assertThat(mapped.isMapped()).isTrue();
        assertThat(Files.readString(MAPS))
                .containsPattern("tickmark-messages-\\S+ \\(deleted\\)")
                .doesNotContainPattern("tickmark-messages-\\S+\\n");
        assertThat(mapped.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
    }

    @Test
    void shouldSayWhichFileCannotBeCopied() throws IOException {
        final Path missing = packed().resolveSibling("none");

        assertThatThrownBy(() -> new MappedFiles().map(missing, Arena.global()))
                .isInstanceOf(IOException.class);
    }
}
