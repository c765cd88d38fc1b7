package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeFilesTest {
    @TempDir private Path root;

    private void limits(final String soft) throws IOException {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(
                root.resolve("proc/self/limits"),
                """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            %s                   4096                 files
                """
                        .formatted(soft));
    }

    private void open(final int files) throws IOException {
        for (int i = 0; i < files; i++) {
            Files.createDirectories(root.resolve("proc/self/fd/" + i));
        }
    }

    @Test
    void shouldCountWhatMayStillBeOpened() throws IOException {
        limits("20");
        open(12);

        assertThat(LimitFacts.freeFiles(new HostFiles(root))).hasValue(8);
    }

    @Test
    void shouldNotClaimThatAllAreFreeWhereNoneIsLeftToLook() throws IOException {
        limits("20");

        assertThat(LimitFacts.freeFiles(new HostFiles(root))).isEmpty();
    }

    @Test
    void shouldKnowNoNumberWhereThereIsNoLimit() throws IOException {
        limits("unlimited");
        open(12);

        assertThat(LimitFacts.freeFiles(new HostFiles(root))).isEmpty();
    }
}
