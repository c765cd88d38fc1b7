package io.tickmark.workloads.feed.conflate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the sessions of a server keep for their clients, limited in total: the limit of
 * each is its client's choice, and there are many clients. Any thread.
 */
public final class KeptMemory {
    /** The rest is for everything else, and for the copy of a store that grows. */
    private static final int PART_OF_HEAP = 4;

    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Nothing kept yet.
     *
     * @param maxBytes of all sessions
     */
    public KeptMemory(final long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Bounded by a quarter of the largest heap of this process.
     *
     * @return nothing kept yet
     */
    public static KeptMemory ofHeap() {
        return new KeptMemory(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /**
     * The bound.
     *
     * @return bytes of all sessions
     */
    public long maxBytes() {
        return maxBytes;
    }

    /**
     * The part of one session.
     *
     * @return a share that holds nothing
     */
    public Share share() {
        return new Share();
    }

    /** The memory of one session. One thread at a time. */
    public final class Share {
        private long taken;

        private Share() {}

        /**
         * Requests more, before it is allocated.
         *
         * @param more bytes
         * @return false where all sessions together would keep too much
         */
        public boolean take(final long more) {
            if (bytes.addAndGet(more) > maxBytes) {
                bytes.addAndGet(-more);
                return false;
            }
            taken += more;
            return true;
        }

        /** Gives all back: the session is over. */
        public void release() {
            bytes.addAndGet(-taken);
            taken = 0;
        }
    }
}
