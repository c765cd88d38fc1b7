package io.tickmark.report.words;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Whether all that was sent came, once and in order, in a sentence. */
final class Integrity {
    private static final int CHANNELS_NAMED = 6;

    private final long voids;
    private final List<TrialResult> measured;

    Integrity(final RunResult run) {
        measured = run.trials().stream().filter(Sides::isLossKnown).toList();
        voids = run.trials().stream().filter(trial -> trial.verdict() == Verdict.VOID).count();
    }

    /** Nothing where no receiver has said anything. */
    Optional<String> sentence() {
        final List<String> troubles = new ArrayList<>();
        trouble(troubles, "lost" + onPurpose(), TrialResult::lost);
        trouble(troubles, "duplicated", TrialResult::duplicated);
        trouble(troubles, "out of order", TrialResult::reordered);
        final long expected = measured.stream().mapToLong(TrialResult::expected).sum();
        if (expected == 0) {
            return Optional.empty();
        }
        final String unknown =
                voids == 0
                        ? ""
                        : " What " + Figures.plural(voids, "void row") + " lost is not known.";
        final String said =
                troubles.isEmpty()
                        ? "Nothing was lost, duplicated or reordered in "
                                + Figures.plural(expected, "message")
                                + "."
                        : "Of "
                                + Figures.plural(expected, "expected message")
                                + ", "
                                + String.join(", ", troubles)
                                + ".";
        return Optional.of(said + unknown);
    }

    private String onPurpose() {
        final long all = measured.stream().mapToLong(TrialResult::lostOnPurpose).sum();
        return all == 0 ? "" : ", " + Figures.count(all) + " on purpose";
    }

    private void trouble(
            final List<String> troubles,
            final String word,
            final ToLongFunction<TrialResult> count) {
        final long all = measured.stream().mapToLong(count).sum();
        if (all > 0) {
            final String where =
                    measured.stream()
                            .filter(trial -> count.applyAsLong(trial) > 0)
                            .map(trial ->
                                    trial.channel().isEmpty() ? trial.test() : trial.channel())
                            .map(Printable::of)
                            .distinct()
                            .limit(CHANNELS_NAMED)
                            .collect(Collectors.joining(", "));
            troubles.add(Figures.count(all) + " were " + word + " (" + where + ")");
        }
    }
}
