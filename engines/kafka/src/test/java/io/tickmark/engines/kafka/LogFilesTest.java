package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments as a broker writes them, created here. */
class LogFilesTest {
    private static final int HEADER_BYTES = 61;

    @TempDir private Path data;
    private Path segment;

    @BeforeEach
    void makePartition() throws IOException {
        segment = Files.createDirectory(data.resolve("a-0")).resolve("00000000000000000000.log");
        Files.createFile(segment);
    }

    /** A whole batch of a number of records, with zeroes after its header. */
    private static ByteBuffer batch(final int records, final int bytes) {
        final ByteBuffer batch = ByteBuffer.allocate(bytes);
        batch.putInt(8, bytes - 12).put(16, (byte) 2).putInt(57, records);
        final CRC32C crc = new CRC32C();
        crc.update(batch.array(), 21, bytes - 21);
        batch.putInt(17, (int) crc.getValue());
        return batch;
    }

    private void append(final ByteBuffer batch, final int times) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.APPEND)) {
            for (int i = 0; i < times; i++) {
                batch.rewind();
                while (batch.hasRemaining()) {
                    file.write(batch);
                }
            }
        }
    }

    private Verification verified() {
        return new LogFiles(data, "a").verify();
    }

    @Test
    void shouldReadASegmentWithoutHoldingItInMemory() throws IOException {
        append(batch(10, 1_000_003), 64); // longer than a window and not aligned to it
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();

        final Verification found = verified();

        assertThat(found).isEqualTo(new Verification(640, 0, 0));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8L << 20);
    }

    @Test
    void shouldCheckBatchesThatAreLongerThanItReadsAtOnce() throws IOException {
        append(batch(7, 3_000_001), 2);
        final ByteBuffer wrong = batch(5, 3_000_001);
        wrong.put(2_900_000, (byte) 1);
        append(wrong, 1);
        append(batch(1, HEADER_BYTES), 1);

        assertThat(verified()).isEqualTo(new Verification(15, 0, 5));
    }

    @Test
    void shouldHandOverTheRecordsFromAnOffsetOnAsFarAsTheyAreWhole() throws IOException {
        final ByteBuffer whole =
                MemoryRecords.withRecords(
                                Compression.gzip().build(),
                                new SimpleRecord("first".getBytes(StandardCharsets.US_ASCII)),
                                new SimpleRecord("second".getBytes(StandardCharsets.US_ASCII)))
                        .buffer();
        append(whole, 1);
        whole.rewind().limit(whole.limit() - 3);
        append(whole, 1);
        final List<String> read = new ArrayList<>();

        final long count =
                new LogFiles(data, "a")
                        .read(
                                1,
                                (buffer, offset, length) ->
                                        read.add(
                                                buffer.getStringWithoutLengthAscii(
                                                        offset, length)));

        assertThat(read).containsExactly("second");
        assertThat(count).isEqualTo(1);
    }

    @Test
    void shouldCountWhatIsLeftOfATornBatch() throws IOException {
        append(batch(3, 500), 2);
        final ByteBuffer torn = batch(3, 500);
        torn.limit(200);
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.APPEND)) {
            file.write(torn);
        }

        assertThat(verified()).isEqualTo(new Verification(6, 200, 0));
    }

    /** A member may never have had a topic; that none has it does not show what was stored. */
    @Test
    void shouldNotCallEmptyAPartitionThatItCannotFind() {
        final LogFiles missing = new LogFiles(data, "b");

        assertThat(missing.verify()).isEqualTo(new Verification(0, 0, 0));
        assertThatThrownBy(() -> missing.read(0, (buffer, offset, length) -> {}))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("b-0");
    }
}
