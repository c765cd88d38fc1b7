package io.tickmark.kernel.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.NanoClock;

/**
 * When the messages after a planned fault arrived, so that somebody who learns when it was really
 * done can tell how long it took to recover. For each fault, the first message of each millisecond
 * in which one was wanted is kept, from the planned time on for two seconds, and the first one
 * wanted after those. A message is known by when it was wanted and not by when it arrives: what was
 * on its way when the fault happened is no recovery. Written by the thread that records; read when
 * that has ended. Allocates nothing once made.
 */
public final class Deliveries {
    /** How far apart the messages that are kept were wanted. */
    public static final long RESOLUTION_NS = 1_000_000;

    /** A fault that is done later than this after it was planned finds only the last entry. */
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

    /** Takes a message that arrived just now, so long after it was wanted. */
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
     * @param times of each message two, in ns: when it was wanted, and when it arrived; in the
     *     order in which they were wanted
     */
    public record AfterFault(int step, List<Long> times) {
        /** Copies the list. */
        public AfterFault {
            times = List.copyOf(times);
        }
    }
}
