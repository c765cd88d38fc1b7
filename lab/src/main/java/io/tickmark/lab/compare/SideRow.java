package io.tickmark.lab.compare;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.stats.Summaries;
import io.tickmark.lab.verdict.Headline;
import io.tickmark.lab.verdict.HostClockRule;
import io.tickmark.lab.verdict.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One step of one test on one channel of a run.
 *
 * @param key its identity
 * @param step its name for people: label, or message size and rate
 * @param repeats that are not void
 * @param voids the others
 */
record SideRow(Key key, String step, List<TrialResult> repeats, List<TrialResult> voids) {
    /** Rows with the same key are repeats of each other. */
    record Key(String test, String channel, int step, String label) {
        Key withChannel(final String other) {
            return new Key(test, other, step, label);
        }

        Key withoutStep() {
            return new Key(test, channel, 0, "");
        }
    }

    /** The rows of a run in its order. */
    static List<SideRow> of(final Side side) {
        final Map<Key, SideRow> rows = new LinkedHashMap<>();
        for (final TrialResult trial : side.result().trials()) {
            final SideRow row =
                    rows.computeIfAbsent(
                            new Key(trial.test(), trial.channel(), trial.step(), trial.label()),
                            key ->
                                    new SideRow(
                                            key,
                                            step(trial),
                                            new ArrayList<>(),
                                            new ArrayList<>()));
            (trial.verdict() == Verdict.VOID ? row.voids : row.repeats).add(trial);
        }
        return List.copyOf(rows.values());
    }

    /** Whether it has no result at all. */
    boolean isVoid() {
        return repeats.isEmpty();
    }

    /** Why repeats are void, sentences. */
    List<String> reasons() {
        return voids.stream().flatMap(trial -> trial.reasons().stream()).toList();
    }

    TrialResult any() {
        return repeats.getFirst();
    }

    /** Error bound of its one-way times due to the hosts' clocks, ns; 0 where there are none. */
    long clockBoundNs() {
        return repeats.stream()
                .filter(trial -> trial.latencies().keySet().stream().anyMatch(this::isOneWay))
                .mapToLong(TrialResult::clockBoundNs)
                .max()
                .orElse(0);
    }

    /**
     * Whether a latency is from one clock to another. Undisturbed figures are of the messages of
     * the headline latency.
     */
    boolean isOneWay(final String latency) {
        return (latency.equals(Samples.UNDISTURBED)
                        ? Headline.nameOf(any().latencies().keySet())
                        : Optional.of(latency))
                .filter(name -> HostClockRule.isOneWay(any().workload(), name))
                .isPresent();
    }

    /** As shown to the user: test, channel and step. */
    String place() {
        return key.test() + (key.channel().isEmpty() ? "" : " on " + key.channel()) + ", " + step;
    }

    private static String step(final TrialResult trial) {
        if (!trial.label().isEmpty()) {
            return trial.label();
        }
        if (trial.payloadBytes() <= 0) {
            return "step " + trial.step();
        }
        final double rate = trial.offeredRatePerSecond();
        return String.format(
                Locale.ROOT,
                "%s%s",
                Plural.of(trial.payloadBytes(), "byte"),
                rate > 0 ? String.format(Locale.ROOT, " at %,.0f/s", rate) : "");
    }

    /** Part of the time that gaps took on the worst core; median over repeats, 0 where unknown. */
    double stolenPart() {
        return noise(core -> core.stolenPart());
    }

    /** In how many repeats the machine had more than a tenth of the tail. */
    long disturbed() {
        return labelled(Labels.DISTURBED);
    }

    /** In how many repeats another task perhaps had a core for longer than is accepted. */
    long perhapsTaken() {
        return labelled(Labels.PERHAPS_TAKEN);
    }

    private long labelled(final String label) {
        return repeats.stream().filter(trial -> trial.labels().contains(label)).count();
    }

    /** Why it has no undisturbed figures in each repeat, a clause; empty where it has them. */
    Optional<String> notUndisturbed() {
        return repeats.stream()
                .map(trial ->
                        trial.tail() == null
                                ? "no role recorded what delayed its messages"
                                : trial.tail().undisturbed().refused())
                .filter(reason -> !reason.isEmpty())
                .findFirst();
    }

    /** Part of the messages that undisturbed figures leave out; mean over repeats. */
    double leftOutPart() {
        return repeats.stream()
                .map(TrialResult::tail)
                .filter(Objects::nonNull)
                .mapToDouble(tail -> tail.undisturbed().leftOutPart())
                .average()
                .orElse(0);
    }

    /** Longest gap in ns; median over repeats, 0 where unknown. */
    double longestGapNs() {
        return noise(core -> core.maxNs());
    }

    private double noise(final ToDoubleFunction<NoiseSummary.CoreNoise> figure) {
        final double[] worst =
                repeats.stream()
                        .mapToDouble(trial ->
                                Stream.of(trial.noiseBefore(), trial.noiseAfter())
                                        .filter(Objects::nonNull)
                                        .flatMap(noise -> noise.cores().stream())
                                        .mapToDouble(figure)
                                        .max()
                                        .orElse(0))
                        .toArray();
        return Summaries.median(worst);
    }
}
