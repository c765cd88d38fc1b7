package io.tickmark.workloads.fix.session;

/**
 * Sequence numbers of a session's other side: which is next, which are missing. Single-threaded.
 */
public final class InboundSequence {
    private static final long RETRY_NS = 10_000_000_000L;

    private long expected = 1;

    /**
     * Number of the message that revealed the requested gap; below the expected one where none is
     * open.
     */
    private long gapUntil;

    private long gapSinceNs;

    /** Numbers of messages that arrived too early, which will arrive again. */
    private long highest;

    private long missed;
    private long passedOver;

    InboundSequence() {}

    /** Restarts with this number. */
    void expect(final long number) {
        expected = number;
        gapUntil = 0;
        highest = 0;
    }

    void next() {
        expected++;
    }

    /** The other side does not resend messages below a number. */
    void passOver(final long until) {
        passedOver += until - expected;
        expected = until;
    }

    /**
     * Takes a number too high; true where the gap has to be requested, once for all missing
     * messages.
     */
    boolean isNewGap(final long number, final long nowNs) {
        highest = Math.max(highest, number);
        if (expected <= gapUntil) {
            return false;
        }
        missed += number - expected;
        gapUntil = number;
        gapSinceNs = nowNs;
        return true;
    }

    /** Whether a gap has to be requested again, as no answer has closed it. */
    boolean isOverdue(final long nowNs) {
        if (expected > gapUntil || nowNs - gapSinceNs < RETRY_NS) {
            return false;
        }
        gapSinceNs = nowNs;
        return true;
    }

    /** Number of the next message, from 1. */
    long expected() {
        return expected;
    }

    /**
     * Messages that were found to be missing, and requested again.
     *
     * @return the count
     */
    public long missed() {
        return missed;
    }

    /**
     * Numbers without a message in sequence, even after a request: still missing, or skipped in the
     * answer. They include lost messages of the session, as a number does not show the kind.
     *
     * @return the count
     */
    public long missing() {
        return passedOver + Math.max(0, highest + 1 - expected);
    }
}
