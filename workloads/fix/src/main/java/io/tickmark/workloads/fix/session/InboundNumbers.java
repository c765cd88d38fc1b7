package io.tickmark.workloads.fix.session;

/** Sequence numbers of a session's other side: which comes next, which are missing. One thread. */
public final class InboundNumbers {
    private static final long RETRY_NS = 10_000_000_000L;

    private long expected = 1;

    /**
     * Number of the message that showed the gap asked for; below the expected one where none is
     * open.
     */
    private long gapUntil;

    private long gapSinceNs;

    /** Of messages that came too early, which are to come again. */
    private long highest;

    private long missed;
    private long passedOver;

    InboundNumbers() {}

    /** Begins anew, with this number. */
    void expect(final long number) {
        expected = number;
        gapUntil = 0;
        highest = 0;
    }

    void next() {
        expected++;
    }

    /** The other side does not send again what is below a number. */
    void passOver(final long until) {
        passedOver += until - expected;
        expected = until;
    }

    /**
     * Takes a number too high; true where the gap is to be asked for, once for all that is missing.
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

    /** Whether a gap is to be asked for again, as no answer has closed it. */
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
     * Messages that were found to be missing, and asked for again.
     *
     * @return the count
     */
    public long missed() {
        return missed;
    }

    /**
     * Numbers under which nothing came in sequence, not when asked for again either: still missing,
     * or passed over in the answer. Messages of the session that were lost are among them, as a
     * number does not tell.
     *
     * @return the count
     */
    public long missing() {
        return passedOver + Math.max(0, highest + 1 - expected);
    }
}
