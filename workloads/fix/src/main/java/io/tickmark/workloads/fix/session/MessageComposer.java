package io.tickmark.workloads.fix.session;

/**
 * Writes whole messages of one session for engines that keep the session themselves and take
 * messages as bytes. Single-threaded, allocates nothing in the long run.
 */
public final class MessageComposer {
    private static final int LIMIT_BYTES = 1 << 20;

    private final OutBuffer out = new OutBuffer(LIMIT_BYTES);
    private final TimestampText time = new TimestampText();
    private final SessionEncoder encoder;

    /**
     * A composer.
     *
     * @param version of FIX
     * @param sender SenderCompID
     * @param target TargetCompID
     */
    public MessageComposer(final FixVersion version, final String sender, final String target) {
        encoder = new SessionEncoder(version, sender, target);
    }

    /**
     * Writes a message in place of the previous one.
     *
     * @param type value of field 35
     * @param number sequence number
     * @param epochMs for field 52
     * @param body after the header
     * @return bytes of the message, from the beginning of {@link #bytes()}
     */
    public int compose(
            final byte[] type, final long number, final long epochMs, final BodyBytes body) {
        out.clear();
        time.update(epochMs);
        if (encoder.encode(out, type, number, time, null, body) < 0) {
            throw new IllegalArgumentException(
                    "a body of " + body.length() + " bytes is too long for " + LIMIT_BYTES);
        }
        return out.tail();
    }

    /**
     * Where the message is.
     *
     * @return the array, which may be another one after the next message
     */
    public byte[] bytes() {
        return out.array();
    }
}
