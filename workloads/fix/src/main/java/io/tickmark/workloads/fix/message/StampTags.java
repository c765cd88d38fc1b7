package io.tickmark.workloads.fix.message;

/**
 * The stamp of a message: the workload's own fields, from the range left to users. They precede the
 * first repeating group, in this order, and all have a fixed width, so that they can be overwritten
 * in place.
 */
public final class StampTags {
    /**
     * {@code Y} where the gateway is to fan the message out, {@code N} where it only receives it.
     */
    public static final int FAN_OUT = 9700;

    /** Intended time, ns on the producer's monotonic clock, 19 digits. */
    public static final int INTENDED_NS = 9701;

    /** Actual send time, ns on the producer's monotonic clock, 19 digits. */
    public static final int SENT_NS = 9702;

    /**
     * Identity, 18 digits: producer (5), {@link Phase} (1), number of the message among all that
     * the producer sends in the phase (12). No two messages of a run have the same.
     */
    public static final int IDENTITY = 9703;

    /**
     * Number of the message among those of its producer and phase that fan out, from 0; 12 digits.
     */
    public static final int FAN_OUT_NUMBER = 9704;

    /** The producer's host, 16 hexadecimal digits: times compare on the same host only. */
    public static final int HOST = 9705;

    /** Digits of a time. */
    public static final int TIME_DIGITS = 19;

    /** Digits of the producer within the identity. */
    public static final int PRODUCER_DIGITS = 5;

    /** Digits of a number. */
    public static final int NUMBER_DIGITS = 12;

    private StampTags() {}

    /** Whether a field is one of these. */
    static boolean isOwn(final int tag) {
        return tag >= FAN_OUT && tag <= HOST;
    }

    /** Which part of a run a message belongs to. */
    public enum Phase {
        /** Before the measurement; received and forgotten. */
        WARM_UP,
        /** Measured. */
        MEASURED,
        /** The producer's last message; its fan-out number is how many measured ones fanned out. */
        END
    }
}
