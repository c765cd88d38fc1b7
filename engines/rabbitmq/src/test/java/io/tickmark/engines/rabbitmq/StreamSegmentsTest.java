package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32;
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

    /** It was a negative length. */
    @Test
    void shouldCountABatchInABatchOfAnotherProgramAsDamaged() throws IOException {
        final Path folder = Files.createDirectory(streams().resolve("__tickmark_a_stored_1234"));
        final byte[] batch = {(byte) 0x80, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 7};
        final CRC32 crc = new CRC32();
        crc.update(batch);
        final ByteBuffer segment =
                ByteBuffer.allocate(8 + 48 + batch.length)
                        .put("OSIL".getBytes(StandardCharsets.US_ASCII))
                        .putInt(1)
                        .put((byte) 0x50)
                        .put((byte) 0)
                        .putShort((short) 1)
                        .putInt(3)
                        .putLong(0)
                        .putLong(1)
                        .putLong(0)
                        .putInt((int) crc.getValue())
                        .putInt(batch.length)
                        .putInt(0)
                        .putInt(0)
                        .put(batch);
        Files.write(folder.resolve("00000000000000000000.segment"), segment.array());

        assertThat(segments().verify()).isEqualTo(new Verification(0, 0, 3));
    }
}
