package io.tickmark.workloads.market.data;

/**
 * What measures the message that was decoded last: its times and its number, whichever library
 * decodes it. Single-threaded; allocates nothing.
 */
public abstract sealed class MeasuringFields permits EmaDecoder, PayloadDecoder {
    private long updateTime;
    private long postTime;
    private long genericTime;
    private long intendedNs;
    private long host;
    private long updateSequence;
    private long postSequence;
    private long genericSequence;
    private int unknownFields;

    /** Has seen no message yet. */
    MeasuringFields() {}

    /** Forgets the message before. */
    final void clear() {
        updateTime = 0;
        postTime = 0;
        genericTime = 0;
        intendedNs = 0;
        host = 0;
        updateSequence = 0;
        postSequence = 0;
        genericSequence = 0;
        unknownFields = 0;
    }

    /** Takes the value of an unsigned field; returns false where it is one of the file's own. */
    final boolean take(final int fieldId, final long value) {
        switch (fieldId) {
            case Fields.UPDATE_TIME -> updateTime = value;
            case Fields.POST_TIME -> postTime = value;
            case Fields.GENERIC_TIME -> genericTime = value;
            case Fields.INTENDED_TIME -> intendedNs = value;
            case Fields.HOST -> host = value;
            case Fields.UPDATE_SEQUENCE -> updateSequence = value;
            case Fields.POST_SEQUENCE -> postSequence = value;
            case Fields.GENERIC_SEQUENCE -> genericSequence = value;
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Counts a field that is not in the dictionary. */
    final void countUnknown() {
        unknownFields++;
    }

    /**
     * When the encoding of the last message began, in the unit it was sent in. Images carry the
     * value of their last update: do not use it for them.
     *
     * @param kind that the message counts as
     * @return the raw number; 0 where the message has none
     */
    public final long taken(final MessageKind kind) {
        return switch (kind) {
            case REFRESH -> 0;
            case UPDATE -> updateTime;
            case POST -> postTime;
            case GENERIC -> genericTime;
        };
    }

    /**
     * The due time of the last message.
     *
     * @return ns; 0 where the message does not say
     */
    public final long intendedNs() {
        return intendedNs;
    }

    /**
     * Whose clock the times of the last message are of.
     *
     * @return as {@link Fields#OWN_HOST}; 0 where the message does not say
     */
    public final long host() {
        return host;
    }

    /**
     * Number of the last message.
     *
     * @param kind that the message counts as
     * @return from 1; 0 where the message has none
     */
    public final long sequence(final MessageKind kind) {
        return switch (kind) {
            case REFRESH, UPDATE -> updateSequence;
            case POST -> postSequence;
            case GENERIC -> genericSequence;
        };
    }

    /**
     * Fields of the last message that the dictionary does not have.
     *
     * @return the count
     */
    public final int unknownFields() {
        return unknownFields;
    }
}
