package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as a server makes them, created here. */
class StreamSegmentsTest {
    @TempDir private Path member;

    private Path streams() throws IOException {
        return Files.createDirectories(
                member.resolve("data").resolve(RabbitmqServer.NODE).resolve("stream"));
    }

    private StreamSegments segments() {
        return new StreamSegments(member, "tickmark.a.stored");
    }

    /** That a server has none does not show what was stored. */
    @Test
    void shouldNotCallEmptyAStreamThatItCannotFindAndSayWhichItLookedFor() throws IOException {
        Files.createDirectory(streams().resolve("__tickmark_ab_stored_1234"));

        assertThat(segments().verify()).isEqualTo(new Verification(0, 0, 0));
        assertThatThrownBy(() -> segments().read(0, (buffer, offset, length) -> {}))
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(streams().resolve("__tickmark_a_stored_").toString());
    }

    @Test
    void shouldTakeTheNewestFolderOfAStream() throws IOException {
        Files.createDirectory(streams().resolve("__tickmark_a_stored_1234"));
        Files.createDirectory(streams().resolve("__tickmark_a_stored_1235"));
        Files.createDirectory(streams().resolve("__tickmark_a_stored_1236b"));

        assertThat(segments().folder()).hasFileName("__tickmark_a_stored_1235");
        assertThat(segments().read(0, (buffer, offset, length) -> {})).isZero();
    }
}
