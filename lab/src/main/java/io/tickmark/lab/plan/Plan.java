package io.tickmark.lab.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A plan as resolved: what is run, test by test. Composed in code, or read by {@link PlanLibrary}.
 *
 * @param name of the plan, part of the result folder's name
 * @param description one sentence
 * @param noise how long the noise floor is measured before and after each trial; zero for none
 * @param freshProcesses whether each repeat has new processes
 * @param explain whether the kernel is queried for what ran instead of the measuring threads
 * @param matrix values of settings by key, and of {@code channel}: each combination of them is
 *     measured, taking turns, and compared with the first; empty for none
 * @param tests in the order to run
 */
public record Plan(
        String name,
        String description,
        Duration noise,
        boolean freshProcesses,
        boolean explain,
        Map<String, List<String>> matrix,
        List<TestPlan> tests) {
    /** Value of the key {@code schema}. */
    public static final String SCHEMA = "tickmark.plan/1";

    /** How long the noise floor is measured where a plan does not say. */
    public static final Duration DEFAULT_NOISE = Duration.ofSeconds(1);

    /** Most tests of one plan, including those of included plans. */
    public static final int MAX_TESTS = 1000;

    /** Copies lists and map. */
    public Plan {
        matrix = TestPlan.copy(matrix);
        tests = List.copyOf(tests);
    }

    /**
     * A plan to be composed.
     *
     * @param name of the plan
     * @return a plan without tests
     */
    public static Plan named(final String name) {
        return new Plan(name, "", DEFAULT_NOISE, false, false, Map.of(), List.of());
    }

    /**
     * The same plan with another sentence.
     *
     * @param sentence what it is for
     * @return the plan
     */
    public Plan describedAs(final String sentence) {
        return new Plan(name, sentence, noise, freshProcesses, explain, matrix, tests);
    }

    /**
     * The same plan with another noise floor.
     *
     * @param duration of each measurement, zero for none
     * @return the plan
     */
    public Plan withNoise(final Duration duration) {
        return new Plan(name, description, duration, freshProcesses, explain, matrix, tests);
    }

    /**
     * The same plan with new processes for each repeat, so that what differs from start to start
     * (where memory lies, what the compiler does) shows in how the repeats differ.
     *
     * @return the plan
     */
    public Plan withFreshProcesses() {
        return new Plan(name, description, noise, true, explain, matrix, tests);
    }

    /**
     * The same plan, with the kernel queried for what ran on the cores instead of the measuring
     * threads.
     *
     * @return the plan
     */
    public Plan explained() {
        return new Plan(name, description, noise, freshProcesses, true, matrix, tests);
    }

    /**
     * The same plan under another name.
     *
     * @param other name of the plan
     * @return the plan
     */
    public Plan renamed(final String other) {
        return new Plan(other, description, noise, freshProcesses, explain, matrix, tests);
    }

    /**
     * The same plan with other tests.
     *
     * @param others in place of its own
     * @return the plan
     */
    public Plan withTests(final List<TestPlan> others) {
        return new Plan(name, description, noise, freshProcesses, explain, matrix, others);
    }

    /**
     * The same plan with another matrix.
     *
     * @param other values by key; empty for none
     * @return the plan
     */
    public Plan withMatrix(final Map<String, List<String>> other) {
        return new Plan(name, description, noise, freshProcesses, explain, other, tests);
    }

    /**
     * The same plan with one more test.
     *
     * @param test to append
     * @return the plan
     */
    public Plan with(final TestPlan test) {
        final List<TestPlan> more = new ArrayList<>(tests);
        more.add(test);
        return withTests(more);
    }
}
