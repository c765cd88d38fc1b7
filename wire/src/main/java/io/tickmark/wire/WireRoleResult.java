package io.tickmark.wire;

import io.tickmark.kernel.role.RoleResult;
import io.tickmark.wire.file.Ending;
import io.tickmark.wire.match.FixMatcher;
import java.util.Locale;
import java.util.Optional;

/** Makes a role's result of what a capture holds. */
public final class WireRoleResult {
    private WireRoleResult() {}

    /**
     * The result.
     *
     * @param result of a capture
     * @param isAlone whether no other roles say what was sent and received
     * @return steps, metrics, warnings; a failure where the file is broken, or too much of what
     *     came out has no latency
     */
    public static RoleResult of(final WireResult result, final boolean isAlone) {
        return new RoleResult(
                new WireSteps(result, isAlone).steps(),
                WireMetrics.of(result),
                WireWarnings.of(result),
                result.ending()
                        .filter(ending -> ending.kind() == Ending.Kind.BROKEN)
                        .map(ending -> result.file() + ", " + ending.sentence())
                        .or(() -> unmatched(result))
                        .orElse(""));
    }

    private static Optional<String> unmatched(final WireResult result) {
        return result.fix()
                .map(FixMatcher::counts)
                .filter(counts ->
                        100.0 * counts.outUnmatched()
                                > result.settings().maxUnmatchedPercent() * counts.out())
                .map(counts ->
                        String.format(
                                Locale.ROOT,
                                "%s: %d of %d copies (%.1f %%) have no latency, as no message was seen going in of"
                                        + " which they are; that is more than --max-unmatched-percent %s.",
                                result.file(),
                                counts.outUnmatched(),
                                counts.out(),
                                100.0 * counts.outUnmatched() / counts.out(),
                                text(result.settings().maxUnmatchedPercent())));
    }

    private static String text(final double percent) {
        return percent == Math.rint(percent)
                ? Long.toString((long) percent)
                : Double.toString(percent);
    }
}
