package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.DataTypes;

/**
 * A message of a message file, to be sent any number of times. Immutable after reading; any thread
 * may encode it.
 */
public final class MessageTemplate {
    /** Message header, nested message header, state text, alignment: generous. */
    private static final int HEADER_BYTES = 128;

    private final MessageKind kind;
    private final int domainType;
    private final Payload payload;
    private final int maxPayloadBytes;

    MessageTemplate(final MessageKind kind, final int domainType, final Payload payload) {
        this.kind = kind;
        this.domainType = domainType;
        this.payload = payload;
        maxPayloadBytes = payload.maxBytes();
    }

    /**
     * What the message is for.
     *
     * @return the kind
     */
    public MessageKind kind() {
        return kind;
    }

    /**
     * The domain of its item.
     *
     * @return one of {@link com.refinitiv.eta.rdm.DomainTypes}
     */
    public int domainType() {
        return domainType;
    }

    /**
     * What its payload is.
     *
     * @return one of {@link DataTypes}
     */
    public int containerType() {
        return payload instanceof Payload.Book ? DataTypes.MAP : DataTypes.FIELD_LIST;
    }

    /**
     * Bytes the message may take, the fields that measure it included.
     *
     * @param itemName length of the item's name in bytes, 0 where the message carries none
     * @return an upper bound
     */
    public int maxBytes(final int itemName) {
        return maxPayloadBytes + HEADER_BYTES + itemName;
    }

    Payload payload() {
        return payload;
    }
}
