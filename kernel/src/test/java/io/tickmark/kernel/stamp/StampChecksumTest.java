package io.tickmark.kernel.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class StampChecksumTest {
    private static final int OFFSET = 3;
    private static final int LONGEST = 600;

    private final StampChecksum checksum = new StampChecksum();

    private static int byJdk(final byte[] message) {
        final CRC32C crc = new CRC32C();
        crc.update(message, 32, message.length - 32);
        crc.update(message, 0, 16);
        crc.update(message, 24, 4);
        return (int) crc.getValue();
    }

    @Test
    void shouldAgreeWithTheJdkForEveryLength() {
        final SplittableRandom random = new SplittableRandom(7);
        for (int length = Stamp.FULL_LENGTH; length <= LONGEST; length++) {
            final byte[] message = new byte[length];
            random.nextBytes(message);
            final byte[] padded = new byte[OFFSET + length];
            System.arraycopy(message, 0, padded, OFFSET, length);
            final ByteBuffer direct = ByteBuffer.allocateDirect(padded.length).put(padded);

            for (final DirectBuffer buffer :
                    new DirectBuffer[] {new UnsafeBuffer(padded), new UnsafeBuffer(direct)}) {
                assertThat(checksum.of(buffer, OFFSET, length))
                        .as("length %d", length)
                        .isEqualTo(byJdk(message));
            }
        }
    }

    @Test
    void shouldKeepOnlyWhatStaysTheSame() {
        final SplittableRandom random = new SplittableRandom(8);
        final byte[] bytes = new byte[80];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);

        for (int i = 0; i < 50_000; i++) {
            // one byte of the message, then none, so that each field changes by itself
            final int length = i % 3 == 0 ? 32 + random.nextInt(49) : 64;
            bytes[random.nextInt(length)] = (byte) random.nextInt(2);
            final byte[] message = Arrays.copyOf(bytes, length);
            assertThat(checksum.of(buffer, 0, length)).isEqualTo(byJdk(message));
            assertThat(checksum.of(buffer, 0, length)).isEqualTo(byJdk(message));
        }
    }

    @Test
    void shouldSayWhatTheSequenceAdds() {
        final byte[] message = new byte[80];
        new SplittableRandom(9).nextBytes(message);
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        Stamp.writeSequence(buffer, 0, 0);
        final int without = byJdk(message);

        for (final int sequence : new int[] {1, 255, 256, 65_536, Integer.MAX_VALUE, -1}) {
            Stamp.writeSequence(buffer, 0, sequence);
            assertThat(without ^ StampChecksum.ofSequence(sequence)).isEqualTo(byJdk(message));
        }
    }
}
