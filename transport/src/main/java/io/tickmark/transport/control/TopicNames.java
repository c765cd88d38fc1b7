package io.tickmark.transport.control;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.Topic;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The publisher's topics as a subscriber learns them, in as many messages as necessary: the
 * position in the publisher's list is the number that stamps carry. After the stamp, little-endian:
 *
 * <pre>
 *  32  4  how many topics there are
 *  36  4  number of the first one in this message, from 1
 *  40     names up to the end of the message: one byte for the length, then UTF-8
 * </pre>
 *
 * <p>Single-threaded.
 */
public final class TopicNames {
    /** Bytes of the longest message: every channel has room for that. */
    public static final int MAX_LENGTH = 512;

    private static final int COUNT_OFFSET = Stamp.FULL_LENGTH;
    private static final int FIRST_OFFSET = COUNT_OFFSET + Integer.BYTES;
    private static final int NAMES_OFFSET = FIRST_OFFSET + Integer.BYTES;

    private final List<String> names = new ArrayList<>();
    private int count;

    /** No topic is known yet. */
    public TopicNames() {}

    /**
     * Writes as many names as fit.
     *
     * @param buffer to write to, from the end of the stamp
     * @param topics all of the publisher's
     * @param first number of the first one to name, from 1; beyond the last, none is named
     * @return length of the message, stamp included
     */
    static int write(final MutableDirectBuffer buffer, final List<Topic> topics, final int first) {
        buffer.putInt(COUNT_OFFSET, topics.size(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(FIRST_OFFSET, first, ByteOrder.LITTLE_ENDIAN);
        int length = NAMES_OFFSET;
        for (int number = Math.max(1, first); number <= topics.size(); number++) {
            final byte[] name = topics.get(number - 1).name().getBytes(StandardCharsets.UTF_8);
            if (length + 1 + name.length > MAX_LENGTH) {
                break;
            }
            buffer.putByte(length, (byte) name.length);
            buffer.putBytes(length + 1, name);
            length += 1 + name.length;
        }
        return length;
    }

    /**
     * Reads a welcome or an announcement; any other message, or one out of order, changes nothing.
     *
     * @param buffer that holds the message
     * @param offset of the message
     * @param length of the message
     */
    public void take(final DirectBuffer buffer, final int offset, final int length) {
        if (length < NAMES_OFFSET || isComplete()) {
            return;
        }
        final int total = buffer.getInt(offset + COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN);
        final int first = buffer.getInt(offset + FIRST_OFFSET, ByteOrder.LITTLE_ENDIAN);
        if (total < 1 || total > Topic.MAX_TOPICS || first != names.size() + 1) {
            return;
        }
        count = total;
        int at = NAMES_OFFSET;
        while (at < length && names.size() < count) {
            final int bytes = buffer.getByte(offset + at) & 0xff;
            if (at + 1 + bytes > length) {
                return;
            }
            final byte[] name = new byte[bytes];
            buffer.getBytes(offset + at + 1, name);
            names.add(new String(name, StandardCharsets.UTF_8));
            at += 1 + bytes;
        }
    }

    /**
     * Number of the first topic that is not known.
     *
     * @return from 1
     */
    public int next() {
        return names.size() + 1;
    }

    /**
     * Whether all are known.
     *
     * @return false before anything was received
     */
    public boolean isComplete() {
        return count > 0 && names.size() == count;
    }

    /**
     * The publisher's topics known so far.
     *
     * @return names in the order of their numbers
     */
    public List<String> names() {
        return List.copyOf(names);
    }
}
