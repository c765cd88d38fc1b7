package io.tickmark.kernel.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When messages were delivered again after a planned fault, so that the time to recover can be
 * computed once it is known when the fault was really done: it has recovered when every stream has,
 * which is a topic, a session or a source. A stream counts if a message of it was due in the two
 * seconds before the fault was planned; where there is no such stream, any counts. One of which
 * nothing was due any more does not: it is known to have ended, or the next of its messages, by
 * their interval, was to come later than the last ones of the others. For each millisecond of the
 * two seconds from the planned time on it is kept how many of the streams had delivered a message
 * that was due then or later, and when the last of them did. A message is classified by its
 * intended time and not by its arrival: a message that was in transit when the fault happened does
 * not show a recovery. Written by the recording thread; read after that has ended. Allocates only
 * for more streams.
 */
public final class Deliveries {
    /** Interval of the intended times from which on first messages are kept. */
    public static final long RESOLUTION_NS = 1_000_000;

    /** The fault must be done within this time of its planned time. */
    public static final long WINDOW_NS = 2_000_000_000;

    private static final int SLOTS = (int) (WINDOW_NS / RESOLUTION_NS);

    /** Of a stream that does not count (yet). */
    private static final int UNSEEN = 0;

    /** Of a stream that counts, and of which no message due after the fault has arrived. */
    private static final int SEEN = 1;

    private final PlannedFault[] faults;

    /** By stream: whether all of it has arrived. */
    private boolean[] hasEnded;

    private boolean isUsed;

    /** Of so many streams, after faults that are planned for these times. */
    Deliveries(final long[] plannedNs, final int streams) {
        faults =
                Arrays.stream(plannedNs)
                        .mapToObj(planned -> new PlannedFault(planned, streams))
                        .toArray(PlannedFault[]::new);
        hasEnded = new boolean[streams];
    }

    /** Makes room for so many streams, where there is less. */
    void ofStreams(final int streams) {
        hasEnded = Arrays.copyOf(hasEnded, Math.max(streams, hasEnded.length));
        for (final PlannedFault fault : faults) {
            if (streams > fault.states.length) {
                fault.states = Arrays.copyOf(fault.states, streams);
                fault.lastBeforeNs = Arrays.copyOf(fault.lastBeforeNs, streams);
                fault.intervalsNs = Arrays.copyOf(fault.intervalsNs, streams);
            }
        }
    }

    /** Records a message of a stream, from 0; messages arrive in the order of these calls. */
    void arrived(final long dueNs, final long arrivedNs, final int stream, final int step) {
        isUsed = true;
        hasEnded[stream] = false;
        for (final PlannedFault fault : faults) {
            fault.arrived(dueNs, arrivedNs, stream, step);
        }
    }

    /** A stream has ended, and all of it has arrived; it may begin anew. */
    void ended(final int stream) {
        hasEnded[stream] = true;
    }

    /** Whether any message has arrived at all, before a fault or after it. */
    boolean isUsed() {
        return isUsed;
    }

    /** What is kept of each fault, in the order of the planned times. */
    List<AfterFault> all() {
        return Arrays.stream(faults).map(fault -> fault.kept(hasEnded)).toList();
    }

    /** What is kept of one fault: a slot for each millisecond, and the last for all that follow. */
    private static final class PlannedFault {
        private final long plannedNs;

        /** By stream: {@link #UNSEEN}, or {@link #SEEN} and in how many slots it has delivered. */
        private int[] states;

        /** By stream: when its last message before the fault was due. */
        private long[] lastBeforeNs;

        /** By stream: how long after the one before; 0 where that is unknown. */
        private long[] intervalsNs;

        private final int[] delivered = new int[SLOTS + 1];
        private final long[] earliestDueNs = new long[SLOTS + 1];
        private final long[] lastDueNs = new long[SLOTS + 1];
        private final long[] lastArrivedNs = new long[SLOTS + 1];
        private boolean isAnySeenBefore;
        private int seen;
        private long latestDueNs;
        private int step = LatencyLog.NO_STEP;

        PlannedFault(final long plannedNs, final int streams) {
            this.plannedNs = plannedNs;
            states = new int[streams];
            lastBeforeNs = new long[streams];
            intervalsNs = new long[streams];
            latestDueNs = plannedNs;
        }

        void arrived(final long dueNs, final long arrivedNs, final int stream, final int inStep) {
            final long sinceNs = dueNs - plannedNs;
            final int state = states[stream];
            if (sinceNs < 0) {
                if (state == UNSEEN && sinceNs >= -WINDOW_NS) {
                    isAnySeenBefore = true;
                    states[stream] = SEEN;
                    lastBeforeNs[stream] = dueNs;
                    seen++;
                } else if (state != UNSEEN && dueNs - lastBeforeNs[stream] > 0) {
                    intervalsNs[stream] = dueNs - lastBeforeNs[stream];
                    lastBeforeNs[stream] = dueNs;
                }
                return;
            }
            latestDueNs = Math.max(latestDueNs, dueNs);
            if (state == UNSEEN) {
                if (isAnySeenBefore) {
                    return; // it began later
                }
                seen++;
            }
            final int end = (int) Math.min(SLOTS, sinceNs / RESOLUTION_NS) + 1;
            final int begin = Math.max(0, state - SEEN);
            for (int slot = begin; slot < end; slot++) {
                add(slot, dueNs, arrivedNs);
            }
            states[stream] = SEEN + Math.max(begin, end);
            step = step == LatencyLog.NO_STEP ? inStep : step;
        }

        /** Of those that arrive together, the one that was due first shows most. */
        private void add(final int slot, final long dueNs, final long arrivedNs) {
            final boolean isFirst = delivered[slot]++ == 0;
            if (isFirst || dueNs - earliestDueNs[slot] < 0) {
                earliestDueNs[slot] = dueNs;
            }
            if (isFirst || arrivedNs != lastArrivedNs[slot] || dueNs - lastDueNs[slot] < 0) {
                lastDueNs[slot] = dueNs;
                lastArrivedNs[slot] = arrivedNs;
            }
        }

        /** Slots that say the same as the one before are left out. */
        AfterFault kept(final boolean[] hasEnded) {
            final List<FirstMessages> first = new ArrayList<>();
            for (int slot = 0; slot <= SLOTS && delivered[slot] > 0; slot++) {
                final FirstMessages here =
                        new FirstMessages(
                                earliestDueNs[slot],
                                lastDueNs[slot],
                                lastArrivedNs[slot],
                                delivered[slot]);
                if (first.isEmpty() || !first.getLast().equals(here)) {
                    first.add(here);
                }
            }
            int counted = seen;
            int notDue = 0;
            for (int stream = 0; stream < states.length; stream++) {
                if (states[stream] <= SEEN && (hasEnded[stream] || isNotDue(stream))) {
                    counted -= states[stream] == SEEN ? 1 : 0;
                    notDue++;
                }
            }
            return new AfterFault(step, counted, notDue, first);
        }

        /** Whether the next message of a stream was to come later than the last of all others. */
        private boolean isNotDue(final int stream) {
            return delivered[0] > 0
                    && intervalsNs[stream] > 0
                    && lastBeforeNs[stream] + intervalsNs[stream] - latestDueNs > 0;
        }
    }

    /**
     * What was delivered after one fault.
     *
     * @param step in which the first of it arrived, -1 for none
     * @param streams that count; of some of them nothing may have arrived
     * @param notDue streams that do not count, as nothing of them was due any more
     * @param first messages, by the time from which on they were due
     */
    public record AfterFault(int step, int streams, int notDue, List<FirstMessages> first) {
        /** Copies the list. */
        public AfterFault {
            first = List.copyOf(first);
        }
    }

    /**
     * The first messages of the streams that were due from some time on.
     *
     * @param earliestDueNs when the first of them was due: for a fault that was done by then, these
     *     are the first messages after it
     * @param lastDueNs when the one was due that arrived last
     * @param lastArrivedNs when that arrived
     * @param streams of which a message arrived
     */
    public record FirstMessages(
            long earliestDueNs, long lastDueNs, long lastArrivedNs, int streams) {}
}
