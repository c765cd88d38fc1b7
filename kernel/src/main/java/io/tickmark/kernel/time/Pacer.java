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
        tightSends = waited ? 1 : tightSends + 1;
        waited = false;
        maxTightSends = Math.max(maxTightSends, tightSends);
        maxLagNs = Math.max(maxLagNs, nowNs - intendedNs);
        sent++;
        lastNs = intendedNs;
        intendedNs = schedule.nextNs(nowNs);
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
     * Rate the schedule asked for: its mean; where gaps are random, what those before the messages
     * sent come to, so that a sender who kept to them is not blamed for chance.
     *
     * @return messages per second; 0 where it has none
     */
    public double ratePerSecond() {
        return schedule.isRandom() && lastNs > firstNs
                ? sent * 1e9 / (lastNs - firstNs)
                : schedule.ratePerSecond();
    }
}
