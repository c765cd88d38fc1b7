package io.tickmark.workloads.feed.tick;

import org.agrona.MutableDirectBuffer;

/**
 * Prices of some symbols as random walks: the mid price moves by a hundredth or stays, trades
 * happen at bid or ask. Single-threaded, allocates nothing after construction; the same seed gives
 * the same prices.
 */
public final class PriceWalk {
    private static final int SPREADS = 4;
    private static final int SIZES = 50;
    private static final int LOT = 100;

    private final int[] mids;
    private final int[] floors;
    private final int[] volumes;
    private final int[] sequences;
    private long random;

    /**
     * Walks that have not begun.
     *
     * @param symbols how many there are
     * @param seed of all walks
     */
    public PriceWalk(final int symbols, final long seed) {
        mids = new int[symbols];
        floors = new int[symbols];
        volumes = new int[symbols];
        sequences = new int[symbols];
        for (int symbol = 0; symbol < symbols; symbol++) {
            mids[symbol] = Instruments.firstPriceCents(symbol);
            floors[symbol] = mids[symbol] / 2;
        }
        random = seed * 0x9E3779B97F4A7C15L + 1;
        if (random == 0) {
            random = 1;
        }
    }

    /**
     * Writes the next message of a symbol except for its times.
     *
     * @param symbol from 0
     * @param buffer to write to
     * @param offset of the message
     */
    public void next(final int symbol, final MutableDirectBuffer buffer, final int offset) {
        final long bits = nextBits();
        final int floor = floors[symbol];
        final int step = (int) ((bits & 0xff) % 3) - 1;
        int mid = mids[symbol] + step;
        if (mid < floor || mid > floor * 4) {
            mid = mids[symbol] - step; // a walk turns at half and at twice its first price
        }
        mids[symbol] = mid;
        final int halfSpread = 1 + (int) (bits >>> 8 & 0xff) % SPREADS / 2;
        final int size = LOT * (1 + (int) ((bits >>> 16 & 0xffff) % SIZES));
        volumes[symbol] += size;
        Tick.identity(buffer, offset, symbol, ++sequences[symbol]);
        Tick.quote(buffer, offset, mid - halfSpread, mid + halfSpread);
        final int last = (bits >>> 40 & 1) == 0 ? mid - halfSpread : mid + halfSpread;
        Tick.trade(buffer, offset, last, size, volumes[symbol]);
    }

    /** Marsaglia's xorshift (2003), shifts 13, 7, 17: good enough for prices, and cheap. */
    private long nextBits() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return random;
    }
}
