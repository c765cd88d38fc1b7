package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.MessageHandler;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RingTest {
    private static final int CAPACITY = 1 << 16;

    private final UnsafeBuffer ring = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
    private final RecordReader.InPlace reader = new RecordReader.InPlace(ring, 0);
    private final RingWriter writer =
            new RingWriter(
                    ring,
                    new RingWriter.Readers() {
                        @Override
                        public long slowest(final long tail) {
                            return reader.position();
                        }

                        @Override
                        public void beforeWriting(final long position) {
                            assertThat(position).isLessThanOrEqualTo(reader.position() + CAPACITY);
                        }
                    },
                    ShmLayout.RECORD_ALIGNMENT);
    private final List<byte[]> read = new ArrayList<>();
    private final MessageHandler handler =
            (buffer, offset, length) -> {
                final byte[] message = new byte[length];
                buffer.getBytes(offset, message);
                read.add(message);
            };

    @Test
    void shouldReadBackMessagesOfAnyLengthOverManyLaps() {
        final Random random = new Random(42);
        final Queue<byte[]> onTheWay = new ArrayDeque<>();
        long written = 0;
        for (int turn = 0; turn < 20_000; turn++) {
            final byte[] message = confusing(random);
            if (write(message)) {
                onTheWay.add(message);
                written++;
            }
            if (random.nextInt(3) == 0) {
                // Also in the middle of a claim: the bytes after the last record were zeroed.
                final boolean claimed = writer.claim(random.nextInt(8000)) != RingWriter.NO_ROOM;
                reader.read(handler, random.nextInt(8));
                if (claimed) {
                    writer.abort();
                }
                read.forEach(bytes -> assertThat(bytes).isEqualTo(onTheWay.remove()));
                read.clear();
            }
        }

        assertThat(written).isGreaterThan(5_000);
        assertThat(reader.position()).isGreaterThan(20L * CAPACITY);
        assertThat(reader.isDamaged()).isFalse();
    }

    /** Payloads that would be read as records if a word were not zeroed ahead. */
    private static byte[] confusing(final Random random) {
        final byte[] message =
                new byte[random.nextInt(10) == 0 ? random.nextInt(8000) : random.nextInt(200)];
        Arrays.fill(message, (byte) 64);
        for (int i = 0; i + 3 < message.length; i += 4) {
            message[i + 1] = 0;
            message[i + 2] = 0;
            message[i + 3] = 0;
        }
        return message;
    }

    @Test
    void shouldRefuseWhatTheReaderHasNoRoomForAndGoOnWhenItHas() {
        int written = 0;
        while (write(new byte[1000])) {
            written++;
        }
        assertThat(written).isBetween(50, 64);

        while (reader.read(handler, Integer.MAX_VALUE) > 0) {
            assertThat(reader.isDamaged()).isFalse();
        }

        assertThat(read).hasSize(written);
        assertThat(write(new byte[1000])).isTrue();
    }

    @Test
    void shouldSkipWhatWasAborted() {
        write(new byte[] {1});
        assertThat(writer.claim(500)).isPositive();
        writer.abort();
        write(new byte[] {2});

        reader.read(handler, 10);

        assertThat(read).containsExactly(new byte[] {1}, new byte[] {2});
    }

    @Test
    void shouldCarryAnEmptyMessage() {
        write(new byte[0]);

        assertThat(reader.isDrained()).isFalse();
        assertThat(reader.read(handler, 10)).isOne();
        assertThat(read).containsExactly(new byte[0]);
        assertThat(reader.isDrained()).isTrue();
    }

    @Test
    void shouldRefuseASecondClaimBeforeTheFirstEnds() {
        writer.claim(8);

        assertThatThrownBy(() -> writer.claim(8)).isInstanceOf(IllegalStateException.class);
        writer.commit();
        assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldStopAtWhatCannotBeARecord() {
        for (final int frame :
                new int[] {1, 7, CAPACITY, Integer.MAX_VALUE, -1, -100, Integer.MIN_VALUE}) {
            ring.putInt(0, frame);
            final RecordReader.InPlace victim = new RecordReader.InPlace(ring, 0);

            assertThat(victim.read(handler, 10)).isZero();
            assertThat(victim.isDamaged()).as("frame %d", frame).isTrue();
        }
        assertThat(read).isEmpty();
    }

    @Test
    void shouldStopReadingWhenAHandlerSaysSo() {
        write(new byte[] {1});
        write(new byte[] {2});

        final int handed = reader.read((buffer, offset, length) -> reader.stop(), 10);

        assertThat(handed).isOne();
    }

    private boolean write(final byte[] message) {
        final int at = writer.claim(message.length);
        if (at == RingWriter.NO_ROOM) {
            return false;
        }
        writer.copy(at, new UnsafeBuffer(message), 0, message.length);
        writer.commit();
        return true;
    }
}
