package io.tickmark.lab.control;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.Secrets;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.ToRole.ThreadPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the controller knows about one role of a trial; its thread only. */
final class RoleState {
    /** The state of the role. */
    enum Stage {
        /** Nothing received yet. */
        PREPARING,
        /** Bound its endpoints. */
        BOUND,
        /** Ready to start. */
        READY,
        /** Nothing more will be received from it. */
        DONE
    }

    private final RoleInstance instance;
    private final RoleLink link;
    private final List<ThreadPlan> threads;
    private final String host;
    private Stage stage = Stage.PREPARING;
    private long lastHeardNs;
    private boolean isSuspended;
    private final ReportedProgress reported = new ReportedProgress();
    private final List<FromRole.Delivered> deliveries = new ArrayList<>();
    private List<?> memberFaults = List.of();
    private boolean isKilled;
    private Map<String, Object> metrics = Map.of();
    private final Map<String, Object> notes = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** {@code host} is {@link HostsPlan#LOCAL} for the controller's machine. */
    RoleState(
            final RoleInstance instance,
            final RoleLink link,
            final List<ThreadPlan> threads,
            final String host) {
        this.instance = instance;
        this.link = link;
        this.threads = threads;
        this.host = host;
        if (isElsewhere()) {
            note(RoleSummary.HOST, host);
        }
    }

    boolean isElsewhere() {
        return !host.equals(HostsPlan.LOCAL);
    }

    /** Its name for messages, with its host where that is another machine. */
    String called() {
        return isElsewhere() ? id() + " on " + host : id();
    }

    /** How late it began, known once it has reported its result. */
    long startLateNs() {
        return metrics.get(RoleSummary.START_LATE_NS) instanceof final Number late
                ? late.longValue()
                : 0;
    }

    String id() {
        return instance.id();
    }

    RoleInstance instance() {
        return instance;
    }

    RoleLink link() {
        return link;
    }

    List<ThreadPlan> threads() {
        return threads;
    }

    boolean isAtLeast(final Stage wanted) {
        return stage.compareTo(wanted) >= 0;
    }

    boolean isDone() {
        return stage == Stage.DONE;
    }

    void reach(final Stage next) {
        stage = next;
    }

    void finish(final Map<String, Object> found, final List<String> sentences) {
        metrics = new LinkedHashMap<>(found);
        memberFaults =
                metrics.remove(RoleSummary.MEMBER_FAULTS) instanceof final List<?> times
                        ? times
                        : List.of();
        warnings.addAll(sentences);
        stage = Stage.DONE;
    }

    /** Adds the arrivals of messages after a fault. */
    void delivered(final FromRole.Delivered after) {
        deliveries.add(after);
    }

    /** When messages arrived after the faults, as far as reported. */
    List<FromRole.Delivered> deliveries() {
        return deliveries;
    }

    /** What it reported about faults of its members: four numbers for each. */
    List<Long> memberFaults() {
        return memberFaults.stream()
                .map(each -> each instanceof final Number number ? number.longValue() : 0L)
                .toList();
    }

    /** A figure about how it was run. */
    void note(final String name, final Object value) {
        notes.put(name, value);
    }

    void warn(final String sentence) {
        warnings.add(sentence);
    }

    void heard(final long nowNs) {
        lastHeardNs = nowNs;
    }

    void heard(final long nowNs, final int step, final Map<String, Long> counters) {
        lastHeardNs = nowNs;
        reported.add(nowNs, step, counters);
    }

    /** Its reported progress. */
    ReportedProgress reported() {
        return reported;
    }

    /** Nothing more is received from it; its last report is final. */
    void kill(final String fault, final String sentence) {
        isKilled = !isDone();
        isSuspended = false;
        if (isKilled) {
            faults.add(fault);
            warn(sentence);
        }
    }

    /** Whether it was killed as planned, before it could report. */
    boolean isKilled() {
        return isKilled;
    }

    /** A suspended role cannot report. */
    void suspend(final String fault) {
        faults.add(fault);
        isSuspended = true;
    }

    boolean isSuspended() {
        return isSuspended;
    }

    /** Resumed; it gets some time to report. */
    void resume(final String fault, final long nowNs) {
        faults.add(fault);
        isSuspended = false;
        lastHeardNs = nowNs;
    }

    boolean isSilent(final long nowNs, final long boundNs) {
        return !isDone() && !isSuspended && nowNs - lastHeardNs > boundNs;
    }

    /** Its report, and how it was run. */
    RoleSummary summary() {
        final Map<String, Object> all = new LinkedHashMap<>(metrics);
        all.putAll(notes);
        if (!faults.isEmpty()) {
            all.merge(
                    RoleSummary.FAULTS,
                    String.join("; ", faults),
                    (ofMembers, ofProcess) ->
                            ofMembers.equals(RoleSummary.NO_FAULTS)
                                    ? ofProcess
                                    : ofMembers + "; " + ofProcess);
        }
        all.put("jvm", String.join(" ", Secrets.hidden(instance.plan().jvm().flags())));
        if (!threads.isEmpty()) {
            all.put(
                    "threads",
                    threads.stream().map(RoleState::shown).collect(Collectors.joining(", ")));
        }
        if (!instance.plan().wrapper().isEmpty()) {
            all.put("wrapper", String.join(" ", Secrets.hidden(instance.plan().wrapper())));
        }
        if (!instance.plan().environment().isEmpty()) {
            all.put(
                    "environment",
                    Secrets.hidden(instance.plan().environment()).entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(" ")));
        }
        return new RoleSummary(instance.role(), instance.index(), all, List.copyOf(warnings));
    }

    private static String shown(final ThreadPlan thread) {
        final String idle = thread.idle().name().toLowerCase(Locale.ROOT);
        return thread.name() + " " + idle + (thread.core() < 0 ? "" : " on core " + thread.core());
    }

    /** The progress that a role reports about once a second; the run's thread only. */
    static final class ReportedProgress {
        private final TreeMap<Integer, Long> receivedByStep = new TreeMap<>();
        private Map<String, Long> counters = Map.of();
        private boolean receives;
        private long lastMovedNs;

        /** Adds a line of progress; counters are totals over all steps. */
        void add(final long nowNs, final int step, final Map<String, Long> newCounters) {
            if (!newCounters.equals(counters)) {
                lastMovedNs = nowNs;
            }
            counters = newCounters;
            if (newCounters.containsKey(Counts.RECEIVED)) {
                receives |= !newCounters.containsKey(Counts.SENT);
                if (step >= 0) {
                    receivedByStep.put(step, receivedByAllThreads(newCounters));
                }
            }
        }

        /** The second thread counts under the same name with {@code -2} appended. */
        private static long receivedByAllThreads(final Map<String, Long> counters) {
            return counters.entrySet().stream()
                    .filter(each -> (each.getKey() + "-").startsWith(Counts.RECEIVED + "-"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        /** When a counter last changed; 0 while none did. */
        long lastMovedNs() {
            return lastMovedNs;
        }

        /**
         * What a subscriber received in each step, as far as reported; none for a role that is not
         * a subscriber. A killed subscriber therefore still counts as one, and what it missed is
         * lost.
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
}
