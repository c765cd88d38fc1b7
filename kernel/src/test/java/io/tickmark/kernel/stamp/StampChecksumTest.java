package io.tickmark.kernel.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
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
}
