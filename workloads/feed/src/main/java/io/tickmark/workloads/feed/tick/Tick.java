package io.tickmark.workloads.feed.tick;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One price message: a fixed record, every field little-endian and aligned to its size, so that a
 * browser reads it through typed arrays without decoding. Static codec, allocates nothing.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  intended time: ns after the feed's epoch at which it was due by the schedule
 *       8      4  lag: ns from the intended time to the publication, at most 2^32 - 3; 2^32 - 2 where
 *                 it is longer; 2^32 - 1 where neither is known, and the intended time is that of
 *                 the arrival at the server
 *      12      4  sequence of its symbol, unsigned, from 1
 *      16      4  symbol, from 0
 *      20      4  bid, hundredths
 *      24      4  ask, hundredths
 *      28      4  last trade, hundredths
 *      32      4  size of the last trade
 *      36      4  volume traded so far, unsigned
 * </pre>
 *
 * <p>A larger message has padding after the record.
 */
public final class Tick {
    /** Bytes of the record; the smallest message. */
    public static final int LENGTH = 40;

    /**
     * In place of a lag: the source is on another host, with a clock of its own, and the intended
     * time is when the message arrived at the server.
     */
    public static final long NO_LAG = -1;

    /** In place of a lag that is longer than {@link #MAX_LAG_NS}: when it was sent is not known. */
    public static final long LONG_LAG = -2;

    /** Longest lag that the field holds, 4.29 s. */
    public static final long MAX_LAG_NS = 0xffff_fffdL;

    /** Largest message of a feed. */
    public static final int MAX_LENGTH = 4096;

    private static final int INTENDED = 0;
    private static final int LAG = 8;
    private static final int SEQUENCE = 12;
    private static final int SYMBOL = 16;
    private static final int BID = 20;
    private static final int ASK = 24;
    private static final int LAST = 28;
    private static final int SIZE = 32;
    private static final int VOLUME = 36;
    private static final int NO_LAG_FIELD = 0xffff_ffff;
    private static final int LONG_LAG_FIELD = 0xffff_fffe;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private Tick() {}

    /**
     * Writes when it was due and how much later it was published.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param intendedNs after the epoch
     * @param lagNs until the publication, which may be {@link #LONG_LAG}; or {@link #NO_LAG}
     */
    public static void times(
            final MutableDirectBuffer buffer,
            final int offset,
            final long intendedNs,
            final long lagNs) {
        buffer.putLong(offset + INTENDED, intendedNs, ORDER);
        buffer.putInt(offset + LAG, lagField(lagNs), ORDER);
    }

    private static int lagField(final long lagNs) {
        if (lagNs == NO_LAG) {
            return NO_LAG_FIELD;
        }
        return lagNs > MAX_LAG_NS || lagNs == LONG_LAG ? LONG_LAG_FIELD : (int) Math.max(0, lagNs);
    }

    /**
     * Writes its symbol and sequence.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param symbol from 0
     * @param sequence of the symbol, from 1
     */
    public static void identity(
            final MutableDirectBuffer buffer,
            final int offset,
            final int symbol,
            final int sequence) {
        buffer.putInt(offset + SEQUENCE, sequence, ORDER);
        buffer.putInt(offset + SYMBOL, symbol, ORDER);
    }

    /**
     * Writes the quote.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param bid hundredths
     * @param ask hundredths
     */
    public static void quote(
            final MutableDirectBuffer buffer, final int offset, final int bid, final int ask) {
        buffer.putInt(offset + BID, bid, ORDER);
        buffer.putInt(offset + ASK, ask, ORDER);
    }

    /**
     * Writes the last trade.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param last hundredths
     * @param size traded
     * @param volume traded so far
     */
    public static void trade(
            final MutableDirectBuffer buffer,
            final int offset,
            final int last,
            final int size,
            final int volume) {
        buffer.putInt(offset + LAST, last, ORDER);
        buffer.putInt(offset + SIZE, size, ORDER);
        buffer.putInt(offset + VOLUME, volume, ORDER);
    }

    /**
     * When it was due.
     *
     * @param buffer to read
     * @param offset of the message
     * @return ns after the epoch
     */
    public static long intendedNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + INTENDED, ORDER);
    }

    /**
     * How much later than due it was published.
     *
     * @param buffer to read
     * @param offset of the message
     * @return ns, {@link #LONG_LAG} or {@link #NO_LAG}
     */
    public static long lagNs(final DirectBuffer buffer, final int offset) {
        final int lag = buffer.getInt(offset + LAG, ORDER);
        return lag == NO_LAG_FIELD || lag == LONG_LAG_FIELD ? lag : lag & 0xffff_ffffL;
    }

    /**
     * Its number among the messages of its symbol.
     *
     * @param buffer to read
     * @param offset of the message
     * @return from 1
     */
    public static int sequence(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + SEQUENCE, ORDER);
    }

    /**
     * Its symbol.
     *
     * @param buffer to read
     * @param offset of the message
     * @return from 0
     */
    public static int symbol(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + SYMBOL, ORDER);
    }

    /**
     * The bid price.
     *
     * @param buffer to read
     * @param offset of the message
     * @return hundredths
     */
    public static int bid(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + BID, ORDER);
    }

    /**
     * The ask price.
     *
     * @param buffer to read
     * @param offset of the message
     * @return hundredths
     */
    public static int ask(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + ASK, ORDER);
    }

    /**
     * Price of the last trade.
     *
     * @param buffer to read
     * @param offset of the message
     * @return hundredths
     */
    public static int last(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + LAST, ORDER);
    }

    /**
     * Size of the last trade.
     *
     * @param buffer to read
     * @param offset of the message
     * @return units
     */
    public static int size(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + SIZE, ORDER);
    }

    /**
     * Volume so far.
     *
     * @param buffer to read
     * @param offset of the message
     * @return units
     */
    public static long volume(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + VOLUME, ORDER) & 0xffff_ffffL;
    }
}
