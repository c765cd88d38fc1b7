package io.tickmark.kernel.role;

import io.tickmark.kernel.result.StepResult;
import java.util.List;
import java.util.Map;

/**
 * The result of one role in one trial.
 *
 * @param steps one for each step of the trial (each size of a sweep), in order
 * @param metrics further figures of the role by name, units in the names, in the order to show;
 *     values are numbers or text
 * @param warnings sentences to show beside the result
 * @param failure why the role failed, a whole sentence that can stand alone; empty when it did not
 */
public record RoleResult(
        List<StepResult> steps,
        Map<String, Object> metrics,
        List<String> warnings,
        String failure) {
    /** Copies the lists. */
    public RoleResult {
        steps = List.copyOf(steps);
        metrics = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(metrics));
        warnings = List.copyOf(warnings);
    }
}
