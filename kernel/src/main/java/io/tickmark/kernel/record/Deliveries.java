package io.tickmark.kernel.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.NanoClock;

/**
 * When the messages after a planned fault arrived, so that the time to recover can be computed once
 * it is known when the fault was really done. For each fault, the first message of each millisecond
 * in which one was due is kept, for two seconds from the planned time, and the first one due after
 * that. A message is classified by its intended time and not by its arrival: a message that was in
 * transit when the fault happened does not show a recovery. Written by the recording thread; read
 * after that has ended. Allocates nothing after construction.
 */
public final class Deliveries {
    /** Interval between the intended times of the messages that are kept. */
    public static final long RESOLUTION_NS = 1_000_000;

    /**
     * For a fault that is done later than this after its planned time, only the last entry remains.
     */
    public static final long WINDOW_NS = 2_000_000_000;

    private static final int SLOTS = (int) (WINDOW_NS / RESOLUTION_NS);
    private static final long NONE = Long.MIN_VALUE;

    private final long[] plannedNs;
    private final long[][] wantedNs;
    private final long[][] arrivedNs;
    private final int[] steps;
    private final NanoClock clock;
    private int open;
    private boolean isUsed;

    /** Times are on {@code clock}. */
    Deliveries(final long[] plannedNs, final NanoClock clock) {
        this.plannedNs = plannedNs.clone();
        this.clock = clock;
        wantedNs = new long[plannedNs.length][SLOTS + 1];
        arrivedNs = new long[plannedNs.length][SLOTS + 1];
        for (final long[] each : wantedNs) {
            Arrays.fill(each, NONE);
        }
        steps = new int[plannedNs.length];
        Arrays.fill(steps, LatencyLog.NO_STEP);
        open = plannedNs.length;
    }

    /** Records a message that arrived just now, this long after its intended time. */
    void arrived(final long latencyNs, final int step) {
        isUsed = true;
        if (open == 0) {
            return;
        }
        final long nowNs = clock.nanoTime();
        final long wanted = nowNs - latencyNs;
        for (int fault = 0; fault < plannedNs.length; fault++) {
            final long sinceNs = wanted - plannedNs[fault];
            if (sinceNs < 0 || wantedNs[fault][SLOTS] != NONE) {
                continue;
            }
            final int slot = (int) Math.min(SLOTS, sinceNs / RESOLUTION_NS);
            if (wantedNs[fault][slot] == NONE) {
                wantedNs[fault][slot] = wanted;
                arrivedNs[fault][slot] = nowNs;
                steps[fault] = steps[fault] == LatencyLog.NO_STEP ? step : steps[fault];
                open -= slot == SLOTS ? 1 : 0;
            }
        }
    }

    /** Whether any message has arrived at all, before a fault or after it. */
    boolean isUsed() {
        return isUsed;
    }

    /** What is kept of each fault, in the order of the planned times. */
    List<AfterFault> all() {
        final List<AfterFault> all = new ArrayList<>();
        for (int fault = 0; fault < plannedNs.length; fault++) {
            final List<Long> times = new ArrayList<>();
            for (int slot = 0; slot <= SLOTS; slot++) {
                if (wantedNs[fault][slot] != NONE) {
                    times.add(wantedNs[fault][slot]);
                    times.add(arrivedNs[fault][slot]);
                }
            }
            all.add(new AfterFault(steps[fault], times));
        }
        return all;
    }

    /**
     * The messages that are kept of one fault.
     *
     * @param step in which the first of them arrived, -1 for none
     * @param times two for each message, in ns: when it was due, and when it arrived; in the order
     *     of the due times
     */
    public record AfterFault(int step, List<Long> times) {
        /** Copies the list. */
        public AfterFault {
            times = List.copyOf(times);
        }
    }
}
