package io.tickmark.kernel.time;

/**
 * Walks a schedule without blocking, so that the caller's loop can poll and drive its engine
 * between messages. Single-threaded, allocates nothing.
 *
 * <pre>{@code
 * long nowNs = clock.nanoTime();
 * if (pacer.isDue(nowNs)) {
 *     // send with pacer.intendedNs(); when the engine took it:
 *     pacer.sent(nowNs);
 * } else {
 *     idle.idle();
 * }
 * }</pre>
 */
public final class Pacer {
    private final Schedule schedule;
    private long intendedNs;
    private long firstNs;
    private long lastNs;
    private long lastSentNs;
    private long sent;
    private long tightSends;
    private long maxTightSends;
    private long maxLagNs;
    private boolean waited = true;

    /**
     * A pacer over a schedule.
     *
     * @param schedule not used by any other pacer
     */
    public Pacer(final Schedule schedule) {
        this.schedule = schedule;
    }

    /**
     * Starts or restarts the schedule and clears the figures.
     *
     * @param startNs time of the first message
     */
    public void start(final long startNs) {
        schedule.start(startNs);
        intendedNs = schedule.nextNs(startNs);
        firstNs = intendedNs;
        lastNs = intendedNs;
        lastSentNs = intendedNs;
        sent = 0;
        tightSends = 0;
        maxTightSends = 0;
        maxLagNs = 0;
        waited = true;
    }

    /**
     * Whether the next message is due.
     *
     * @param nowNs current time
     * @return true from its intended time on
     */
    public boolean isDue(final long nowNs) {
        if (nowNs - intendedNs >= 0) {
            return true;
        }
        waited = true;
        return false;
    }

    /**
     * Intended time of the next message.
     *
     * @return ns
     */
    public long intendedNs() {
        return intendedNs;
    }

    /**
     * Records that the engine accepted the message; the next one becomes current.
     *
     * @param nowNs time of the send
     */
    public void sent(final long nowNs) {
        sent(nowNs, 1);
    }

    /**
     * Records that the engine accepted messages which were all due at the current intended time; as
     * fast as possible has such messages.
     *
     * @param nowNs time of the send
     * @param messages how many
     */
    public void sent(final long nowNs, final int messages) {
        tightSends = waited ? messages : tightSends + messages;
        waited = false;
        maxTightSends = Math.max(maxTightSends, tightSends);
        maxLagNs = Math.max(maxLagNs, nowNs - intendedNs);
        sent += messages;
        lastNs = intendedNs;
        lastSentNs = nowNs;
        intendedNs = schedule.nextNs(nowNs);
    }

    /**
     * Records when the engine accepted messages that had been recorded as sent when they were
     * gathered.
     *
     * @param nowNs time of the send
     * @param firstIntendedNs intended time of the first of them
     */
    public void taken(final long nowNs, final long firstIntendedNs) {
        maxLagNs = Math.max(maxLagNs, nowNs - firstIntendedNs);
        lastSentNs = nowNs;
    }

    /**
     * Resets the longest lag and the most messages in a row so far, which do not belong to the
     * measurement that begins; the schedule continues.
     */
    public void forgetMaxima() {
        tightSends = 0;
        maxTightSends = 0;
        maxLagNs = 0;
    }

    /**
     * Most messages sent in a row without once waiting for the schedule.
     *
     * @return the count
     */
    public long maxTightSends() {
        return maxTightSends;
    }

    /**
     * Largest delay of a send behind its intended time.
     *
     * @return ns
     */
    public long maxLagNs() {
        return maxLagNs;
    }

    /**
     * Rate of the schedule: its mean; where gaps are uneven, the mean over the gaps of the sent
     * messages, so that a sender that kept to them is not blamed for chance.
     *
     * @return messages per second; 0 where it has none
     */
    public double ratePerSecond() {
        return schedule.isUneven() && sent > 0
                ? sent * 1e9 / scheduledNs()
                : schedule.ratePerSecond();
    }

    /**
     * The time that the schedule gives to the sent messages: a gap for each, including the one
     * after the last.
     */
    private double scheduledNs() {
        return schedule.isUneven() ? intendedNs - firstNs : sent * 1e9 / schedule.ratePerSecond();
    }

    /**
     * When the measured time ends: with the last send, or with the sender's stop where a message
     * was due before it and was not sent, because the engine took nothing any more.
     *
     * @param endNs when the sender stopped
     * @return ns
     */
    public long untilNs(final long endNs) {
        return endNs - intendedNs > 0 && endNs - lastSentNs > 0 ? endNs : lastSentNs;
    }

    /**
     * Achieved rate. n messages take the n gaps that the schedule gives them, plus the sender's lag
     * at the end; without a schedule n messages have n - 1 gaps, and where the time after the last
     * is longer than those, it is the nth.
     *
     * @param endNs when the sender stopped; a message that was due by then and was not sent makes
     *     it late
     * @return messages per second; 0 where too few were sent to compute it
     */
    public double achievedRatePerSecond(final long endNs) {
        if (schedule.ratePerSecond() == 0) {
            return lastSentNs > firstNs
                    ? Math.min(
                            (sent - 1) * 1e9 / (lastSentNs - firstNs),
                            sent * 1e9 / (untilNs(endNs) - firstNs))
                    : 0;
        }
        final long lateNs = Math.max(0, Math.max(lastSentNs - lastNs, endNs - intendedNs));
        return sent == 0 ? 0 : sent * 1e9 / (scheduledNs() + lateNs);
    }
}
