package io.tickmark.wire.file;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Options at the end of a block: code, length, value, padding to four bytes. */
final class PcapngOptions {
    private static final int END = 0;
    private static final int HEAD_BYTES = 4;

    /** Takes an option. */
    @FunctionalInterface
    interface Taker {
        void take(int code, int offset, int length);
    }

    private PcapngOptions() {}

    /** Goes through them; those that do not fit the block end it, as nothing depends on them. */
    static void each(
            final DirectBuffer buffer,
            final int from,
            final int end,
            final ByteOrder order,
            final Taker taker) {
        int at = from;
        while (end - at >= HEAD_BYTES) {
            final int code = buffer.getShort(at, order) & 0xffff;
            final int length = buffer.getShort(at + 2, order) & 0xffff;
            if (code == END || length > end - at - HEAD_BYTES) {
                return;
            }
            taker.take(code, at + HEAD_BYTES, length);
            at += HEAD_BYTES + (length + 3 & ~3);
        }
    }
}
