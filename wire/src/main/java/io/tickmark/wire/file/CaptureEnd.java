package io.tickmark.wire.file;

/**
 * How the reading of a capture file ended.
 *
 * @param kind in which way
 * @param position byte of the file where it ended
 * @param sentence what is wrong there, empty where nothing is
 */
public record CaptureEnd(Kind kind, long position, String sentence) {
    /** In which way. */
    public enum Kind {
        /** At the end of the last packet. */
        WHOLE,
        /** In the middle of a packet at the end: the capture was cut off. Nothing else is wrong. */
        CUT_OFF,
        /** At bytes that cannot be; what follows them cannot be found. */
        BROKEN
    }

    static CaptureEnd whole(final long position) {
        return new CaptureEnd(Kind.WHOLE, position, "");
    }

    static CaptureEnd cutOff(final long position, final String what) {
        return new CaptureEnd(
                Kind.CUT_OFF,
                position,
                "the file ends in the middle of %s that begins at byte %d; all before it is read."
                        .formatted(what, position));
    }

    static CaptureEnd broken(final long position, final String what) {
        return new CaptureEnd(
                Kind.BROKEN,
                position,
                "byte %d: %s; everything before it is read, nothing after it."
                        .formatted(position, what));
    }
}
