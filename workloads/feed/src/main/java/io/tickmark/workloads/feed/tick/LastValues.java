package io.tickmark.workloads.feed.tick;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The last message of each symbol. One owner thread writes and reads; allocates nothing after
 * construction.
 */
public final class LastValues {
    private final UnsafeBuffer values;
    private final int symbols;
    private final int messageBytes;

    /**
     * A table without a value.
     *
     * @param symbols how many there are
     * @param messageBytes of each message
     */
    public LastValues(final int symbols, final int messageBytes) {
        this.symbols = symbols;
        this.messageBytes = messageBytes;
        values = new UnsafeBuffer(new byte[Math.multiplyExact(symbols, messageBytes)]);
    }

    /**
     * Takes a message as the last of its symbol.
     *
     * @param symbol from 0
     * @param buffer that holds the message
     * @param offset of the message
     */
    public void put(final int symbol, final DirectBuffer buffer, final int offset) {
        values.putBytes(offset(symbol), buffer, offset, messageBytes);
    }

    /**
     * Where the values are.
     *
     * @return all records, one after the other
     */
    public DirectBuffer buffer() {
        return values;
    }

    /**
     * Where the value of a symbol is.
     *
     * @param symbol from 0
     * @return offset of its record
     */
    public int offset(final int symbol) {
        return symbol * messageBytes;
    }

    /**
     * Whether a symbol has a value yet.
     *
     * @param symbol from 0
     * @return false before its first message
     */
    public boolean isKnown(final int symbol) {
        return Tick.sequence(values, offset(symbol)) != 0;
    }

    /**
     * How many symbols there are.
     *
     * @return count
     */
    public int symbols() {
        return symbols;
    }
}
