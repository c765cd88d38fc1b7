package io.tickmark.kernel.stall;

/**
 * The times of the messages of one step, for the question what delayed them. Keeps all where they
 * are few, else whole windows of messages that follow each other, evenly spread: a queue can only
 * be replayed where no message is missing. One writer, allocates nothing while it records.
 */
public final class MessageLog {
    /** Most messages kept of a step. */
    public static final int MOST = 1 << 18;

    /** Messages of a window. */
    public static final int WINDOW = 1 << 12;

    private static final int TIMES = 3;
    private static final MessageLog OFF = new MessageLog(0, 0);

    private final int step;
    private final long[] times;
    private final long everyWindow;
    private long seen;
    private int kept;

    MessageLog(final int step, final long expected) {
        this.step = step;
        final long bounded = Math.clamp(expected + expected / 16, 0, MOST);
        times = new long[Math.toIntExact(bounded) * TIMES];
        everyWindow = Math.max(1, (expected + MOST - 1) / MOST);
    }

    /**
     * A log that keeps nothing.
     *
     * @return always the same
     */
    public static MessageLog off() {
        return OFF;
    }

    /**
     * Takes a message that was received; in the order in which they are.
     *
     * @param intendedNs when it was wanted; in a closed loop when it was sent
     * @param sentNs when it was sent
     * @param receivedNs when it, or its echo, was received
     */
    public void add(final long intendedNs, final long sentNs, final long receivedNs) {
        final long number = seen++;
        if (number / WINDOW % everyWindow == 0 && kept + TIMES <= times.length) {
            times[kept++] = intendedNs;
            times[kept++] = sentNs;
            times[kept++] = receivedNs;
        }
    }

    /**
     * Takes messages that have all their times in common.
     *
     * @param intendedNs when they were wanted
     * @param sentNs when they were sent
     * @param receivedNs when they were received
     * @param count how many
     */
    public void add(
            final long intendedNs, final long sentNs, final long receivedNs, final int count) {
        for (int i = 0; i < count; i++) {
            add(intendedNs, sentNs, receivedNs);
        }
    }

    int step() {
        return step;
    }

    /** Messages it was told of. */
    long seen() {
        return seen;
    }

    int kept() {
        return kept / TIMES;
    }

    long time(final int message, final int which) {
        return times[message * TIMES + which];
    }

    /** Windows are apart from each other where not every one is kept. */
    boolean isThinned() {
        return everyWindow > 1;
    }
}
