package io.tickmark.wire;

import io.tickmark.kernel.role.RoleResult;
import io.tickmark.wire.file.Ending;

/** Makes a role's result of what a capture holds. */
public final class WireRoleResult {
    private WireRoleResult() {}

    /**
     * The result.
     *
     * @param result of a capture
     * @param isAlone whether no other roles say what was sent and received
     * @return steps, metrics, warnings; a failure where the file is broken
     */
    public static RoleResult of(final WireResult result, final boolean isAlone) {
        return new RoleResult(
                new WireSteps(result, isAlone).steps(),
                WireMetrics.of(result),
                WireWarnings.of(result),
                result.ending()
                        .filter(ending -> ending.kind() == Ending.Kind.BROKEN)
                        .map(ending -> result.file() + ", " + ending.sentence())
                        .orElse(""));
    }
}
