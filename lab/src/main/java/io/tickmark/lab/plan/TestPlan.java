package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.lab.search.SearchGoal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One test: roles measured together on each of its channels, repeated.
 *
 * @param name of the test, unique in the plan
 * @param workload how it is measured
 * @param channels the test is done on each; empty text for roles that need none
 * @param repeats trials on each channel
 * @param settings passed to each role that knows the key
 * @param roles that take part
 * @param criteria of the verdict
 * @param faults injected into the roles on purpose
 * @param search looks for the highest rate that holds, in place of repeats; null for none
 * @param timeout after which a trial is void; zero for a time derived from what the roles expect
 */
public record TestPlan(
        @PlanKey(
                        help = "Name of the test, unique in the plan.",
                        required = true,
                        pattern = PlanPatterns.NAME)
                String name,
        @PlanKey(
                        help =
                                "How it is measured: the first part of its roles' names, such as latency for latency-pub.",
                        required = true)
                String workload,
        @PlanKey(help = "Channels; the test is run on each.", minItems = 1) List<String> channels,
        @PlanKey(help = "Trials on each channel; 1 by default.", min = 1, max = 10_000)
                Integer repeats,
        @PlanKey(help = "Settings for each role that has the key.") Map<String, Object> settings,
        @PlanKey(help = "Roles that take part.", required = true, minItems = 1)
                List<RolePlan> roles,
        @PlanKey(help = "What a trial must meet to pass.") Criteria criteria,
        @PlanKey(help = "Faults injected on purpose; they do not make a trial void.")
                List<FaultPlan> faults,
        @PlanKey(help = "Search for the highest rate that holds, in place of repeats.")
                SearchGoal search,
        @PlanKey(help = "Time after which a trial is void; by default derived from its settings.")
                Duration timeout) {

    /** Fills in what was not given and copies lists and maps. */
    public TestPlan {
        channels = channels == null ? List.of("") : List.copyOf(channels);
        repeats = repeats == null ? Integer.valueOf(1) : repeats;
        settings = plain(settings);
        roles = List.copyOf(roles);
        criteria = criteria == null ? Criteria.DEFAULT : criteria;
        faults = faults == null ? List.of() : List.copyOf(faults);
        timeout = timeout == null ? Duration.ZERO : timeout;
    }

    /**
     * The same test with these settings in place of its own and its roles'.
     *
     * @param changed by key
     * @return the test
     */
    public TestPlan withSettings(final Map<String, Object> changed) {
        final Map<String, Object> merged = new LinkedHashMap<>(settings);
        merged.putAll(changed);
        return new TestPlan(
                name,
                workload,
                channels,
                repeats,
                merged,
                roles.stream().map(role -> role.replacing(changed)).toList(),
                criteria,
                faults,
                search,
                timeout);
    }

    /**
     * The same test on other channels.
     *
     * @param others in place of its own, at least one
     * @return the test
     */
    public TestPlan onChannels(final List<String> others) {
        return new TestPlan(
                name, workload, others, repeats, settings, roles, criteria, faults, search,
                timeout);
    }

    /**
     * The same test with other repeats.
     *
     * @param times at least 1
     * @return the test
     */
    public TestPlan withRepeats(final int times) {
        return new TestPlan(
                name, workload, channels, times, settings, roles, criteria, faults, search,
                timeout);
    }

    /**
     * The same test with other roles.
     *
     * @param others in place of its own
     * @return the test
     */
    public TestPlan withRoles(final List<RolePlan> others) {
        return new TestPlan(
                name, workload, channels, repeats, settings, others, criteria, faults, search,
                timeout);
    }

    /**
     * The same test held to other criteria.
     *
     * @param other of the verdict
     * @return the test
     */
    public TestPlan withCriteria(final Criteria other) {
        return new TestPlan(
                name, workload, channels, repeats, settings, roles, other, faults, search, timeout);
    }

    /**
     * The same test as a search.
     *
     * @param goal of the search
     * @return the test
     */
    public TestPlan searching(final SearchGoal goal) {
        return new TestPlan(
                name, workload, channels, repeats, settings, roles, criteria, faults, goal,
                timeout);
    }

    /** A copy that keeps the order. */
    static <V> Map<String, V> copy(final Map<String, V> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** Settings as they can be written: objects passed by code are converted to what users type. */
    static Map<String, Object> plain(final Map<String, Object> settings) {
        final Map<String, Object> plain =
                new LinkedHashMap<>(settings == null ? Map.of() : settings);
        plain.replaceAll((key, value) ->
                switch (value) {
                    case final Duration duration -> Durations.format(duration);
                    case final Enum<?> constant -> SettingDescriptor.word(constant);
                    default -> value;
                });
        return Collections.unmodifiableMap(plain);
    }

    /**
     * A test to be composed.
     *
     * @param name of the test
     * @param workload how it is measured
     * @return a builder
     */
    public static Builder builder(final String name, final String workload) {
        return new Builder(name, workload);
    }

    /** Composes a test in code. */
    public static final class Builder {
        private final String name;
        private final String workload;
        private final List<String> channels = new ArrayList<>();
        private final Map<String, Object> settings = new LinkedHashMap<>();
        private final List<RolePlan> roles = new ArrayList<>();
        private final List<FaultPlan> faults = new ArrayList<>();
        private int repeats = 1;
        private Criteria criteria = Criteria.DEFAULT;
        private Duration timeout = Duration.ZERO;

        private Builder(final String name, final String workload) {
            this.name = name;
            this.workload = workload;
        }

        /**
         * Adds a channel.
         *
         * @param channel its URI
         * @return this
         */
        public Builder channel(final String channel) {
            channels.add(channel);
            return this;
        }

        /**
         * Adds a setting for each role that knows the key.
         *
         * @param key of the setting
         * @param value as typed, or a number, boolean or list
         * @return this
         */
        public Builder setting(final String key, final Object value) {
            settings.put(key, value);
            return this;
        }

        /**
         * Adds a role.
         *
         * @param role with its settings
         * @return this
         */
        public Builder role(final RolePlan role) {
            roles.add(role);
            return this;
        }

        /**
         * Adds a fault.
         *
         * @param fault to inject
         * @return this
         */
        public Builder fault(final FaultPlan fault) {
            faults.add(fault);
            return this;
        }

        /**
         * Sets the repeats.
         *
         * @param count at least 1
         * @return this
         */
        public Builder repeats(final int count) {
            repeats = count;
            return this;
        }

        /**
         * Sets the criteria.
         *
         * @param wanted of the verdict
         * @return this
         */
        public Builder criteria(final Criteria wanted) {
            criteria = wanted;
            return this;
        }

        /**
         * Sets the time-out of a trial.
         *
         * @param limit zero for one derived from the settings
         * @return this
         */
        public Builder timeout(final Duration limit) {
            timeout = limit;
            return this;
        }

        /**
         * Composes the test.
         *
         * @return the test
         */
        public TestPlan build() {
            return new TestPlan(
                    name,
                    workload,
                    channels.isEmpty() ? null : channels,
                    repeats,
                    settings,
                    roles,
                    criteria,
                    faults,
                    null,
                    timeout);
        }
    }
}
