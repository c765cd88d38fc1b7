package io.tickmark.kernel.record;

import java.util.function.ToLongFunction;

/**
 * A {@link SequenceTracker} for each source, made beforehand or at first sight. Single thread;
 * allocates only for a source not seen before.
 */
public final class SequenceTrackers {
    /** Sources that a stamp can tell apart. */
    public static final int SOURCES = 1 << 16;

    private final SequenceTracker[] bySource = new SequenceTracker[SOURCES];
    private final int[] known;
    private int count;
    private long refused;

    /**
     * Trackers for a bounded number of sources, so that stray traffic cannot take all memory.
     *
     * @param maxSources how many sources are tracked; what comes from others is refused
     */
    public SequenceTrackers(final int maxSources) {
        if (maxSources < 1 || maxSources > SOURCES) {
            throw new IllegalArgumentException(
                    "maxSources must be between 1 and " + SOURCES + ", but is " + maxSources);
        }
        this.known = new int[maxSources];
    }

    /**
     * Makes the tracker of a source now, off the hot path.
     *
     * @param source 0 to 65535
     * @return false if there are too many already
     */
    public boolean expect(final int source) {
        if (bySource[source] != null) {
            return true;
        }
        if (count == known.length) {
            return false;
        }
        bySource[source] = new SequenceTracker();
        known[count++] = source;
        return true;
    }

    /**
     * Takes a message.
     *
     * @param source 0 to 65535
     * @param sequence 32 bits of the stamp, unsigned
     * @return true if it is new; false for a duplicate and for a source too many
     */
    public boolean onMessage(final int source, final int sequence) {
        final SequenceTracker tracker = bySource[source];
        if (tracker != null) {
            return tracker.onMessage(sequence);
        }
        if (!expect(source)) {
            refused++;
            return false;
        }
        return bySource[source].onMessage(sequence);
    }

    /**
     * The tracker of a source.
     *
     * @param source 0 to 65535
     * @return its tracker, one that has seen nothing where the source is not known
     */
    public SequenceTracker of(final int source) {
        return bySource[source] == null ? new SequenceTracker() : bySource[source];
    }

    /**
     * Sources known so far.
     *
     * @return the count
     */
    public int count() {
        return count;
    }

    /**
     * Messages from sources too many.
     *
     * @return the count
     */
    public long refused() {
        return refused;
    }

    /**
     * Adds one figure up over all sources.
     *
     * @param figure for example {@code SequenceTracker::received}
     * @return the sum
     */
    public long sum(final ToLongFunction<SequenceTracker> figure) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += figure.applyAsLong(bySource[known[i]]);
        }
        return sum;
    }

    /** Forgets all messages and keeps the sources; for the next step. */
    public void reset() {
        for (int i = 0; i < count; i++) {
            bySource[known[i]].reset();
        }
        refused = 0;
    }
}
