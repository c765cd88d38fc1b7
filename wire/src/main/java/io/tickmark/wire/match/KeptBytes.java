package io.tickmark.wire.match;

/**
 * Room for the beginnings of messages whose rest has not come, of all streams together: a capture
 * of thousands of connections that never go on does not fill the memory. Single thread.
 */
final class KeptBytes {
    static final long MAX_TOTAL_BYTES = 256L << 20;

    private long taken;

    KeptBytes() {}

    /** Takes room; false where there is none left. */
    boolean take(final int bytes) {
        if (taken + bytes > MAX_TOTAL_BYTES) {
            return false;
        }
        taken += bytes;
        return true;
    }

    void giveBack(final int bytes) {
        taken -= bytes;
    }
}
