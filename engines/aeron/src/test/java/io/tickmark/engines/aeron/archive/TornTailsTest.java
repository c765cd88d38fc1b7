package io.tickmark.engines.aeron.archive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TornTailsTest {
    /** A folder in place of the file cannot be read by any user. */
    @Test
    void shouldSayWhoseFilesCannotBeRead(@TempDir final Path archive) throws Exception {
        Files.createDirectories(archive.resolve("0-0.rec").resolve("so that it has a size"));

        assertThatThrownBy(() -> TornTails.cut(archive, false))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The files of %s cannot be read".formatted(archive));
    }
}
