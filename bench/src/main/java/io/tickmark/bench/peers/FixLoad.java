package io.tickmark.bench.peers;

/**
 * What the clients of a FIX gateway do.
 *
 * @param name of the figures
 * @param producers sessions that send
 * @param consumers sessions that receive
 * @param stalled of these, how many stop reading
 * @param ratePerSecond of each producer; 0 to search the highest that holds
 * @param every so many-th message fans out
 * @param isCaptured whether the wire is looked at, too
 */
record FixLoad(
        String name,
        int producers,
        int consumers,
        int stalled,
        double ratePerSecond,
        int every,
        boolean isCaptured) {
    /** The same at another rate. */
    FixLoad at(final double otherRate) {
        return new FixLoad(name, producers, consumers, stalled, otherRate, every, isCaptured);
    }
}
