package io.tickmark.kernel.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StampTest {
    private static final int OFFSET = 3;

    private final byte[] bytes = new byte[OFFSET + Stamp.FULL_LENGTH + 8];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);

    @Test
    void shouldLayOutItsFieldsAsDocumented() {
        Stamp.write(buffer, OFFSET, 0x0102030405060708L, 0x11121314, Stamp.WARM_UP, 0x21, 0x3132);
        Stamp.writeSentNs(buffer, OFFSET, 0x4142434445464748L);
        Stamp.writeTrialId(buffer, OFFSET, 0x51525354);
        Stamp.writeChecksum(buffer, OFFSET, 0x61626364);

        assertThat(HexFormat.of().formatHex(bytes, OFFSET, OFFSET + Stamp.FULL_LENGTH))
                .isEqualTo(
                        "0807060504030201"
                                + "14131211"
                                + "24"
                                + "21"
                                + "3231"
                                + "4847464544434241"
                                + "54535251"
                                + "64636261");
    }

    @Test
    void shouldReadWhatItWrote() {
        final int allFlags = Stamp.HELLO | Stamp.WELCOME | Stamp.WARM_UP | Stamp.END | Stamp.REPLY;
        Stamp.write(buffer, OFFSET, -5, -1, allFlags, 255, 65_535);
        Stamp.writeSentNs(buffer, OFFSET, Long.MIN_VALUE);
        Stamp.writeTrialId(buffer, OFFSET, -7);
        Stamp.writeChecksum(buffer, OFFSET, -9);

        assertThat(Stamp.isStamped(buffer, OFFSET, Stamp.SHORT_LENGTH)).isTrue();
        assertThat(Stamp.intendedNs(buffer, OFFSET)).isEqualTo(-5);
        assertThat(Stamp.sequence(buffer, OFFSET)).isEqualTo(-1);
        assertThat(Stamp.flags(buffer, OFFSET)).isEqualTo(allFlags);
        assertThat(Stamp.step(buffer, OFFSET)).isEqualTo(255);
        assertThat(Stamp.source(buffer, OFFSET)).isEqualTo(65_535);
        assertThat(Stamp.sentNs(buffer, OFFSET)).isEqualTo(Long.MIN_VALUE);
        assertThat(Stamp.trialId(buffer, OFFSET)).isEqualTo(-7);
        assertThat(Stamp.checksum(buffer, OFFSET)).isEqualTo(-9);
    }

    @Test
    void shouldTouchNothingBeyondTheShortStamp() {
        java.util.Arrays.fill(bytes, (byte) 0x55);
        Stamp.write(buffer, OFFSET, 1, 2, 3, 4, 5);

        for (int i = 0; i < bytes.length; i++) {
            if (i < OFFSET || i >= OFFSET + Stamp.SHORT_LENGTH) {
                assertThat(bytes[i]).isEqualTo((byte) 0x55);
            }
        }
    }

    @Test
    void shouldNotTakeForeignTrafficForAStamp() {
        assertThat(Stamp.isStamped(buffer, OFFSET, Stamp.FULL_LENGTH)).isFalse();
        Stamp.write(buffer, OFFSET, 1, 2, 0, 0, 0);
        assertThat(Stamp.isStamped(buffer, OFFSET, Stamp.SHORT_LENGTH - 1)).isFalse();
        buffer.putByte(OFFSET + 12, (byte) (2 << 5));
        assertThat(Stamp.isStamped(buffer, OFFSET, Stamp.SHORT_LENGTH)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 33, 64, 700, 8192})
    void shouldFindEveryWrongBitThatTheChecksumCovers(final int length) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[OFFSET + length]);
        message.setMemory(0, OFFSET + length, (byte) 0x5a);
        Stamp.write(message, OFFSET, 1, 2, 0, 3, 4);
        Stamp.writeTrialId(message, OFFSET, 5);
        final StampChecksum checksum = new StampChecksum();
        final int right = checksum.of(message, OFFSET, length);

        for (int i = 0; i < length; i++) {
            final byte was = message.getByte(OFFSET + i);
            message.putByte(OFFSET + i, (byte) (was ^ 0x10));
            final boolean isCovered = i < 16 || i >= 24 && i < 28 || i >= 32;
            assertThat(checksum.of(message, OFFSET, length) != right)
                    .as("byte %d", i)
                    .isEqualTo(isCovered);
            message.putByte(OFFSET + i, was);
        }
    }

    @Test
    void shouldGiveTheSameChecksumOverAnyKindOfMemory() {
        final int length = 100;
        final ByteBuffer direct = ByteBuffer.allocateDirect(300);
        final ByteBuffer slice = direct.slice(50, 200);
        final UnsafeBuffer[] buffers = {
            new UnsafeBuffer(new byte[200]),
            new UnsafeBuffer(new byte[300], 50, 200),
            new UnsafeBuffer(ByteBuffer.allocate(200)),
            new UnsafeBuffer(direct),
            new UnsafeBuffer(direct, 20, 200),
            new UnsafeBuffer(slice)
        };
        final StampChecksum checksum = new StampChecksum();
        final Integer[] found = new Integer[buffers.length];
        for (int b = 0; b < buffers.length; b++) {
            for (int i = 0; i < length; i++) {
                buffers[b].putByte(OFFSET + i, (byte) i);
            }
            found[b] = checksum.of(buffers[b], OFFSET, length);
        }

        assertThat(found).containsOnly(found[0]);
    }

    @Test
    void shouldCheckWithTheCastagnoliPolynomial() {
        // RFC 3720, appendix B.4: 32 bytes of zero give 8a9136aa; here as 12 bytes of payload and
        // 20 of the stamp
        final UnsafeBuffer zeros = new UnsafeBuffer(new byte[Stamp.FULL_LENGTH + 12]);

        assertThat(new StampChecksum().of(zeros, 0, zeros.capacity())).isEqualTo(0x8a9136aa);
    }
}
