package io.tickmark.lab.control;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Simulated trials of an engine with known capacity. */
final class KnownCapacity implements SearchRun.Trials {
    static final double CAPACITY = 80_000;
    static final long LATE_NS = 5_000_000;
    private static final NoiseSummary NOISE =
            new NoiseSummary(
                    1_000_000_000,
                    List.of(new CoreNoise(0, 20, OptionalLong.of(100_000), 2 * LATE_NS, 10, 0.04)));
    private static final String SOAK = Durations.format(Duration.ofSeconds(60));

    final List<Boolean> inNewProcesses = new ArrayList<>();
    double capacityOfNewProcesses = CAPACITY;

    /** From this rate on, new processes sustain it only every second time. */
    double newProcessesHoldEverySecondTimeFrom = Double.MAX_VALUE;

    int voidUntil;

    /** Numbers of further void trials. */
    Set<Integer> voidIn = Set.of();

    /** Whether the machine disturbed each trial above the capacity. */
    boolean isDisturbed;

    /** Rows into which somebody looked. */
    int examinedRows;

    /** Whether another task perhaps had a core in each trial above the capacity. */
    boolean isPerhapsTaken;

    /** The trial in which another task had a core, so that half of the messages got through. */
    int takenIn = -1;

    int interruptAfter = Integer.MAX_VALUE;
    int acknowledgedLostIn = -1;

    /** What is held for longer than the trials of the search are; the same for all by default. */
    double capacityOfSoaks = Double.MAX_VALUE;

    boolean newProcessesLose;

    /** All messages arrive in the end, and those above the capacity wait. */
    boolean isThroughAStore;

    long mostInFlight = Long.MAX_VALUE;

    /**
     * Messages per second of the whole test for one of the setting: sessions, or part of a burst.
     */
    double perSetting = 1;

    /** The publisher sleeps between messages, whatever rate is requested. */
    boolean isAsleep;

    /** Messages above the capacity are not sent, so that all sent messages arrive. */
    boolean sendsWhatItCan;

    /** All messages arrive, those above the capacity late. */
    boolean isLate;

    /** Nothing is timed: sender and receiver have no common clock. */
    boolean isUntimed;

    /**
     * Before each trial in new processes the machine was stalled for as long as messages are late.
     */
    boolean isMachineNoisy;

    @Override
    public Optional<TrialEnd> serve(
            final TestPlan changed, final Purpose purpose, final boolean isInNew) {
        inNewProcesses.add(isInNew);
        if (inNewProcesses.size() > interruptAfter) {
            return Optional.empty();
        }
        final double rate =
                perSetting
                        * Double.parseDouble(
                                changed.roles().getFirst().settings().get("rate").toString());
        final boolean isSoak =
                changed.roles().getFirst().settings().get("duration").toString().equals(SOAK);
        final boolean isTaken = inNewProcesses.size() == takenIn;
        final double capacity =
                Math.min(
                                isSoak ? capacityOfSoaks : Double.MAX_VALUE,
                                isInNew ? ofNewProcesses(rate) : CAPACITY)
                        / (isTaken ? 2 : 1);
        final double asked = rate == 0 ? CAPACITY * 2 : rate;
        final double offered = sendsWhatItCan ? Math.min(asked, capacity) : asked;
        final long waiting = (long) Math.max(0, offered - capacity);
        final long received = (long) offered - (isThroughAStore || isLate ? 0 : waiting);
        final TrialMerge merge = new TrialMerge();
        merge.add(
                "stream-pub-1",
                step(
                        Map.of(
                                Counts.SENT,
                                (long) offered,
                                Counts.WOULD_BLOCK,
                                Math.max(0, waiting - mostInFlight)),
                        isAsleep ? 0 : rate,
                        offered));
        merge.add("stream-sub-1", received(received, isLate && waiting > 0));
        if (inNewProcesses.size() == acknowledgedLostIn || isInNew && newProcessesLose) {
            merge.add("store-1", lost());
        }
        return Optional.of(
                new TrialEnd(
                        merge.rows(
                                facts(
                                        changed,
                                        isThroughAStore ? (long) (waiting * 1e9 / capacity) : 0,
                                        isInNew && isMachineNoisy ? NOISE : null,
                                        labels(waiting > 0, isTaken))),
                        Optional.empty(),
                        true,
                        Optional.empty()));
    }

    /** What did not hold is said to be disturbed here, where somebody looks. */
    @Override
    public List<TrialResult> examined(final List<TrialResult> rows, final Criteria criteria) {
        examinedRows += rows.size();
        return rows.stream()
                .map(row ->
                        isDisturbed && row.verdict() == Verdict.FAIL
                                ? row.withTail(null, List.of(Labels.DISTURBED))
                                : row)
                .toList();
    }

    private List<String> labels(final boolean isAbove, final boolean isTaken) {
        return isTaken || isPerhapsTaken && isAbove ? List.of(Labels.PERHAPS_TAKEN) : List.of();
    }

    private double ofNewProcesses(final double rate) {
        return rate >= newProcessesHoldEverySecondTimeFrom && inNewProcesses.size() % 2 == 0
                ? rate / 2
                : capacityOfNewProcesses;
    }

    private TrialFacts facts(
            final TestPlan changed,
            final long fellBehindNs,
            final NoiseSummary noise,
            final List<String> labels) {
        return new TrialFacts(
                "t",
                "stream",
                "shm:",
                1,
                1,
                2,
                noise,
                null,
                changed.criteria(),
                changed.search() != null,
                inNewProcesses.size() <= voidUntil || voidIn.contains(inNewProcesses.size())
                        ? List.of("A role was lost.")
                        : List.of(),
                labels,
                List.of(
                        new RoleSummary(
                                "stream-sub", 1, Map.of("fellBehindNs", fellBehindNs), List.of())));
    }

    private static StepResult step(
            final Map<String, Long> counts, final double offered, final double achieved) {
        return new StepResult(
                0, "", 64, counts, 1_000_000_000, offered, achieved, Map.of(), List.of());
    }

    private StepResult received(final long count, final boolean isLate) {
        final Histogram response = new Histogram(3);
        response.recordValueWithCount(isLate ? LATE_NS : LATE_NS / 100, Math.max(1, count));
        return new StepResult(
                0,
                "",
                64,
                Map.of(Counts.RECEIVED, count),
                1_000_000_000,
                0,
                0,
                isUntimed ? Map.of() : Map.of(Latencies.RESPONSE_NS, response),
                List.of());
    }

    private static StepResult lost() {
        return new StepResult(
                0,
                "",
                64,
                Map.of(Counts.NOT_FOUND, 3L),
                1_000_000_000,
                0,
                0,
                Map.of(),
                List.of("3 acknowledged messages were not found: 17 to 19."));
    }
}
