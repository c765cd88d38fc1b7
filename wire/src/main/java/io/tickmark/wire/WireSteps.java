package io.tickmark.wire;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.wire.match.FixCounts;
import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.StampMatcher;
import io.tickmark.wire.match.WireFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes steps of a result of what a capture holds. */
final class WireSteps {
    private final WireResult result;
    private final boolean isAlone;

    /**
     * {@code isAlone}: there are no roles besides that say what was sent, so the capture says it.
     * What was to be received it does not know, so nobody says that anything came or was lost.
     */
    WireSteps(final WireResult result, final boolean isAlone) {
        this.result = result;
        this.isAlone = isAlone;
    }

    List<StepResult> steps() {
        final List<StepResult> steps = new ArrayList<>();
        result.fix().flatMap(this::fix).ifPresent(steps::add);
        final StampMatcher stamps = result.stamps();
        stamps.steps().forEach((step, recorded) -> steps.add(stamped(stamps, step, recorded)));
        return steps;
    }

    private java.util.Optional<StepResult> fix(final FixMatcher fix) {
        return fix.recorded()
                .map(recorded -> {
                    final FixCounts found = fix.counts();
                    final Map<String, Long> counts = new LinkedHashMap<>();
                    if (isAlone) {
                        counts.put(Counts.SENT, found.in());
                    }
                    counts.put(WireFigures.IN, found.in());
                    counts.put(WireFigures.OUT, found.out());
                    counts.put(WireFigures.IN_UNMATCHED, found.inUnmatched());
                    counts.put(WireFigures.OUT_UNMATCHED, found.outUnmatched());
                    counts.putAll(recorded.counts());
                    return new StepResult(
                            0,
                            "",
                            0,
                            counts,
                            Math.max(found.inDurationNs(), found.outDurationNs()),
                            0,
                            isAlone ? found.inRatePerSecond() : 0,
                            recorded.latencies(),
                            List.of());
                });
    }

    private StepResult stamped(
            final StampMatcher stamps, final int step, final StepRecording recorded) {
        final long messages = stamps.messages(step);
        final long echoes =
                recorded.latencies().containsKey(WireFigures.ROUND_TRIP_NS)
                        ? recorded.latencies().get(WireFigures.ROUND_TRIP_NS).getTotalCount()
                        : 0;
        final Map<String, Long> counts = new LinkedHashMap<>();
        if (isAlone) {
            counts.put(Counts.SENT, messages);
        }
        counts.put(WireFigures.IN, messages);
        counts.put(WireFigures.OUT, echoes);
        counts.putAll(recorded.counts());
        return new StepResult(
                step,
                "",
                stamps.payloadBytes(step),
                counts,
                isAlone ? stamps.durationNs(step) : 0,
                0,
                0,
                recorded.latencies(),
                List.of());
    }
}
