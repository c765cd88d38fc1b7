package io.tickmark.kernel.time;

/**
 * Walks a schedule without blocking, so that the caller's loop can poll and drive its engine
 * between messages. Single thread, allocates nothing.
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
     * @param schedule not used by anyone else
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
     * Whether the next message is to be sent now.
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
     * Intended time of the message that is next.
     *
     * @return ns
     */
    public long intendedNs() {
        return intendedNs;
    }

    /**
     * Tells that the message was taken by the engine; the next one becomes current.
     *
     * @param nowNs time of the send
     */
    public void sent(final long nowNs) {
        sent(nowNs, 1);
    }

    /**
     * Tells that messages which were all wanted at the current intended time were taken by the
     * engine; as fast as possible has such messages.
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
     * Tells when messages were taken that had been told as sent when they were put together.
     *
     * @param nowNs time of the send
     * @param firstIntendedNs intended time of the first of them
     */
    public void taken(final long nowNs, final long firstIntendedNs) {
        maxLagNs = Math.max(maxLagNs, nowNs - firstIntendedNs);
        lastSentNs = nowNs;
    }

    /**
     * Forgets the longest lag and the most messages in a row so far, which were not of the
     * measurement that begins; the schedule goes on.
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
     * Rate the schedule asked for: its mean; where gaps are uneven, what those of the messages sent
     * come to, so that a sender who kept to them is not blamed for chance.
     *
     * @return messages per second; 0 where it has none
     */
    public double ratePerSecond() {
        return schedule.isUneven() && sent > 0
                ? sent * 1e9 / scheduledNs()
                : schedule.ratePerSecond();
    }

    /** What the schedule gives to the messages sent: a gap for each, the one after the last too. */
    private double scheduledNs() {
        return schedule.isUneven() ? intendedNs - firstNs : sent * 1e9 / schedule.ratePerSecond();
    }

    /**
     * Rate that was sent. n messages take up the n gaps that the schedule gives them, and as much
     * more as the sender was late in the end; without a schedule n messages have n - 1 gaps.
     *
     * @param endNs when the sender stopped; a message that was due by then and was not sent makes
     *     it late
     * @return messages per second; 0 where too few were sent to tell
     */
    public double achievedRatePerSecond(final long endNs) {
        if (schedule.ratePerSecond() == 0) {
            return lastSentNs > firstNs ? (sent - 1) * 1e9 / (lastSentNs - firstNs) : 0;
        }
        final long lateNs = Math.max(0, Math.max(lastSentNs - lastNs, endNs - intendedNs));
        return sent == 0 ? 0 : sent * 1e9 / (scheduledNs() + lateNs);
    }
}
