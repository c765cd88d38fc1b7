package io.tickmark.wire.match;

/** Names of what is measured on the wire; the same in JSON, CSV, report and docs. */
public final class WireFigures {
    /** FIX: from a message going in to each of its copies coming out. */
    public static final String EACH_COPY_NS = "wireNs";

    /** FIX: from a message going in to the first of its copies. */
    public static final String FIRST_COPY_NS = "wireFirstCopyNs";

    /** FIX: from a message going in to the last of its copies. */
    public static final String LAST_COPY_NS = "wireLastCopyNs";

    /** Stamped: from a message to its echo, both seen on the wire. */
    public static final String ROUND_TRIP_NS = "wireRoundTripNs";

    /** Stamped: from the due time of a message to the wire. */
    public static final String INTENDED_TO_WIRE_NS = "intendedToWireNs";

    /** Stamped: from the time at which a message was sent to the wire. */
    public static final String SENT_TO_WIRE_NS = "sentToWireNs";

    /** Stamped: what the application measured, of those messages that were found in both. */
    public static final String APPLICATION_NS = "applicationNs";

    /** Stamped: what the wire says of the same messages. */
    public static final String SAME_ON_WIRE_NS = "sameOnWireNs";

    /** Stamped: the difference, message by message. */
    public static final String APPLICATION_MINUS_WIRE_NS = "applicationMinusWireNs";

    /** Messages of the application that went in; stamped ones that were sent. */
    public static final String IN = "wireIn";

    /** Messages of the application that came out; stamped echoes. */
    public static final String OUT = "wireOut";

    /** Of those that went in: no copy came out. */
    public static final String IN_UNMATCHED = "wireInUnmatched";

    /** Of those that came out: none was seen going in. */
    public static final String OUT_UNMATCHED = "wireOutUnmatched";

    /**
     * Beside roles that measure: times of the capture that are zero, negative or above an hour, and
     * in no figure. Where the capture is alone, they count as those of any role.
     */
    public static final String NOT_TIMED = "wireNotTimed";

    private WireFigures() {}
}
