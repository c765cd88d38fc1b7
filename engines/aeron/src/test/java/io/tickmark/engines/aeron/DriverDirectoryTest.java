package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverDirectoryTest {
    @TempDir private Path parent;

    @Test
    void shouldRemoveWhatAProcessThatIsGoneHasLeft() throws Exception {
        final long gone = goneProcess();
        final Path left = directory(DriverDirectory.prefix() + gone + "-1");
        final Path alive =
                directory(DriverDirectory.prefix() + ProcessHandle.current().pid() + "-1");
        final Path foreign = directory("aeron-somebody");
        final Path elsewhere = directory("tickmark-aeron-1-" + gone + "-1");
        final Path strange = directory(DriverDirectory.prefix() + "x");

        DriverDirectory.sweep(parent);

        assertThat(left).doesNotExist();
        assertThat(alive).exists();
        assertThat(foreign).exists();
        assertThat(strange).exists();
        assertThat(elsewhere).exists();
    }

    @Test
    void shouldNotFollowALinkToOtherFiles() throws Exception {
        final Path precious = directory("precious");
        Files.createSymbolicLink(
                parent.resolve(DriverDirectory.prefix() + goneProcess() + "-1"), precious);

        DriverDirectory.sweep(parent);

        assertThat(precious.resolve("cnc.dat")).exists();
    }

    @Test
    void shouldNeverChooseADirectoryTwice() {
        assertThat(DriverDirectory.unique()).isNotEqualTo(DriverDirectory.unique());
    }

    private Path directory(final String name) throws IOException {
        final Path directory = Files.createDirectory(parent.resolve(name));
        Files.createFile(directory.resolve("cnc.dat"));
        return directory;
    }

    private static long goneProcess() throws Exception {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }
}
