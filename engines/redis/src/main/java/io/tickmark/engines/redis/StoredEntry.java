package io.tickmark.engines.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.sync.RedisCommands;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * An entry of a stream as we write it: id {@code 0-N}, N being the message's ordinal plus one;
 * field {@code m} with the payload and field {@code c} with its CRC32C (RFC 3720, four bytes,
 * big-endian), as Redis keeps no checksum of its own in the append-only file.
 *
 * @param ordinal of the message, from 0
 * @param payload of the message
 * @param checksum that was written with it
 */
record StoredEntry(long ordinal, byte[] payload, byte[] checksum) {
    static final byte[] PAYLOAD = {'m'};
    static final byte[] CHECKSUM = {'c'};
    private static final byte[] NONE = {};

    /** What ids begin with; Redis would write the time there. */
    private static final String TIME = "0-";

    static StoredEntry of(final StreamMessage<byte[], byte[]> message) {
        byte[] payload = NONE;
        byte[] checksum = NONE;
        final Iterator<Map.Entry<byte[], byte[]>> fields = message.getBody().entrySet().iterator();
        while (fields.hasNext()) {
            final Map.Entry<byte[], byte[]> field = fields.next();
            if (Arrays.equals(field.getKey(), PAYLOAD)) {
                payload = field.getValue();
            } else if (Arrays.equals(field.getKey(), CHECKSUM)) {
                checksum = field.getValue();
            }
        }
        return new StoredEntry(ordinal(message.getId()), payload, checksum);
    }

    static long ordinal(final String id) {
        return Long.parseLong(id, id.indexOf('-') + 1, id.length(), 10) - 1;
    }

    static byte[] checksum(final byte[] payload) {
        final CRC32C crc = new CRC32C();
        crc.update(payload, 0, payload.length);
        final int value = (int) crc.getValue();
        return new byte[] {
            (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
        };
    }

    boolean isWhole() {
        return Arrays.equals(checksum, checksum(payload));
    }

    /**
     * The sequence of the last entry that a stream ever had; 0 where there was none.
     *
     * @throws UserError where the key holds something else, or another program wrote the stream
     */
    static long last(
            final BrokerChannel<RedisParameters> channel,
            final RedisCommands<byte[], byte[]> commands,
            final byte[] key) {
        try {
            final List<Object> about = commands.xinfoStream(key);
            for (int i = 0; i + 1 < about.size(); i += 2) {
                if (text(about.get(i)).equals("last-generated-id")) {
                    return sequence(channel, key, text(about.get(i + 1)));
                }
            }
            throw new IllegalStateException("XINFO STREAM names no last-generated-id");
        } catch (final RedisCommandExecutionException e) {
            final String reason = EngineErrors.said(e);
            if (reason.contains("no such key")) {
                return 0;
            }
            if (reason.startsWith("WRONGTYPE")) {
                throw other(channel, key, "is not a stream", e);
            }
            throw e;
        }
    }

    private static long sequence(
            final BrokerChannel<RedisParameters> channel, final byte[] key, final String id) {
        if (!id.startsWith(TIME)) {
            throw other(
                    channel,
                    key,
                    "is a stream of another program, as its last id is %s and ours begin with %s"
                            .formatted(id, TIME),
                    null);
        }
        return ordinal(id) + 1;
    }

    private static UserError other(
            final BrokerChannel<RedisParameters> channel,
            final byte[] key,
            final String what,
            final Exception cause) {
        return channel.failed(
                "the key '%s' %s; delete it, or give another ?prefix="
                        .formatted(new String(key, StandardCharsets.UTF_8), what),
                cause);
    }

    private static String text(final Object value) {
        return value instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.US_ASCII)
                : String.valueOf(value);
    }
}
