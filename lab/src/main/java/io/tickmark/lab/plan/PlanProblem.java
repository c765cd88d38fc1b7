package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.UserError;
import java.util.Comparator;
import java.util.List;

/**
 * An error in a plan.
 *
 * @param line where
 * @param sentence that names file, line and key
 */
record PlanProblem(int line, String sentence) {
    private static final int MOST_SHOWN = 20;

    /** One error for all of them, in the order of the lines. */
    static UserError all(final String name, final List<PlanProblem> problems) {
        if (problems.size() == 1) {
            return UserError.usage(problems.getFirst().sentence());
        }
        final StringBuilder text = new StringBuilder(name);
        text.append(" has ").append(problems.size()).append(" problems:");
        problems.stream()
                .sorted(Comparator.comparingInt(PlanProblem::line))
                .limit(MOST_SHOWN)
                .forEach(problem -> text.append("\n  ").append(problem.sentence()));
        if (problems.size() > MOST_SHOWN) {
            text.append("\n  and ").append(problems.size() - MOST_SHOWN).append(" more.");
        }
        return UserError.usage(text.toString());
    }
}
