package io.tickmark.lab.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan as resolved: what is run, test by test. Composed in code, or read by {@link PlanLibrary}.
 *
 * @param name of the plan, part of the result folder's name
 * @param description one sentence
 * @param noise how long the noise floor is measured before and after each trial; zero for none
 * @param tests in the order to run
 */
public record Plan(String name, String description, Duration noise, List<TestPlan> tests) {
    /** Value of the key {@code schema}. */
    public static final String SCHEMA = "tickmark.plan/1";

    /** How long the noise floor is measured where a plan does not say. */
    public static final Duration DEFAULT_NOISE = Duration.ofSeconds(1);

    /** Most tests of one plan, those it includes counted in. */
    public static final int MAX_TESTS = 1000;

    /** Copies the list. */
    public Plan {
        tests = List.copyOf(tests);
    }

    /**
     * A plan to be composed.
     *
     * @param name of the plan
     * @return a plan without tests
     */
    public static Plan named(final String name) {
        return new Plan(name, "", DEFAULT_NOISE, List.of());
    }

    /**
     * The same plan with another sentence.
     *
     * @param sentence what it is for
     * @return the plan
     */
    public Plan describedAs(final String sentence) {
        return new Plan(name, sentence, noise, tests);
    }

    /**
     * The same plan with another noise floor.
     *
     * @param duration of each measurement, zero for none
     * @return the plan
     */
    public Plan withNoise(final Duration duration) {
        return new Plan(name, description, duration, tests);
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
        return new Plan(name, description, noise, more);
    }
}
