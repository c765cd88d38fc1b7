package io.tickmark.lab.control;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a role has told of its progress, about once a second; the run's thread only. */
final class Told {
    private final TreeMap<Integer, Long> receivedByStep = new TreeMap<>();
    private Map<String, Long> counters = Map.of();
    private boolean receives;
    private long lastMovedNs;

    /** Takes a line of progress; counters are totals over all steps. */
    void add(final long nowNs, final int step, final Map<String, Long> newCounters) {
        if (!newCounters.equals(counters)) {
            lastMovedNs = nowNs;
        }
        counters = newCounters;
        final Long received = newCounters.get(Counts.RECEIVED);
        receives |= received != null && !newCounters.containsKey(Counts.SENT);
        if (received != null && step >= 0) {
            receivedByStep.put(step, received);
        }
    }

    /** When a counter was last seen to move; 0 while none was. */
    long lastMovedNs() {
        return lastMovedNs;
    }

    /**
     * What a subscriber received in each step, as far as it told; none for a role that is no
     * subscriber. So one that is killed stays a subscriber, and what it missed is lost.
     */
    List<StepResult> received() {
        final List<StepResult> steps = new ArrayList<>();
        if (receives && receivedByStep.isEmpty()) {
            receivedByStep.put(0, 0L);
        }
        long before = 0;
        for (final Map.Entry<Integer, Long> step : receivedByStep.entrySet()) {
            steps.add(receivedIn(step.getKey(), step.getValue() - before));
            before = step.getValue();
        }
        return receives ? steps : List.of();
    }

    private static StepResult receivedIn(final int step, final long received) {
        return new StepResult(
                step, "", 0, Map.of(Counts.RECEIVED, received), 0, 0, 0, Map.of(), List.of());
    }
}
