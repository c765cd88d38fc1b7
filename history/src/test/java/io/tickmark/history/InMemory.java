package io.tickmark.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Folders in memory, for files that are synced: on the disk they would wait for what other tests
 * sync there.
 */
public final class InMemory implements TempDirFactory {
    @Override
    public Path createTempDirectory(
            final AnnotatedElementContext element, final ExtensionContext context)
            throws IOException {
        return Files.createTempDirectory(Path.of("/dev/shm"), "tickmark-test-");
    }
}
