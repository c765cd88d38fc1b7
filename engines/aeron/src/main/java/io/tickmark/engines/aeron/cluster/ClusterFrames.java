package io.tickmark.engines.aeron.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The header before a message at clients, members and in the log: its kind, its topic and its
 * ordinal, 16 bytes, little-endian, after the cluster's own header.
 */
final class ClusterFrames {
    /** Requests the topic's last ordinal. */
    static final int ASK = 1;

    /** Requests the same, and all future messages. */
    static final int SUBSCRIBE = 2;

    /** A message; the log accepts it when its ordinal is the next one. */
    static final int MESSAGE = 3;

    /** The topic's last ordinal, to a client. */
    static final int LAST = 4;

    static final int LENGTH = 16;

    /** Bytes of a datagram besides the message. */
    static final int AROUND_MESSAGE =
            DataHeaderFlyweight.HEADER_LENGTH + AeronCluster.SESSION_HEADER_LENGTH + LENGTH;

    private static final int TOPIC = 4;
    private static final int ORDINAL = 8;
    private static final int TEMPLATE = 2;
    private static final int SCHEMA = 4;

    private ClusterFrames() {}

    static void put(
            final MutableDirectBuffer buffer, final int kind, final int topic, final long ordinal) {
        buffer.putInt(0, kind, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(TOPIC, topic, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(ORDINAL, ordinal, ByteOrder.LITTLE_ENDIAN);
    }

    static int kind(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
    }

    static int topic(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + TOPIC, ByteOrder.LITTLE_ENDIAN);
    }

    static long ordinal(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + ORDINAL, ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether a frame of the log contains a message of a topic. */
    static boolean isMessage(
            final DirectBuffer buffer, final int offset, final int length, final int topic) {
        final int ours = offset + AeronCluster.SESSION_HEADER_LENGTH;
        return length >= AeronCluster.SESSION_HEADER_LENGTH + LENGTH
                && buffer.getShort(offset + TEMPLATE, ByteOrder.LITTLE_ENDIAN)
                        == SessionMessageHeaderDecoder.TEMPLATE_ID
                && buffer.getShort(offset + SCHEMA, ByteOrder.LITTLE_ENDIAN)
                        == MessageHeaderDecoder.SCHEMA_ID
                && kind(buffer, ours) == MESSAGE
                && topic(buffer, ours) == topic;
    }
}
