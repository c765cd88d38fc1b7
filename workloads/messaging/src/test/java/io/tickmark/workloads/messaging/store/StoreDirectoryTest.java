package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreDirectoryTest {
    private final List<Path> left = new ArrayList<>();

    @AfterEach
    void delete() {
        left.forEach(folder -> IoUtil.delete(folder.toFile(), true));
    }

    private static StoreDirectory take() {
        return StoreDirectory.take(
                Settings.read(StoreSettings.class, Map.of(), key -> key), "store-1");
    }

    private Path folder(final String prefix) throws IOException {
        final Path folder = Files.createTempDirectory(prefix);
        left.add(folder);
        return folder;
    }

    @Test
    void shouldRemoveWhatKilledStoresLeftInTheFolderOfTemporaryFiles() throws IOException {
        final Path killed = folder("tickmark-store-2-");
        Files.writeString(Files.createDirectory(killed.resolve("data")).resolve("0-0.rec"), "much");
        // Last: a store of another process may remove it from then on.
        Files.writeString(killed.resolve("tickmark-store.txt"), "archive\n");
        final Path begun = folder("tickmark-store-1-");
        Files.createFile(begun.resolve("tickmark-store.txt"));
        final Path foreign = folder("tickmark-store-1-");
        Files.writeString(foreign.resolve("letter.txt"), "dear");

        try (StoreDirectory running = take();
                StoreDirectory _ = take()) {
            assertThat(killed).doesNotExist();
            assertThat(begun).as("it may be locked in a moment").exists();
            assertThat(foreign.resolve("letter.txt")).exists();
            assertThat(running.data()).as("its lock is held").exists();
        }
    }
}
