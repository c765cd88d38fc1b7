package io.tickmark.wire;

import io.tickmark.wire.tcp.ByteStream;
import org.agrona.DirectBuffer;

/** Says so when a stream begins with FIX; hands on all bytes. Single thread. */
final class FirstLook implements ByteStream {
    private static final byte[] START = {'8', '=', 'F', 'I', 'X'};

    private final ByteStream next;
    private final Runnable onFix;
    private boolean hasLooked;

    FirstLook(final ByteStream next, final Runnable onFix) {
        this.next = next;
        this.onFix = onFix;
    }

    @Override
    public void onBytes(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final long timeNs,
            final long position) {
        if (!hasLooked) {
            hasLooked = true;
            if (isFix(buffer, offset, length)) {
                onFix.run();
            }
        }
        next.onBytes(buffer, offset, length, timeNs, position);
    }

    private static boolean isFix(final DirectBuffer buffer, final int offset, final int length) {
        for (int i = 0; i < START.length; i++) {
            if (i >= length || buffer.getByte(offset + i) != START[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void onGap() {
        next.onGap();
    }
}
