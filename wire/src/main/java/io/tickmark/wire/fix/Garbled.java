package io.tickmark.wire.fix;

/** Why bytes are no FIX message. */
public enum Garbled {
    /** The first field is not {@code 8=FIX} and a version. */
    BEGIN_STRING("does not begin with 8=FIX and a version"),
    /** The second field is not {@code 9=} and a number. */
    BODY_LENGTH("has no body length (9=) as its second field"),
    /** The body length makes the message longer than the framer takes. */
    TOO_LONG("is longer than is accepted"),
    /** The third field is not the message type. */
    MSG_TYPE("has no message type (35=) as its third field"),
    /** There is no checksum field of three digits where the body ends by its length. */
    CHECKSUM_PLACE("has no checksum (10=) where its body length says"),
    /** The checksum is another one. */
    CHECKSUM("has a wrong checksum (10=)");

    private final String predicate;

    Garbled(final String predicate) {
        this.predicate = predicate;
    }

    /**
     * Says it as the end of a sentence that begins with "the message".
     *
     * @return words, without a full stop
     */
    public String predicate() {
        return predicate;
    }
}
