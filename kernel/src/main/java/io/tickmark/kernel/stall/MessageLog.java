package io.tickmark.kernel.stall;

/**
 * The times of the messages of one step, used to find out what delayed them. Keeps all where they
 * are few, otherwise whole windows of consecutive messages, evenly spread: a queue can only be
 * replayed where no message is missing. One writer, allocates nothing while it records.
 */
public final class MessageLog {
    /** Most messages kept for a step. */
    public static final int MOST = 1 << 18;

    /** Messages of a window. */
    public static final int WINDOW = 1 << 12;

    private static final int TIMES = 3;

    /** With those of the kernel. */
    private static final int ALL_TIMES = 5;

    private static final MessageLog OFF = new MessageLog(0, 0, false);

    private final int step;
    private final int timesEach;
    private final long[] times;
    private final long everyWindow;
    private long seen;
    private int kept;

    MessageLog(final int step, final long expected, final boolean hasKernelTimes) {
        this.step = step;
        timesEach = hasKernelTimes ? ALL_TIMES : TIMES;
        final long bounded = Math.clamp(expected + expected / 16, 0, MOST);
        times = new long[Math.toIntExact(bounded) * timesEach];
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
     * Records a received message; to be called in the order of reception.
     *
     * @param intendedNs when it was due; in a closed loop when it was sent
     * @param sentNs when it was sent
     * @param receivedNs when it, or its echo, was received
     */
    public void add(final long intendedNs, final long sentNs, final long receivedNs) {
        add(intendedNs, sentNs, 0, 0, receivedNs);
    }

    /**
     * The same with the kernel's times, which are kept where the log was made for them.
     *
     * @param intendedNs when it was wanted; in a closed loop when it was sent
     * @param sentNs when it was sent
     * @param departedNs when the kernel handed it to the network device; 0 where that is unknown
     * @param arrivedNs when it, or its echo, reached the socket; 0 where that is unknown
     * @param receivedNs when it, or its echo, was received
     */
    public void add(
            final long intendedNs,
            final long sentNs,
            final long departedNs,
            final long arrivedNs,
            final long receivedNs) {
        final long number = seen++;
        if (number / WINDOW % everyWindow == 0 && kept + timesEach <= times.length) {
            times[kept++] = intendedNs;
            times[kept++] = sentNs;
            times[kept++] = receivedNs;
            if (timesEach == ALL_TIMES) {
                times[kept++] = departedNs;
                times[kept++] = arrivedNs;
            }
        }
    }

    /**
     * Records messages that have all their times in common.
     *
     * @param intendedNs when they were due
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

    /** Number of messages recorded. */
    long seen() {
        return seen;
    }

    int kept() {
        return kept / timesEach;
    }

    /** Of a message: intended, sent, received and, with those of the kernel, departed, arrived. */
    long time(final int message, final int which) {
        return times[message * timesEach + which];
    }

    boolean hasKernelTimes() {
        return timesEach == ALL_TIMES;
    }

    /** There are gaps between windows where not every one is kept. */
    boolean isThinned() {
        return everyWindow > 1;
    }
}
