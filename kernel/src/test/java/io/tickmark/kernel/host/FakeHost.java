package io.tickmark.kernel.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Made-up {@code /proc} and {@code /sys} files in a temporary folder. */
record FakeHost(Path root) {
    FakeHost with(final String path, final String text) {
        try {
            final Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HostFiles files() {
        return new HostFiles(root);
    }
}
