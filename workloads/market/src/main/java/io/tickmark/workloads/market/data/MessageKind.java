package io.tickmark.workloads.market.data;

/** What a message of a message file is for, and which fields measure it. */
public enum MessageKind {
    /** The image of an item; carries the number of the last update in it, and no time. */
    REFRESH("refreshMsg", 0, Fields.UPDATE_SEQUENCE),
    /** A change of an item. */
    UPDATE("updateMsg", Fields.UPDATE_TIME, Fields.UPDATE_SEQUENCE),
    /** A change that a consumer sends. */
    POST("postMsg", Fields.POST_TIME, Fields.POST_SEQUENCE),
    /** A message without meaning to the item's state, either way. */
    GENERIC("genMsg", Fields.GENERIC_TIME, Fields.GENERIC_SEQUENCE);

    private final String element;
    private final int timeField;
    private final int sequenceField;

    MessageKind(final String element, final int timeField, final int sequenceField) {
        this.element = element;
        this.timeField = timeField;
        this.sequenceField = sequenceField;
    }

    /** The element of a message file. */
    String element() {
        return element;
    }

    /**
     * The field with the time taken before encoding.
     *
     * @return a field id, 0 where the kind has none
     */
    public int timeField() {
        return timeField;
    }

    /**
     * The field with the number of the message.
     *
     * @return a field id
     */
    public int sequenceField() {
        return sequenceField;
    }
}
