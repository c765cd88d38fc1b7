package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.role.RoleContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One-way times of a role that was started by hand: the other end may be on another machine, whose
 * clock no controller aligns, and says nothing of it. Where not a single one was a time, they were
 * not measured, which is no doubt about what was.
 */
public final class OtherClock {
    /** What a role says where it is so, a sentence. */
    public static final String WARNING =
            "One-way times were not measured: the sender's clock is not this machine's.";

    /** Posts come back to the clock that they are from. */
    private static final Pattern ONE_WAY =
            Pattern.compile("(?!post).*(response|service)Ns(-\\d+)?", Pattern.CASE_INSENSITIVE);

    private OtherClock() {}

    /**
     * Whether the stamps of a step were of another clock.
     *
     * @param context of the role
     * @param recorded in the step
     * @return true by hand only, where stamps were read and no one-way time was recorded
     */
    public static boolean isBehind(final RoleContext context, final StepRecording recorded) {
        return context.trialId() == 0
                && TrialResult.notTimed(recorded.counts()) > 0
                && recorded.latencies().keySet().stream()
                        .noneMatch(name -> ONE_WAY.matcher(name).matches());
    }

    /**
     * What was recorded besides latencies.
     *
     * @param context of the role
     * @param recorded in the step
     * @return counts by name, a new map; without those of latencies that are none, where their
     *     stamps were of another clock
     */
    public static Map<String, Long> counts(
            final RoleContext context, final StepRecording recorded) {
        final Map<String, Long> counts = new LinkedHashMap<>(recorded.counts());
        if (isBehind(context, recorded)) {
            forget(counts, Counts.NOT_POSITIVE);
            forget(counts, Counts.OUT_OF_RANGE);
        }
        return counts;
    }

    /** Of one-way times only: those of posts are real. */
    private static void forget(final Map<String, Long> counts, final String count) {
        final String end = Counts.of("", count);
        final List<String> oneWay =
                counts.keySet().stream()
                        .filter(name -> name.endsWith(end))
                        .filter(name ->
                                ONE_WAY.matcher(name.substring(0, name.length() - end.length()))
                                        .matches())
                        .toList();
        final long others =
                counts.getOrDefault(count, 0L) - oneWay.stream().mapToLong(counts::remove).sum();
        if (others > 0) {
            counts.put(count, others);
        } else {
            counts.remove(count);
        }
    }
}
