package io.tickmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of the repository that is generated from code. With {@code -Dtickmark.docs.write=true} it
 * is written first.
 */
public final class PublishedFile {
    private PublishedFile() {}

    /**
     * Compares.
     *
     * @param path from the root of the repository
     * @param expected what the code generates
     */
    public static void assertPublished(final String path, final String expected) {
        final Path file = root().resolve(path);
        try {
            if (Boolean.getBoolean("tickmark.docs.write")) {
                Files.writeString(file, expected);
            }
            assertThat(file)
                    .as("run the test with -Dtickmark.docs.write=true to bring it up to date")
                    .hasContent(expected);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("config/jvm.options"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
