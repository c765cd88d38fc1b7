package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StoreDirectoryTest {
    private final List<Path> left = new ArrayList<>();

    @AfterEach
    void delete() {
        left.forEach(folder -> IoUtil.delete(folder.toFile(), true));
    }

    private static StoreDirectory take() {
        return StoreHolder.take("", false);
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

    /** Its disk says nothing about the one that is full. */
    @Test
    void shouldSayHowMuchRoomThereIsOnlyWhereTheDataAreHere() throws IOException {
        try (StoreDirectory directory = take()) {
            assertThat(directory.room()).as("a server elsewhere has them").isEmpty();

            Files.writeString(directory.data().resolve("0-0.rec"), "much");

            assertThat(directory.room().orElseThrow())
                    .matches("The disk of .* has \\d+ KiB of \\d+ KiB left\\.");
        }
    }

    /**
     * A store that tidied up held a folder that another one had just created, which was then
     * refused to its creator.
     */
    @Test
    void shouldGiveEachOfManyStoresThatStartAtOnceItsFolder() throws Exception {
        final int stores = 8;
        try (ExecutorService threads = Executors.newFixedThreadPool(stores)) {
            final List<Future<Void>> turns = new ArrayList<>();
            for (int store = 0; store < stores; store++) {
                turns.add(
                        threads.submit(() -> {
                            for (int turn = 0; turn < 100; turn++) {
                                take().close();
                            }
                            return null;
                        }));
            }
            for (final Future<Void> turn : turns) {
                turn.get();
            }
        }
    }

    @Test
    void shouldKeepItsFolderWhileStoresOfOtherProcessesStart() throws Exception {
        try (StoreHolder other = new StoreHolder("");
                StoreDirectory first = take();
                StoreDirectory second = take();
                StoreHolder last = new StoreHolder("")) {
            left.add(other.root());
            left.add(last.root());
            assertThat(other.root().resolve("data")).as("held by another process").exists();
            assertThat(first.data()).as("looked at by this process and another").exists();
            assertThat(second.data()).exists();

            other.kill();
            try (StoreDirectory _ = take()) {
                assertThat(other.root()).as("its store was killed").doesNotExist();
            }
        }
    }

    @Test
    void shouldRefuseANamedFolderThatAnotherProcessHolds(@TempDir final Path named)
            throws Exception {
        try (StoreHolder other = new StoreHolder(named.toString())) {
            for (final boolean keepStored : new boolean[] {false, true}) {
                assertThatThrownBy(() -> StoreHolder.take(named.toString(), keepStored))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("another store uses it");
            }

            other.kill();
            try (StoreDirectory goesOn = StoreHolder.take(named.toString(), true)) {
                assertThat(goesOn.data()).exists();
            }
        }
    }

    @Test
    void shouldHoldANamedFolderThatItWasRefusedOnce(@TempDir final Path named) throws Exception {
        try (StoreDirectory _ = StoreHolder.take(named.toString(), true)) {
            assertThatThrownBy(() -> StoreHolder.take(named.toString(), true))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("another store uses it");
            assertThatThrownBy(() -> new StoreHolder(named.toString()).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another store uses it");
        }
    }
}
