package io.tickmark.lab.control;

import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.record.LatencySum;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.lab.live.LiveRole;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the roles of one name have told in a trial: for each of them no more than its last line. */
final class RoleTally {
    private static final long SHORTEST_NS = 100_000_000;

    /** Roles tell a line a second: what was so longer ago is not so now. */
    private static final long FRESH_NS = 2_000_000_000;

    private static final double NS_PER_S = 1e9;

    private final String role;
    private final Map<Integer, Instance> instances = new HashMap<>();
    private final Map<String, LatencySum> latencies = new LinkedHashMap<>();
    private String step = "";

    RoleTally(final String role) {
        this.role = role;
    }

    /** One of them. */
    private static final class Instance {
        private Progress before;
        private Progress last;
        private long toldNs;
        private final Map<String, Double> perSecond = new LinkedHashMap<>();

        void take(final Progress told, final long nowNs) {
            last = told;
            toldNs = nowNs;
            if (before == null) {
                before = told;
            }
            final long ns = told.elapsedNs() - before.elapsedNs();
            if (ns < SHORTEST_NS) {
                return; // the last line of a role comes right after the one before
            }
            told.counters()
                    .forEach((name, total) -> {
                        final long more = total - before.counters().getOrDefault(name, 0L);
                        // a warm-up is not counted: totals begin anew after it
                        perSecond.put(
                                name, Math.round(Math.max(0, more) * NS_PER_S / ns * 10) / 10.0);
                    });
            before = told;
        }
    }

    void take(final int index, final Progress told, final long nowNs) {
        instances.computeIfAbsent(index, _ -> new Instance()).take(counted(told), nowNs);
        step = told.label();
        told.latencies()
                .forEach((name, interval) ->
                        latencies.computeIfAbsent(name, _ -> new LatencySum()).add(interval));
    }

    /** Latencies are added up at once, so that none are kept for each of a thousand roles. */
    private static Progress counted(final Progress told) {
        return new Progress(
                told.step(),
                told.label(),
                told.inStep(),
                told.elapsedNs(),
                told.counters(),
                told.gauges(),
                Map.of());
    }

    /** How they stand; latencies begin anew. Who is silent, or done, has counts but no rates. */
    LiveRole tick(final long nowNs) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        final Map<String, Double> perSecond = new LinkedHashMap<>();
        final Map<String, Long> gauges = new LinkedHashMap<>();
        for (final Instance instance : instances.values()) {
            instance.last.counters().forEach((name, count) -> counts.merge(name, count, Long::sum));
            if (nowNs - instance.toldNs <= FRESH_NS) {
                instance.perSecond.forEach(
                        (name, rate) -> perSecond.merge(name, rate, Double::sum));
                instance.last
                        .gauges()
                        .forEach((name, value) -> gauges.merge(name, value, Math::max));
            }
        }
        final Map<String, LatencyInterval> intervals = new LinkedHashMap<>();
        latencies.forEach(
                (name, sum) -> sum.take().ifPresent(interval -> intervals.put(name, interval)));
        return new LiveRole(role, instances.size(), step, counts, perSecond, gauges, intervals);
    }

    boolean isReceiver() {
        return instances.values().stream().allMatch(each -> isReceiver(each.last));
    }

    private static boolean isReceiver(final Progress told) {
        return told.counters().containsKey(Counts.RECEIVED)
                && !told.counters().containsKey(Counts.SENT);
    }
}
