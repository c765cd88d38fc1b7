package io.tickmark.lab.control;

import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.live.LiveFile;
import io.tickmark.lab.live.LiveLine;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.live.LiveTick.LiveRole;
import io.tickmark.lab.plan.RoleInstance;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;

/**
 * Merges the lines of all roles into ticks, keeps these in the folder of the run, and passes on
 * what it receives. It has no thread: a line that arrives a second after the last tick triggers the
 * next. The run's thread only.
 */
final class LiveBoard implements RunListener {
    private static final long TICK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;

    /** Workloads in which every message goes to every receiver. */
    private static final Set<String> TO_ALL = Set.of("latency", "stream");

    private final RunListener next;
    private final NanoClock clock;
    private final long startedNs;
    private final Map<String, RoleTally> roles = new LinkedHashMap<>();
    private LiveFile file;
    private TrialKey trial;
    private TrialPhase phase = TrialPhase.STARTING;
    private Long noiseMaxNs;
    private long tickedNs;

    LiveBoard(final RunListener next, final NanoClock clock) {
        this.next = next;
        this.clock = clock;
        startedNs = clock.nanoTime();
    }

    /** Keeps ticks from now on; {@code durationNs} is how long the run will take. */
    void keep(
            final Path folder,
            final String plan,
            final String startedAt,
            final int trials,
            final long durationNs) {
        final ProcessHandle self = ProcessHandle.current();
        keeping(() -> file = new LiveFile(folder));
        write(
                new LiveLine.Run(
                        plan,
                        startedAt,
                        trials,
                        rounded(durationNs / NS_PER_S),
                        self.pid(),
                        self.info().startInstant().map(Instant::toEpochMilli).orElse(0L)));
    }

    /** The run is over. */
    void end(final Verdict verdict) {
        write(new LiveLine.End(seconds(), word(verdict)));
        close();
    }

    private void close() {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    @Override
    public void runStarted(final RunEstimate estimate) {
        next.runStarted(estimate);
    }

    @Override
    public void trialStarted(final TrialKey key) {
        trial = key;
        roles.clear();
        next.trialStarted(key);
    }

    @Override
    public void phaseStarted(final TrialKey key, final TrialPhase entered) {
        phase = entered;
        trial = key;
        if (entered == TrialPhase.CONNECTING) {
            roles.clear(); // a search runs many trials of one key
        }
        next.phaseStarted(key, entered);
        tick();
    }

    @Override
    public void noiseMeasured(final TrialKey key, final NoiseSummary noise) {
        noiseMaxNs = noise.maxNs();
        next.noiseMeasured(key, noise);
    }

    @Override
    public void progressed(final TrialKey key, final RoleInstance role, final Progress progress) {
        trial = key;
        next.progressed(key, role, progress);
        final long nowNs = clock.nanoTime();
        roles.computeIfAbsent(role.role(), RoleTally::new).take(role.index(), progress, nowNs);
        if (nowNs - tickedNs >= TICK_NS) {
            tick();
        }
    }

    @Override
    public void printed(final TrialKey key, final String role, final String line) {
        next.printed(key, role, line);
    }

    @Override
    public void rowFinished(final TrialResult row) {
        next.rowFinished(row);
        write(
                new LiveLine.Row(
                        seconds(),
                        row.test(),
                        row.channel(),
                        row.repeat(),
                        row.label(),
                        word(row.verdict()),
                        row.lost(),
                        row.reasons(),
                        row.achievedRatePerSecond(),
                        latencies(row),
                        LiveLine.TailBand.of(row.tail()),
                        curves(row),
                        row.tail() == null || row.tail().undisturbed().latency() == null
                                ? List.of()
                                : LiveLine.Percentile.of(row.tail().undisturbed().latency()),
                        LiveLine.LeftOut.of(row.tail())));
    }

    private static Map<String, List<LiveLine.Percentile>> curves(final TrialResult row) {
        final Map<String, List<LiveLine.Percentile>> curves = new LinkedHashMap<>();
        for (final String name : row.latencies().keySet()) {
            row.latency(name)
                    .filter(each -> each.count() > 0)
                    .ifPresent(each -> curves.put(name, LiveLine.Percentile.of(each)));
        }
        return curves;
    }

    /** Of the whole step: a short one may end before a tick sees its latencies. */
    private static Map<String, LatencyInterval> latencies(final TrialResult row) {
        final Map<String, LatencyInterval> latencies = new LinkedHashMap<>();
        for (final String name : row.latencies().keySet()) {
            row.latency(name)
                    .filter(each -> each.count() > 0)
                    .ifPresent(each ->
                            latencies.put(
                                    name,
                                    new LatencyInterval(
                                            each.count(),
                                            Math.round(each.mean() * each.count()),
                                            each.p50(),
                                            each.p99(),
                                            each.p999(),
                                            each.max(),
                                            "")));
        }
        return latencies;
    }

    @Override
    public void warned(final String sentence) {
        next.warned(sentence);
    }

    private void tick() {
        tickedNs = clock.nanoTime();
        final List<LiveRole> live =
                roles.values().stream().map(role -> role.tick(tickedNs)).toList();
        final LiveTick tick =
                new LiveTick(
                        seconds(),
                        trial.test(),
                        trial.workload(),
                        trial.channel(),
                        trial.repeat(),
                        trial.number(),
                        trial.of(),
                        phase.name().toLowerCase(Locale.ROOT),
                        live,
                        TO_ALL.contains(trial.workload()) ? missing(live) : null,
                        noiseMaxNs);
        next.ticked(tick);
        write(tick.withoutBuckets());
    }

    /** Null where no role sends or no role receives. */
    private Long missing(final List<LiveRole> live) {
        final Map<Boolean, List<LiveRole>> receivers =
                live.stream()
                        .collect(
                                Collectors.partitioningBy(
                                        role -> roles.get(role.role()).isReceiver()));
        final int count = receivers.get(true).stream().mapToInt(LiveRole::instances).sum();
        final long sent = sum(receivers.get(false), Counts.SENT);
        return count == 0 || sent == 0
                ? null
                : Math.max(0, sent * count - sum(receivers.get(true), Counts.RECEIVED));
    }

    private static long sum(final List<LiveRole> some, final String count) {
        return some.stream().mapToLong(role -> role.counts().getOrDefault(count, 0L)).sum();
    }

    private double seconds() {
        return rounded((clock.nanoTime() - startedNs) / NS_PER_S);
    }

    private static double rounded(final double seconds) {
        return Math.round(seconds * MS_PER_S) / MS_PER_S;
    }

    private static String word(final Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    private void write(final LiveLine line) {
        if (file != null) {
            keeping(() -> file.write(line));
        }
    }

    /** A write error is reported and does not end the run. */
    private void keeping(final Runnable writing) {
        try {
            writing.run();
        } catch (final UserError e) {
            close();
            next.warned(e.getMessage());
        }
    }

    /** The reports of the roles of one name in a trial: for each of them only its last line. */
    static final class RoleTally {
        private static final long SHORTEST_NS = 100_000_000;

        /** Roles report once a second: older values are outdated. */
        private static final long FRESH_NS = 2_000_000_000;

        private static final double NS_PER_S = 1e9;

        private final String role;
        private final Map<Integer, Instance> instances = new HashMap<>();
        private final Map<String, LatencyInterval.Sum> latencies = new LinkedHashMap<>();
        private String step = "";

        RoleTally(final String role) {
            this.role = role;
        }

        /** One of the roles. */
        private static final class Instance {
            private Progress before;
            private Progress last;
            private long progressNs;
            private final Map<String, Double> perSecond = new LinkedHashMap<>();

            void take(final Progress progress, final long nowNs) {
                last = progress;
                progressNs = nowNs;
                if (before == null) {
                    before = progress;
                }
                final long ns = progress.elapsedNs() - before.elapsedNs();
                if (ns < SHORTEST_NS) {
                    return; // the last line of a role arrives right after the one before
                }
                progress.counters()
                        .forEach((name, total) -> {
                            final long more = total - before.counters().getOrDefault(name, 0L);
                            // a warm-up is not counted: totals restart after it
                            perSecond.put(
                                    name,
                                    Math.round(Math.max(0, more) * NS_PER_S / ns * 10) / 10.0);
                        });
                before = progress;
            }
        }

        void take(final int index, final Progress progress, final long nowNs) {
            instances.computeIfAbsent(index, _ -> new Instance()).take(counted(progress), nowNs);
            step = progress.label();
            progress.latencies()
                    .forEach((name, interval) ->
                            latencies
                                    .computeIfAbsent(name, _ -> new LatencyInterval.Sum())
                                    .add(interval));
        }

        /** Latencies are added up at once, so that none are kept for each of a thousand roles. */
        private static Progress counted(final Progress progress) {
            return new Progress(
                    progress.step(),
                    progress.label(),
                    progress.inStep(),
                    progress.elapsedNs(),
                    progress.counters(),
                    progress.gauges(),
                    Map.of());
        }

        /**
         * Their current state; latencies are then reset. A role that is silent, or done, has counts
         * but no rates.
         */
        LiveRole tick(final long nowNs) {
            final Map<String, Long> counts = new LinkedHashMap<>();
            final Map<String, Double> perSecond = new LinkedHashMap<>();
            final Map<String, Long> gauges = new LinkedHashMap<>();
            for (final Instance instance : instances.values()) {
                instance.last
                        .counters()
                        .forEach((name, count) -> counts.merge(name, count, Long::sum));
                if (nowNs - instance.progressNs <= FRESH_NS) {
                    instance.perSecond.forEach(
                            (name, rate) -> perSecond.merge(name, rate, Double::sum));
                    mergeLargest(instance.last.gauges(), gauges);
                }
            }
            final Map<String, LatencyInterval> intervals = new LinkedHashMap<>();
            latencies.forEach(
                    (name, sum) -> sum.take().ifPresent(interval -> intervals.put(name, interval)));
            return new LiveRole(role, instances.size(), step, counts, perSecond, gauges, intervals);
        }

        /**
         * The largest of each, but the parts of a stall stay together: those of the thread that was
         * stalled longest.
         */
        private static void mergeLargest(
                final Map<String, Long> more, final Map<String, Long> gauges) {
            final boolean isLonger =
                    more.getOrDefault(Counts.STALLED_NS, -1L)
                            > gauges.getOrDefault(Counts.STALLED_NS, -1L);
            if (isLonger) {
                gauges.keySet().removeAll(Counts.PARTS_OF_STALL);
            }
            more.forEach((name, value) -> {
                if (isLonger || !Counts.PARTS_OF_STALL.contains(name)) {
                    gauges.merge(name, value, Math::max);
                }
            });
        }

        boolean isReceiver() {
            return instances.values().stream().allMatch(each -> isReceiver(each.last));
        }

        private static boolean isReceiver(final Progress progress) {
            return progress.counters().containsKey(Counts.RECEIVED)
                    && !progress.counters().containsKey(Counts.SENT);
        }
    }
}
