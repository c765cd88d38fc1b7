package io.tickmark.lab.plan;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A plan as written in its file, with inclusions not resolved.
 *
 * @param schema name and version of the format
 * @param name of the plan
 * @param description one sentence
 * @param noise duration of each noise floor
 * @param freshProcesses whether each repeat has new processes
 * @param explain whether the kernel is queried for what ran instead of the measuring threads
 * @param matrix lists of values by setting
 * @param include plans whose tests come first
 * @param tests own tests
 */
record PlanFile(
        @PlanKey(help = "Name and version of this format: tickmark.plan/1.", required = true)
                String schema,
        @PlanKey(help = "Name of the plan.", required = true, pattern = PlanPatterns.NAME)
                String name,
        @PlanKey(help = "What the plan is for, one sentence.") String description,
        @PlanKey(
                        help =
                                "How long the noise floor is measured before and after each trial; 1s by default, 0s for none.")
                Duration noise,
        @PlanKey(
                        help =
                                "Whether each repeat has processes of its own; false by default: running ones are reused.")
                Boolean freshProcesses,
        @PlanKey(
                        help =
                                "Whether the kernel is asked what ran on the cores instead of the measuring threads, and which"
                                        + " interrupts occurred; needs root or CAP_PERFMON; false by default.")
                Boolean explain,
        @PlanKey(
                        help =
                                "Lists of values by setting, and of channel: each combination is measured, taking turns, and "
                                        + "compared with the first.")
                Map<String, Object> matrix,
        @PlanKey(help = "Shipped plans, or files beside this one, whose tests come first.")
                List<String> include,
        @PlanKey(help = "Tests in the order to run.") List<TestPlan> tests) {
    PlanFile {
        description = description == null ? "" : description;
        noise = noise == null ? Plan.DEFAULT_NOISE : noise;
        freshProcesses = freshProcesses == null ? Boolean.FALSE : freshProcesses;
        explain = explain == null ? Boolean.FALSE : explain;
        matrix = TestPlan.copy(matrix);
        include = include == null ? List.of() : List.copyOf(include);
        tests = tests == null ? List.of() : List.copyOf(tests);
    }
}
