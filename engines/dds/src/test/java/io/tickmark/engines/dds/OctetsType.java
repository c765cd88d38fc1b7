package io.tickmark.engines.dds;

import us.ihmc.idl.CDR;
import us.ihmc.idl.InterchangeSerializer;
import us.ihmc.pubsub.TopicDataType;
import us.ihmc.pubsub.common.SerializedPayload;

/** Our message type as described for Fast DDS. */
final class OctetsType implements TopicDataType<OctetsType.Octets> {
    private static final int LARGEST = 8192;

    /** The content. */
    static final class Octets {
        private byte[] bytes = {};
    }

    private final CDR cdr = new CDR();

    @Override
    public void serialize(final Octets data, final SerializedPayload payload) {
        cdr.serialize(payload);
        serialize(data, cdr);
        cdr.finishSerialize();
    }

    @Override
    public void deserialize(final SerializedPayload payload, final Octets data) {
        cdr.deserialize(payload);
        deserialize(data, cdr);
        cdr.finishDeserialize();
    }

    @Override
    public void serialize(final Octets data, final CDR to) {
        to.write_type_4(data.bytes.length);
        for (final byte octet : data.bytes) {
            to.write_type_9(octet);
        }
    }

    @Override
    public void deserialize(final Octets data, final CDR from) {
        data.bytes = new byte[(int) from.read_type_4()];
        for (int i = 0; i < data.bytes.length; i++) {
            data.bytes[i] = from.read_type_9();
        }
    }

    @Override
    public void serialize(final Octets data, final InterchangeSerializer to) {
        throw new IllegalStateException("only CDR is spoken here");
    }

    @Override
    public void deserialize(final InterchangeSerializer from, final Octets data) {
        throw new IllegalStateException("only CDR is spoken here");
    }

    @Override
    public void copy(final Octets from, final Octets to) {
        to.bytes = from.bytes.clone();
    }

    @Override
    public int getTypeSize() {
        return CDR.getTypeSize(Integer.BYTES + LARGEST);
    }

    @Override
    public String getName() {
        return TopicType.NAME;
    }

    @Override
    public Octets createData() {
        return new Octets();
    }

    @Override
    public TopicDataType<Octets> newInstance() {
        return new OctetsType();
    }
}
