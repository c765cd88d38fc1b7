package io.tickmark.wire.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FixChecksumTest {
    @Test
    void shouldSumEveryLengthAtEveryOffset() {
        final byte[] bytes = new byte[70];
        new Random(1).nextBytes(bytes);
        for (int offset = 0; offset < 9; offset++) {
            for (int length = 0; length <= bytes.length - offset; length++) {
                assertThat(FixChecksum.of(new UnsafeBuffer(bytes), offset, length))
                        .isEqualTo(plain(bytes, offset, length));
            }
        }
    }

    @Test
    void shouldNotOverflowALaneOverLongMessages() {
        final byte[] bytes = new byte[10_001];
        Arrays.fill(bytes, (byte) 0xff);

        assertThat(FixChecksum.of(new UnsafeBuffer(bytes), 0, bytes.length))
                .isEqualTo(plain(bytes, 0, bytes.length));
    }

    private static int plain(final byte[] bytes, final int offset, final int length) {
        int sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += bytes[i] & 0xff;
        }
        return sum % 256;
    }
}
