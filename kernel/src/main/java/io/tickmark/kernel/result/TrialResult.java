package io.tickmark.kernel.result;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One row of a run: one step (one size, one rate) of one repeat of one test on one channel, all
 * roles merged.
 *
 * @param test name of the test in the plan
 * @param workload {@code latency} or {@code stream} or the name of another workload
 * @param channel as the plan has it
 * @param repeat from 1
 * @param step number within the repeat, from 0
 * @param label of the step where size and rate do not distinguish it from the others ({@code
 *     startup}); empty where they do
 * @param payloadBytes message length, stamp included
 * @param subscribers roles that received
 * @param sent messages sent, without warm-up
 * @param expected what should have been received: as the roles report it, otherwise sent x
 *     subscribers
 * @param received messages received, without duplicates, summed over subscribers
 * @param lost expected minus received
 * @param duplicated received more than once
 * @param reordered received late
 * @param counts every count by {@link Counts} name, including those above
 * @param durationNs of the step
 * @param offeredRatePerSecond the rate of the schedule; 0 where there is none
 * @param achievedRatePerSecond what was sent
 * @param maxTightSends most messages sent in a row without waiting for the schedule
 * @param hotThreads of all roles
 * @param cores the roles could use
 * @param latencies by name ({@link Latencies}, or the workload's own), only those measured
 * @param noiseBefore noise floor before the trial; null where it was not measured
 * @param noiseAfter noise floor after the trial; null where it was not measured
 * @param labels words that qualify the figures: {@code closed-loop}, {@code saturated}, {@code
 *     as-fast-as-possible}, {@code noisy}, {@code disturbed}, {@code taken}, {@code perhaps-taken}
 * @param verdict of this row
 * @param reasons of the verdict, sentences
 * @param roles what each role reported
 * @param tail where the latency above the median comes from; null where it was not examined
 */
public record TrialResult(
        String test,
        String workload,
        String channel,
        int repeat,
        int step,
        String label,
        int payloadBytes,
        int subscribers,
        long sent,
        long expected,
        long received,
        long lost,
        long duplicated,
        long reordered,
        Map<String, Long> counts,
        long durationNs,
        double offeredRatePerSecond,
        double achievedRatePerSecond,
        long maxTightSends,
        int hotThreads,
        int cores,
        Map<String, LatencySummary> latencies,
        NoiseSummary noiseBefore,
        NoiseSummary noiseAfter,
        List<String> labels,
        Verdict verdict,
        List<String> reasons,
        List<RoleSummary> roles,
        TailSummary tail) {
    private static final double MAX_NOT_TIMED_PART = 0.01;

    /** Keeps the latencies' order; values without maps or lists are not copied. */
    public TrialResult {
        latencies = Collections.unmodifiableMap(new LinkedHashMap<>(latencies));
    }

    /**
     * One latency.
     *
     * @param name of {@link Latencies}, or the workload's own
     * @return its figures, empty where it was not measured
     */
    public Optional<LatencySummary> latency(final String name) {
        return Optional.ofNullable(latencies.get(name));
    }

    /**
     * The error bound of a one-way time between two of its hosts: the sum of the two largest bounds
     * of their clocks.
     *
     * @return ns; 0 where all roles shared a clock
     */
    public long clockBoundNs() {
        return clockBoundNs(Objects.requireNonNullElse(roles, List.of()));
    }

    /**
     * The same for a row that is not judged yet.
     *
     * @param roles what each role reported
     * @return ns; 0 where all roles shared a clock
     */
    public static long clockBoundNs(final List<RoleSummary> roles) {
        final Map<String, Long> bounds = new TreeMap<>();
        for (final RoleSummary role : roles) {
            if (role.metrics().get(RoleSummary.CLOCK_BOUND_NS) instanceof final Number bound) {
                bounds.merge(role.host(), bound.longValue(), Math::max);
            }
        }
        return bounds.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(2)
                .mapToLong(Long::longValue)
                .sum();
    }

    /**
     * Messages that no subscriber could receive, because the publisher omitted them on purpose.
     *
     * @return how many of the expected
     */
    public long lostOnPurpose() {
        return lostOnPurpose(counts, subscribers);
    }

    /**
     * The same for a row that is not judged yet.
     *
     * @param counts by {@link Counts} name
     * @param subscribers roles that received
     * @return how many of the expected
     */
    public static long lostOnPurpose(final Map<String, Long> counts, final int subscribers) {
        return counts.getOrDefault(Counts.LOST_ON_PURPOSE, 0L) * subscribers;
    }

    /**
     * Messages lost in addition to those omitted on purpose: the loss of the channel.
     *
     * @return how many of the expected, 0 where no role reports what was received
     */
    public long lostOnTheWay() {
        return Math.max(0, lost - lostOnPurpose());
    }

    /**
     * Pings whose echo did not come in time.
     *
     * @return how many of the sent; 0 where nothing is echoed
     */
    public long notEchoed() {
        return counts.getOrDefault(Counts.TIMED_OUT, 0L);
    }

    /**
     * Latencies that are in no histogram: zero or less, or above its range.
     *
     * @return how many, of all kinds of latency
     */
    public long notTimed() {
        return notTimed(counts);
    }

    /**
     * The same for a row that is not judged yet.
     *
     * @param counts by {@link Counts} name
     * @return how many, of all kinds of latency
     */
    public static long notTimed(final Map<String, Long> counts) {
        return counts.getOrDefault(Counts.NOT_POSITIVE, 0L)
                + counts.getOrDefault(Counts.OUT_OF_RANGE, 0L);
    }

    /**
     * Whether so many latencies are in no histogram that the others do not stand for all: what is
     * too short for the clocks is missing at the low end.
     *
     * @param missing latencies of one kind that are in no histogram
     * @param timed those of the same kind that are
     * @return a sentence; empty where at most 1 % are missing
     */
    public static Optional<String> whyNotTimed(final long missing, final long timed) {
        return tooMany(
                missing,
                timed,
                "%,d of %,d latencies (%.4g %%) are zero, negative or above an hour, so no figure has them; at"
                        + " most %.4g %% may be. The clocks disagree by more than what was measured, or the time"
                        + " stamps are too coarse.");
    }

    /**
     * Whether so many pings have no service time that the others do not stand for all: those that
     * were in flight for longest are missing.
     *
     * @param missing {@link Counts#SEND_TIME_NOT_KEPT}
     * @param timed service times that are in a histogram
     * @return a sentence; empty where at most 1 % are missing
     */
    public static Optional<String> whyNotKept(final long missing, final long timed) {
        return tooMany(
                missing,
                timed,
                "%,d of %,d service times (%.4g %%) are missing, those of the pings that were in flight for longest; at"
                        + " most %.4g %% may be. More pings were in flight than send times are kept for.");
    }

    private static Optional<String> tooMany(
            final long missing, final long timed, final String sentence) {
        final double part = (double) missing / (missing + timed);
        return missing <= 0 || part <= MAX_NOT_TIMED_PART
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                sentence,
                                missing,
                                missing + timed,
                                100 * part,
                                100 * MAX_NOT_TIMED_PART));
    }

    /**
     * The part of the rate sent that was echoed in time.
     *
     * @return messages a second; what was sent where nothing is echoed
     */
    public double echoedRatePerSecond() {
        return sent == 0
                ? achievedRatePerSecond
                : achievedRatePerSecond * Math.max(0, sent - notEchoed()) / sent;
    }

    /**
     * The part of the rate sent that arrived: at receivers, and where messages come back also at
     * their sender.
     *
     * @return messages a second; what was sent where nobody says what arrived
     */
    public double arrivedRatePerSecond() {
        if (expected <= 0) {
            return echoedRatePerSecond();
        }
        final long arrived =
                counts.containsKey(Counts.RECEIVED) ? received : Math.max(0, expected - lost);
        return Math.min(echoedRatePerSecond(), achievedRatePerSecond * arrived / expected);
    }

    /**
     * The same row of a test of another name.
     *
     * @param name of the test
     * @return the row
     */
    public TrialResult named(final String name) {
        return with(name, labels, verdict, reasons, tail);
    }

    /**
     * The same row with the attribution of its tail.
     *
     * @param found where its tail comes from
     * @param qualified the row's labels from now on
     * @return the row
     */
    public TrialResult withTail(final TailSummary found, final List<String> qualified) {
        return with(test, List.copyOf(qualified), verdict, reasons, found);
    }

    /**
     * The same row, from which nothing can be concluded.
     *
     * @param why a sentence, which comes before the reasons it has
     * @param qualified the row's labels from now on
     * @return the row
     */
    public TrialResult voided(final String why, final List<String> qualified) {
        return with(
                test,
                List.copyOf(qualified),
                Verdict.VOID,
                Stream.concat(Stream.of(why), reasons.stream()).toList(),
                tail);
    }

    private TrialResult with(
            final String newTest,
            final List<String> newLabels,
            final Verdict newVerdict,
            final List<String> newReasons,
            final TailSummary newTail) {
        return new TrialResult(
                newTest,
                workload,
                channel,
                repeat,
                step,
                label,
                payloadBytes,
                subscribers,
                sent,
                expected,
                received,
                lost,
                duplicated,
                reordered,
                counts,
                durationNs,
                offeredRatePerSecond,
                achievedRatePerSecond,
                maxTightSends,
                hotThreads,
                cores,
                latencies,
                noiseBefore,
                noiseAfter,
                newLabels,
                newVerdict,
                newReasons,
                roles,
                newTail);
    }

    /**
     * How the hot threads of the roles waited.
     *
     * @return {@code spin}, or another word of the setting; where roles differ, each with its name,
     *     {@code latency-pub spin, latency-sub block}; empty where no role reports it
     */
    public String idle() {
        final Map<String, String> byRole = new TreeMap<>();
        for (final RoleSummary role : roles) {
            if (role.metrics().get(RoleSummary.IDLE) instanceof final String idle) {
                byRole.merge(
                        role.role(),
                        idle,
                        (one, other) -> one.equals(other) ? one : one + " or " + other);
            }
        }
        return Set.copyOf(byRole.values()).size() <= 1
                ? byRole.values().stream().findFirst().orElse("")
                : byRole.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }

    /**
     * What one role reported of the trial.
     *
     * @param role its name
     * @param index from 1
     * @param metrics its figures by name, units in the names: its own, then cpuPercent and
     *     residentBytes as min, mean and max
     * @param warnings sentences
     */
    public record RoleSummary(
            String role, int index, Map<String, Object> metrics, List<String> warnings) {
        /** Metric of a role that paces what it sends: how, as its setting names it. */
        public static final String PACE = "pace";

        /** Metric of a role that sends pings: who echoes them, as its setting names it. */
        public static final String ECHO = "echo";

        /** Value of {@link #ECHO} for a service that is not a role of the plan. */
        public static final String FOREIGN_ECHO = "external";

        /** Metric of a role at a store: when that deletes messages; {@code kept} for never. */
        public static final String DELETION = "deletion";

        /** Metric of a role whose server had ended before the role did, by itself: true. */
        public static final String SERVER_GONE = "serverGone";

        /** Metric of a role on another machine: that host's name. */
        public static final String HOST = "host";

        /** Metric of a role on another machine: how well its clock is known by the controller's. */
        public static final String CLOCK_BOUND_NS = "clockBoundNs";

        /** Metric: which planned faults were done to the role, and when they were planned. */
        public static final String FAULTS = "faults";

        /**
         * Metric: how long it took to recover from each fault that was done to the role, a clause
         * for each.
         */
        public static final String RECOVERIES = "recoveries";

        /**
         * Metric of a role that injects faults into its members, only for the controller, which
         * removes it: of each fault the member, 0 for killed or 1 for restarted, and when it began
         * and was done, in ns.
         */
        public static final String MEMBER_FAULTS = "memberFaultTimes";

        /** Value for a role that injects faults into its members where there were none. */
        public static final String NO_FAULTS = "none";

        /** Metric of a role with hot threads: how they wait, in the terms of its setting. */
        public static final String IDLE = "idle";

        /** Metric: why they wait that way, where the host decided it and they do not spin. */
        public static final String IDLE_REASON = "idleReason";

        /**
         * Metric of a role whose channel asks for the kernel's times of its messages: true where
         * the kernel gives those that the role notes, otherwise a clause that says why not.
         */
        public static final String KERNEL_TIMES = "kernelTimes";

        /** Metric: how long after the start of the trial the role began; the role catches up. */
        public static final String START_LATE_NS = "startLateNs";

        /**
         * Where it ran.
         *
         * @return the host's name, empty for the controller's machine
         */
        public String host() {
            return String.valueOf(metrics.getOrDefault(HOST, ""));
        }
    }
}
