package io.tickmark.workloads.market.data;

import io.tickmark.kernel.host.HostId;

/**
 * Ids of the measuring fields. The tracking fields are those of the vendor's tools, so that either
 * end can be a vendor's tool; the others are our own, with negative ids, which a standard
 * dictionary leaves to its users.
 */
public final class Fields {
    /** TIM_TRK_1: when the encoding of an update began. */
    public static final int UPDATE_TIME = 3902;

    /** TIM_TRK_2: when the encoding of a post began. */
    public static final int POST_TIME = 3903;

    /** TIM_TRK_3: when the encoding of a generic message began. */
    public static final int GENERIC_TIME = 3904;

    /** TM_INTENDED: when the message was due by the schedule, always in ns. */
    public static final int INTENDED_TIME = -3901;

    /** TM_UPD_SEQ: number of an item's update, from 1; in an image, that of the last one in it. */
    public static final int UPDATE_SEQUENCE = -3902;

    /** TM_PST_SEQ: number of a poster's post to an item, from 1. */
    public static final int POST_SEQUENCE = -3903;

    /** TM_GEN_SEQ: number of a generic message of an item in one direction, from 1. */
    public static final int GENERIC_SEQUENCE = -3904;

    /** TM_HOST: whose clock the times are of, {@link #OWN_HOST} of the sender. */
    public static final int HOST = -3905;

    /**
     * Identity of the time line of this process, never 0: 48 bits of it, because what reads JSON
     * may take numbers for floating-point ones.
     */
    public static final long OWN_HOST = Math.max(1, HostId.VALUE & (1L << 48) - 1);

    private Fields() {}

    /**
     * Whether a field is written by the tools and therefore must not be in a message file.
     *
     * @param fieldId any
     * @return true for the fields above
     */
    public static boolean isReserved(final int fieldId) {
        return switch (fieldId) {
            case UPDATE_TIME,
                    POST_TIME,
                    GENERIC_TIME,
                    INTENDED_TIME,
                    HOST,
                    UPDATE_SEQUENCE,
                    POST_SEQUENCE,
                    GENERIC_SEQUENCE ->
                    true;
            default -> false;
        };
    }
}
