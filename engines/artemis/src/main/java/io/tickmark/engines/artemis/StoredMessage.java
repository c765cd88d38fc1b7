package io.tickmark.engines.artemis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/**
 * A message as stored in a queue: the payload is its body, the property {@code ordinal} (int64) the
 * message's ordinal, by which the server can select, and {@code crc32c} (int32) the CRC32C (RFC
 * 3720) of the payload and the ordinal (big-endian), as the journal keeps no checksum.
 *
 * @param ordinal of the message, from 0; -1 where it has none
 * @param isWhole whether the checksum is right
 * @param payload of the message
 * @param message by which it is acknowledged
 */
record StoredMessage(long ordinal, boolean isWhole, byte[] payload, ClientMessage message) {
    static final SimpleString ORDINAL = SimpleString.of("ordinal");

    private static final SimpleString CHECKSUM = SimpleString.of("crc32c");

    static StoredMessage of(final ClientMessage message) {
        final byte[] payload = body(message);
        final long ordinal =
                message.getObjectProperty(ORDINAL) instanceof final Long number ? number : -1;
        final boolean isWhole =
                message.getObjectProperty(CHECKSUM) instanceof final Integer checksum
                        && checksum == checksum(payload, ordinal);
        return new StoredMessage(ordinal, isWhole, payload, message);
    }

    /** A server delivers a message in pieces that is larger than its journal's buffer. */
    static byte[] body(final ClientMessage message) {
        if (message.isLargeMessage()) {
            final ByteArrayOutputStream whole = new ByteArrayOutputStream();
            try {
                message.saveToOutputStream(whole);
            } catch (final ActiveMQException e) {
                return new byte[0]; // the connection ended meanwhile, which is reported
            }
            return whole.toByteArray();
        }
        final ActiveMQBuffer body = message.getReadOnlyBodyBuffer();
        final byte[] payload = new byte[body.readableBytes()];
        body.readBytes(payload);
        return payload;
    }

    static ClientMessage durable(
            final ClientSession session, final long ordinal, final byte[] payload) {
        final ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
        message.setRoutingType(RoutingType.MULTICAST);
        message.putLongProperty(ORDINAL, ordinal);
        message.putIntProperty(CHECKSUM, checksum(payload, ordinal));
        message.getBodyBuffer().writeBytes(payload);
        return message;
    }

    /** Selects the messages from an ordinal on. */
    static SimpleString from(final long ordinal) {
        return SimpleString.of(ORDINAL + " >= " + ordinal);
    }

    private static int checksum(final byte[] payload, final long ordinal) {
        final CRC32C crc = new CRC32C();
        crc.update(payload, 0, payload.length);
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, ordinal));
        return (int) crc.getValue();
    }
}
