package io.tickmark.kernel.stall;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The times of the messages of one step, used to find out what delayed them. Keeps all where they
 * are few, otherwise whole windows of consecutive messages, evenly spread: a queue can only be
 * replayed where no message is missing, or where those between two kept ones take no time to speak
 * of. Of those that it does not keep, the slowest are kept beside them, however many there are. One
 * writer, allocates nothing while it records; another thread may read those that are {@link #kept}.
 */
public final class MessageLog {
    /** Most messages kept for a step. */
    public static final int MOST = 1 << 18;

    /** Most of the slowest among those that are not kept otherwise. */
    static final int MOST_SLOWEST = 10_000;

    /** Most messages of a log that nobody reads. */
    private static final int MOST_UNREAD = 1 << 13;

    /** Messages of a window. */
    public static final int WINDOW = 1 << 12;

    private static final int MOST_WINDOWS = 4 * MOST / WINDOW;

    /** Which times of a message are kept; files have their ordinal numbers. */
    public enum Kind {
        /** Intended, sent, received. */
        RECEIVED(3),
        /**
         * With those of the kernel: intended, sent, received, queued, departed, arrived; and the
         * time between two stamps of the card.
         */
        STAMPED(7),
        /** By the sender of one-way messages: sent, queued, departed. */
        SENT(3),
        /** By the echo: sent by the other end, arrived here, taken by the thread, departed. */
        ECHOED(4),
        /** By a capture: sent by the other end, on the wire, its echo on the wire. */
        CAPTURED(3),
        /** Intended, sent, received; only of the slowest among those that are not kept. */
        SLOWEST(3);

        private final int times;

        Kind(final int times) {
            this.times = times;
        }
    }

    private static final VarHandle PUBLISHED;

    static {
        try {
            PUBLISHED =
                    MethodHandles.lookup().findVarHandle(MessageLog.class, "published", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final MessageLog OFF = new MessageLog(0, 0, Kind.RECEIVED);

    private final boolean isSample;

    /** Whether a full log begins again, as nobody reads it. */
    private final boolean isUnread;

    private final int step;
    private final Kind kind;
    private final long[] times;
    private final long everyWindow;

    /** Windows are kept no more often than this on average; 0 where their number alone decides. */
    private final long spacingNs;

    private long latestIntendedNs;
    private long latestSentNs;
    private long busyNs;
    private long spanNs;
    private long begunWindows;
    private long passedWindow = -1;
    private long seen;

    /** Counted from 1: the next message of a sample that is kept. */
    private long nextSample = 1;

    private long firstNs;
    private long lastNs;
    private long fullNs;
    private int kept;

    @SuppressWarnings("unused") // accessed through its handle
    private int published;

    /** A heap by latency with the fastest of them at its root: three times for each. */
    private final long[] slowest;

    private int slowestCount;

    /** First kept message of each window; a message that overtakes others may begin one more. */
    private final int[] windows;

    private int windowCount;
    private long window = -1;
    private long queuedNs;
    private long departedNs;
    private long arrivedNs;
    private long onCardNs;

    MessageLog(final int step, final long expected, final Kind kind) {
        this(step, expected, kind, false);
    }

    /**
     * Where it is a sample, single messages are kept, evenly spread, instead of whole windows: of a
     * load so dense that those between two of them take less time than any stall.
     */
    MessageLog(final int step, final long expected, final Kind kind, final boolean isSample) {
        this(step, kind, isSample, everyWindow(expected), 0, most(expected), false);
    }

    /**
     * For messages of which there may be any number in a time that is known, as a closed loop has
     * them: if there are more than expected, further windows are left out, so that those kept are
     * spread evenly over that time.
     *
     * @param lastsNs how long the step lasts
     */
    MessageLog(final int step, final long expected, final Kind kind, final long lastsNs) {
        this(
                step,
                kind,
                false,
                everyWindow(expected),
                Math.max(1, lastsNs / Math.max(1, most(expected) / WINDOW)),
                Math.max(WINDOW, most(expected)),
                false);
    }

    private static long everyWindow(final long expected) {
        return Math.max(1, (expected + MOST - 1) / MOST);
    }

    private static int most(final long expected) {
        return Math.toIntExact(Math.clamp(expected + expected / 16, 0, MOST));
    }

    private MessageLog(
            final int step,
            final Kind kind,
            final boolean isSample,
            final long everyWindow,
            final long spacingNs,
            final int most,
            final boolean isUnread) {
        this.isSample = isSample;
        this.isUnread = isUnread;
        this.step = step;
        this.kind = kind;
        this.everyWindow = everyWindow;
        this.spacingNs = spacingNs;
        times = new long[most * kind.times];
        final boolean isThinned = everyWindow > 1 || spacingNs > 0;
        final boolean hasSlowest = isThinned && (kind == Kind.RECEIVED || kind == Kind.STAMPED);
        slowest = new long[hasSlowest ? MOST_SLOWEST * Kind.SLOWEST.times : 0];
        windows = new int[isThinned && !isSample ? MOST_WINDOWS : 0];
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
     * A log that does all that this one does, and is never read: for messages of a warm-up. Without
     * it the code that keeps a message would run for the first time when the measurement begins,
     * and all that it is inlined into would be compiled again.
     *
     * @return a log that goes on when it is full; one that keeps nothing where this one does
     */
    public MessageLog unread() {
        return times.length == 0
                ? this
                : new MessageLog(
                        step,
                        kind,
                        isSample,
                        everyWindow,
                        spacingNs,
                        Math.min(MOST_UNREAD, times.length / kind.times),
                        true);
    }

    /**
     * Records a received message; to be called in the order of reception.
     *
     * @param intendedNs when it was due; in a closed loop when it was sent
     * @param sentNs when it was sent
     * @param receivedNs when it, or its echo, was received
     */
    public void add(final long intendedNs, final long sentNs, final long receivedNs) {
        addNumbered(seen, intendedNs, sentNs, receivedNs);
    }

    /**
     * The kernel's times of the message that is added next, kept where the log was made for them.
     *
     * @param queued when it was handed to the queueing discipline; 0 where that is unknown
     * @param departed when it was handed to the network device; 0 where that is unknown
     * @param arrived when it, or its echo, reached the socket; 0 where that is unknown
     * @param onCard between its departure and its echo's arrival, by the clock of the card; 0 where
     *     that is unknown
     */
    public void stamped(
            final long queued, final long departed, final long arrived, final long onCard) {
        queuedNs = queued;
        departedNs = departed;
        arrivedNs = arrived;
        onCardNs = onCard;
    }

    /**
     * The same as {@link #add(long, long, long)} where others have to keep the same messages.
     *
     * @param number of the message, in the order sent; decides whether it is kept
     * @param intendedNs when it was wanted; in a closed loop when it was sent
     * @param sentNs when it was sent
     * @param receivedNs when it, or its echo, was received
     */
    public void addNumbered(
            final long number, final long intendedNs, final long sentNs, final long receivedNs) {
        if (this == OFF) {
            return; // threads share it, and must not write to the same line
        }
        if (seen == 0) {
            firstNs = intendedNs;
        }
        if (isSample) {
            addBusy(intendedNs, sentNs);
        }
        if (keeps(number, receivedNs)) {
            times[kept++] = intendedNs;
            times[kept++] = sentNs;
            times[kept++] = receivedNs;
            if (kind == Kind.STAMPED) {
                times[kept++] = queuedNs;
                times[kept++] = departedNs;
                times[kept++] = arrivedNs;
                times[kept++] = onCardNs;
            }
            publish();
        } else {
            addSlow(intendedNs, sentNs, receivedNs);
        }
    }

    /**
     * Those of a sample are too far from each other to tell how busy their sender was. Copies for
     * further receivers come after later messages for the first one, and say nothing new.
     */
    private void addBusy(final long intendedNs, final long sentNs) {
        if (seen == 0 || intendedNs > latestIntendedNs) {
            if (seen > 0 && intendedNs != sentNs) {
                busyNs += Math.max(0, sentNs - Math.max(intendedNs, latestSentNs));
                spanNs += intendedNs - latestIntendedNs;
            }
            latestIntendedNs = intendedNs;
            latestSentNs = seen == 0 ? sentNs : Math.max(latestSentNs, sentNs);
        }
    }

    private void publish() {
        PUBLISHED.setRelease(this, kept);
    }

    private long slowNs(final int at) {
        return slowest[3 * at + 2] - slowest[3 * at];
    }

    /** Whether a message belongs among the slowest that are kept: nearly all are faster. */
    private boolean isSlow(final long ns) {
        return slowest.length > 0 && (slowestCount < MOST_SLOWEST || ns > slowNs(0));
    }

    private void addSlow(final long intendedNs, final long sentNs, final long receivedNs) {
        final long ns = receivedNs - intendedNs;
        if (!isSlow(ns)) {
            return;
        }
        int at;
        if (slowestCount < MOST_SLOWEST) {
            at = slowestCount++;
            while (at > 0 && slowNs((at - 1) / 2) > ns) {
                System.arraycopy(slowest, 3 * ((at - 1) / 2), slowest, 3 * at, 3);
                at = (at - 1) / 2;
            }
        } else {
            at = 0;
            for (int child = 1; child < slowestCount; child = 2 * at + 1) {
                final int least =
                        child + 1 < slowestCount && slowNs(child + 1) < slowNs(child)
                                ? child + 1
                                : child;
                if (slowNs(least) >= ns) {
                    break;
                }
                System.arraycopy(slowest, 3 * least, slowest, 3 * at, 3);
                at = least;
            }
        }
        slowest[3 * at] = intendedNs;
        slowest[3 * at + 1] = sentNs;
        slowest[3 * at + 2] = receivedNs;
    }

    /**
     * Records a message that was sent, in a log made for such.
     *
     * @param number of the message, in the order sent
     * @param sentNs when it was sent, as its stamp says
     * @param queuedNs when the kernel handed it to the queueing discipline; 0 where that is unknown
     * @param departedNs when the kernel handed it to the network device; 0 where that is unknown
     */
    public void addSent(
            final long number, final long sentNs, final long queuedNs, final long departedNs) {
        if (keeps(number, sentNs)) {
            times[kept++] = sentNs;
            times[kept++] = queuedNs;
            times[kept++] = departedNs;
            publish();
        }
    }

    /**
     * Records a ping that was sent back, in a log made for such.
     *
     * @param number of the ping, in the order sent; decides whether it is kept, so that the sender
     *     keeps the same ones
     * @param sentNs when it was sent, as its stamp says
     * @param arrivedNs when it reached the socket of the echo; 0 where that is unknown
     * @param takenNs when the thread of the echo had it
     * @param departedNs when the kernel handed it to the network device again; 0 where that is
     *     unknown
     */
    public void addEchoed(
            final long number,
            final long sentNs,
            final long arrivedNs,
            final long takenNs,
            final long departedNs) {
        if (keeps(number, sentNs)) {
            times[kept++] = sentNs;
            times[kept++] = arrivedNs;
            times[kept++] = takenNs;
            times[kept++] = departedNs;
            publish();
        }
    }

    /**
     * Records a ping of which a capture has both ways, in a log made for such.
     *
     * @param number of the ping, in the order sent
     * @param sentNs when it was sent, as its stamp says
     * @param onWireNs when it was captured
     * @param backNs when its echo was
     */
    public void addCaptured(
            final long number, final long sentNs, final long onWireNs, final long backNs) {
        addSent(number, sentNs, onWireNs, backNs);
    }

    private boolean hasRoom(final long nowNs) {
        if (kept + kind.times > times.length) {
            if (!isUnread) {
                if (fullNs == 0) {
                    fullNs = nowNs;
                }
                return false;
            }
            kept = 0;
        }
        return true;
    }

    private boolean keeps(final long number, final long nowNs) {
        seen++;
        lastNs = nowNs;
        if (isSample) {
            if (seen != nextSample) {
                return false;
            }
            nextSample += everyWindow;
            return hasRoom(nowNs);
        }
        final long of = number / WINDOW;
        if (of == passedWindow) {
            return false;
        }
        // A division for each message would take as long as all else that is done for it.
        if (of != window && (of % everyWindow != 0 || isTooEarly(nowNs))) {
            passedWindow = of;
            return false;
        }
        if (!hasRoom(nowNs)) {
            return false;
        }
        if (of != window && windowCount < windows.length) {
            begunWindows++;
            if (of != window + 1 || window < 0) { // else it goes on with that one
                windows[windowCount] = kept / kind.times; // before it counts: the reporter reads it
                windowCount++;
            }
            window = of;
        }
        return true;
    }

    /** More windows were begun than the time that has passed has room for. */
    private boolean isTooEarly(final long nowNs) {
        return spacingNs > 0 && begunWindows * spacingNs > nowNs - firstNs;
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
        int left = this == OFF ? 0 : count;
        while (left > 0) {
            addNumbered(seen, intendedNs, sentNs, receivedNs);
            left--;
            final int passed = Math.min(left, passedInWindow());
            if (passed > 0) {
                seen += passed;
                left -= passed;
                for (int i = 0; i < passed && isSlow(receivedNs - intendedNs); i++) {
                    addSlow(intendedNs, sentNs, receivedNs);
                }
            }
        }
    }

    /** How many of the messages that come next belong to a window that is not kept. */
    private int passedInWindow() {
        return !isSample && seen / WINDOW == passedWindow ? WINDOW - (int) (seen % WINDOW) : 0;
    }

    int step() {
        return step;
    }

    /** Number of messages recorded. */
    long seen() {
        return seen;
    }

    /** When the first of them was due; once all are recorded. */
    long firstNs() {
        return firstNs;
    }

    /** When the last of them was received; once all are recorded. */
    long lastNs() {
        return lastNs;
    }

    /**
     * From when on there was no room for messages that were to be kept; 0 where there was; once all
     * are recorded.
     */
    long fullNs() {
        return fullNs;
    }

    /** Whether single messages are kept, and others between them are not. */
    boolean isThinned() {
        return isSample && everyWindow > 1;
    }

    /**
     * How long the sender took to send the messages of a sample, the waits of its thread included;
     * once all are recorded.
     */
    long busyNs() {
        return busyNs;
    }

    /** From the first to the last of these messages, as they were due. */
    long spanNs() {
        return spanNs;
    }

    /** May be read by another thread, as may the times of these, and the windows they begin. */
    int kept() {
        return (int) PUBLISHED.getAcquire(this) / kind.times;
    }

    /** Number of the slowest that are kept beside the others; once all are recorded. */
    int slowest() {
        return slowestCount;
    }

    /** Of one of these, in no order: intended, sent, received. */
    long slowTime(final int message, final int which) {
        return slowest[3 * message + which];
    }

    /** Of a message, in the order of its kind. */
    long time(final int message, final int which) {
        return times[message * kind.times + which];
    }

    /**
     * What it was made for.
     *
     * @return which times it keeps
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Where windows begin between which messages are missing; none where all are kept. Losses make
     * them shorter than {@link #WINDOW}.
     */
    int windows() {
        return windowCount;
    }

    /** The first kept message of a window. */
    int window(final int index) {
        return windows[index];
    }
}
