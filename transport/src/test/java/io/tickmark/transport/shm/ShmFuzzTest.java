package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;

final class ShmFuzzTest {
    private static final int CAPACITY = ShmLayout.MIN_CAPACITY_BYTES;
    private static final int POLLS = 50;

    @TempDir static Path directory;

    /** The file of a live writer, with the input written over its header and its ring. */
    @FuzzTest(maxDuration = "1m")
    void shouldSurviveAFileThatIsDamaged(final byte[] bytes) throws IOException {
        final ByteBuffer file =
                ByteBuffer.allocate(ShmLayout.HEADER_BYTES + CAPACITY)
                        .order(ByteOrder.nativeOrder());
        final ProcessIdentity self = ProcessIdentity.current();
        file.putLong(ShmLayout.MAGIC_OFFSET, ShmLayout.MAGIC);
        file.putInt(ShmLayout.VERSION_OFFSET, ShmLayout.VERSION);
        file.putInt(ShmLayout.CAPACITY_OFFSET, CAPACITY);
        file.putLong(ShmLayout.WRITER_PROCESS_OFFSET, self.id());
        file.putLong(ShmLayout.WRITER_START_OFFSET, self.startTicks());
        file.putInt(ShmLayout.WRITER_STATE_OFFSET, ShmLayout.WRITER_OPEN);
        overlay(file, bytes);
        final Path path = directory.resolve("tickmark-fuzz-tickmark.ring");
        Files.write(path, file.array());

        final ChannelUri channel = ChannelUri.parse("shm://fuzz?directory=" + directory);
        try (ShmConnector reader =
                new ShmConnector(ShmAddress.of(channel, Topic.DEFAULT), SystemNanoClock.INSTANCE)) {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[16]);
            for (int i = 0; i < POLLS; i++) {
                reader.poll((buffer, offset, length) -> buffer.checkLimit(offset + length), 8);
                reader.back().offer(message, 0, message.capacity());
            }
        } catch (final UserError e) {
            assertThat(e).hasMessageStartingWith("--channel shm://fuzz");
        }
    }

    /** Pieces, each of: place (4 bytes, big-endian), length (1 byte), bytes. */
    private static void overlay(final ByteBuffer file, final byte[] bytes) {
        final ByteBuffer pieces = ByteBuffer.wrap(bytes);
        while (pieces.remaining() > Integer.BYTES) {
            final int place = Math.floorMod(pieces.getInt(), file.capacity());
            final int length = pieces.get() & 0xff;
            for (int i = 0; i < length && pieces.hasRemaining(); i++) {
                file.put((place + i) % file.capacity(), pieces.get());
            }
        }
    }

    @FuzzTest(maxDuration = "1m")
    void shouldReadRecordsOrEndTheReading(final byte[] bytes) {
        final UnsafeBuffer ring = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
        final UnsafeBuffer header =
                new UnsafeBuffer(ByteBuffer.allocateDirect(ShmLayout.HEADER_BYTES));
        header.putBytes(0, bytes, 0, Math.min(bytes.length, Long.BYTES));
        final long position = header.getLong(0);
        final byte[] records = Arrays.copyOfRange(bytes, Math.min(bytes.length, 8), bytes.length);
        ring.putBytes(0, records, 0, Math.min(records.length, CAPACITY));
        header.setMemory(0, ShmLayout.HEADER_BYTES, (byte) 0);
        header.putLong(ShmLayout.INTENT_OFFSET, position);
        header.putLong(ShmLayout.TAIL_OFFSET, position);
        readAll(new RecordReader.InPlace(ring, position));
        readAll(new RecordReader.Lossy(header, ring, position, 0));
    }

    private static void readAll(final RecordReader reader) {
        final long deadlineNs = SystemNanoClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        long handed = 0;
        for (int i = 0; i < POLLS && !reader.isDrained(); i++) {
            handed +=
                    reader.read((buffer, offset, length) -> buffer.checkLimit(offset + length), 16);
            assertThat(SystemNanoClock.INSTANCE.nanoTime()).isLessThan(deadlineNs);
        }
        assertThat(handed).isLessThanOrEqualTo(16L * POLLS);
    }
}
