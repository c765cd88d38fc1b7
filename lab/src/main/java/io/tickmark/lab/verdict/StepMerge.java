package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * One step of a trial, joined from its roles as they report: counts are {@link Counts#merge
 * merged}, histograms of the same name added, rates and durations come from the roles that send.
 * Keeps one histogram of each name, however many roles there are.
 */
final class StepMerge {
    private final int step;
    private final Set<String> receivers;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, Histogram> latencies = new LinkedHashMap<>();

    /** Those that a role measured which takes part, and does not only watch the others. */
    private final Set<String> ofParticipants = new LinkedHashSet<>();

    private final List<String> reasons = new ArrayList<>();
    private String label = "";
    private int payloadBytes;
    private long durationNs;
    private boolean senderKnown;
    private long notReceivedYetNotLost;
    private double offeredRatePerSecond;
    private double achievedRatePerSecond;

    /**
     * {@code receivers} are the subscribers of the trial, those not heard of yet included later.
     */
    StepMerge(final int step, final Set<String> receivers) {
        this.step = step;
        this.receivers = receivers;
    }

    void add(final StepResult result) {
        ofParticipants.addAll(result.latencies().keySet());
        addObserved(result);
    }

    /** The same of a role that watches the others: its latencies are not the test's. */
    void addObserved(final StepResult result) {
        if (!result.label().isEmpty()) {
            label = result.label();
        }
        payloadBytes = Math.max(payloadBytes, result.payloadBytes());
        result.counts().forEach((name, count) -> Counts.merge(counts, name, count));
        result.latencies()
                .forEach((name, histogram) -> {
                    final Histogram sum = latencies.putIfAbsent(name, histogram);
                    if (sum != null) {
                        sum.add(histogram);
                    }
                });
        notReceivedYetNotLost += otherFates(result.counts());
        final boolean sends = result.counts().containsKey(Counts.SENT);
        if (sends == senderKnown) {
            durationNs = Math.max(durationNs, result.durationNs());
        } else if (sends) {
            // Rate and duration of a row are of the same roles; a receiver's counts where nobody
            // sends.
            senderKnown = true;
            durationNs = result.durationNs();
        }
        if (sends) {
            offeredRatePerSecond += result.offeredRatePerSecond();
            achievedRatePerSecond += result.achievedRatePerSecond();
        }
        // only the first are shown everywhere, and nothing is worse
        reasons.addAll(lacksAcknowledged(result.counts()) ? 0 : reasons.size(), result.reasons());
    }

    /** Whether a store does not have what it acknowledged, or cannot be asked for it. */
    boolean lacksAcknowledged() {
        return lacksAcknowledged(counts);
    }

    private static boolean lacksAcknowledged(final Map<String, Long> counts) {
        return counts.getOrDefault(Counts.NOT_FOUND, 0L) > 0
                || counts.getOrDefault(Counts.NOT_VERIFIED, 0L) > 0;
    }

    /**
     * Each message has one fate: a receiver that tells losses or time-outs apart has counted as
     * neither received nor lost what came corrupted or too late. One that does not (a session that
     * has what was garbled sent again) tells nothing here.
     */
    private static long otherFates(final Map<String, Long> counts) {
        return counts.containsKey(Counts.RECEIVED)
                        && (counts.containsKey(Counts.LOST) || counts.containsKey(Counts.TIMED_OUT))
                ? counts.getOrDefault(Counts.CORRUPTED, 0L)
                        + counts.getOrDefault(Counts.TIMED_OUT, 0L)
                : 0;
    }

    /** Messages that were neither received nor lost: corrupted, or timed out. */
    long notReceivedYetNotLost() {
        return notReceivedYetNotLost;
    }

    int step() {
        return step;
    }

    String label() {
        return label;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    /**
     * Roles that say how much they received; where none is heard of, as many as were counted in.
     */
    int subscribers() {
        return receivers.isEmpty()
                ? Math.max(1, Math.toIntExact(count(Counts.COUNTED_IN)))
                : receivers.size();
    }

    boolean isReceivedKnown() {
        return !receivers.isEmpty();
    }

    /**
     * As the roles say, but no fewer than were fanned out: receivers do not know of what the end of
     * a sender should have told them. Else what was sent of the topics that each subscriber asks
     * for.
     */
    long expected() {
        return counts.containsKey(Counts.EXPECTED)
                ? Math.max(
                        count(Counts.EXPECTED),
                        count(Counts.FANNED_OUT) * count(Counts.FULL_RECEIVERS))
                : count(Counts.SENT) * subscribers() - notAskedFor();
    }

    /** Only of those that count as subscribers: what another does not ask for is no excuse. */
    private long notAskedFor() {
        return receivers.stream()
                .mapToLong(role -> count(Counts.of(role, Counts.NOT_ASKED_FOR)))
                .sum();
    }

    /** Whether anybody knows how many messages there were to receive. */
    boolean isExpectedKnown() {
        return counts.containsKey(Counts.EXPECTED) || counts.containsKey(Counts.SENT);
    }

    /** Whether any role counts messages; one that only passes them on, by hand, does not. */
    boolean isCounting() {
        return isReceivedKnown() || counts.isEmpty() || counts.containsKey(Counts.SENT);
    }

    long count(final String name) {
        return counts.getOrDefault(name, 0L);
    }

    Map<String, Long> counts() {
        return counts;
    }

    /** Those that roles which only watch measured come last. */
    Map<String, Histogram> latencies() {
        final Map<String, Histogram> sorted = new LinkedHashMap<>(latencies);
        sorted.keySet().retainAll(ofParticipants);
        latencies.forEach(sorted::putIfAbsent);
        return sorted;
    }

    /** Whether a role measured it that takes part in the test. */
    boolean isOfParticipants(final String latency) {
        return ofParticipants.contains(latency);
    }

    long durationNs() {
        return durationNs;
    }

    double offeredRatePerSecond() {
        return offeredRatePerSecond;
    }

    double achievedRatePerSecond() {
        return achievedRatePerSecond;
    }

    List<String> reasons() {
        return reasons;
    }
}
