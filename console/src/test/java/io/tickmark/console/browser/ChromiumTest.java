package io.tickmark.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.console.browser.ConsoleBrowserRole.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ChromiumTest {
    @TempDir Path folder;

    /** The browser makes a folder for its socket, and leaves it where it is killed. */
    @Test
    @Timeout(60)
    void shouldLeaveNoFolderOfTheBrowserAmongTheTemporaryFiles() throws Exception {
        final Path made = folder.resolve("made");
        final Path program =
                program(
                        """
                        #!/bin/sh
                        own="${TMPDIR:-/tmp}/org.chromium.Chromium.test$$"
                        mkdir "$own"
                        ln -s "$own/no-socket" "$own/SingletonSocket"
                        echo "$own" >"%1$s.part"
                        mv "%1$s.part" "%1$s"
                        exec sleep 100
                        """
                                .formatted(made));
        final Path own;
        try (Chromium browser = new Chromium(program.toString(), "http://127.0.0.1:1/")) {
            while (Files.notExists(made)) {
                assertThat(browser.isAlive()).isTrue();
                Thread.sleep(Duration.ofMillis(20));
            }
            own = Path.of(Files.readString(made).strip());
            assertThat(own).isDirectory();
        }
        assertThat(own).doesNotExist();
    }

    private Path program(final String script) throws IOException {
        final Path program = Files.writeString(folder.resolve("chromium"), script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }
}
