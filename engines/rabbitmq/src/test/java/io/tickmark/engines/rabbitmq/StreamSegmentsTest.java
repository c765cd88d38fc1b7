package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.stream.Codec;
import com.rabbitmq.stream.codec.QpidProtonCodec;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.agrona.concurrent.UnsafeBuffer;
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
        writeSegment(1, 3, new byte[] {(byte) 0x80, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 7});

        assertThat(segments().verify()).isEqualTo(new Verification(0, 0, 3));
    }

    /** The library's decoder ended the reading of all that came after it. */
    @Test
    void shouldCountMessagesOfAnotherProgramThatAreNoBytesAsDamagedAndReadOn() throws IOException {
        final byte[] text = {0, 0x53, 0x77, (byte) 0xa1, 2, 'h', 'i'}; // AMQP 1.0: a string
        final byte[] bodiless = {0, 0x53, 0x73, 0x45}; // properties without a value, and no body
        final byte[] garbage = {1, 2, 3};
        final byte[] stored = StoredMessage.withTrailer(new UnsafeBuffer(new byte[20]), 0, 20, 7);
        final QpidProtonCodec codec = new QpidProtonCodec();
        final Codec.EncodedMessage encoded =
                codec.encode(codec.messageBuilder().addData(stored).build());
        final byte[] ours = Arrays.copyOf(encoded.getData(), encoded.getSize());
        final ByteBuffer entries = ByteBuffer.allocate(200);
        for (final byte[] each : List.of(text, bodiless, garbage, ours)) {
            entries.putInt(each.length).put(each);
        }
        writeSegment(4, 4, Arrays.copyOf(entries.array(), entries.position()));

        assertThat(segments().verify()).isEqualTo(new Verification(1, 0, 3));
    }

    /** With a single chunk. */
    private void writeSegment(final int entries, final int records, final byte[] data)
            throws IOException {
        final Path folder = Files.createDirectory(streams().resolve("__tickmark_a_stored_1234"));
        final CRC32 crc = new CRC32();
        crc.update(data);
        final ByteBuffer segment =
                ByteBuffer.allocate(8 + 48 + data.length)
                        .put("OSIL".getBytes(StandardCharsets.US_ASCII))
                        .putInt(1)
                        .put((byte) 0x50)
                        .put((byte) 0)
                        .putShort((short) entries)
                        .putInt(records)
                        .putLong(0)
                        .putLong(1)
                        .putLong(0)
                        .putInt((int) crc.getValue())
                        .putInt(data.length)
                        .putInt(0)
                        .putInt(0)
                        .put(data);
        Files.write(folder.resolve("00000000000000000000.segment"), segment.array());
    }
}
