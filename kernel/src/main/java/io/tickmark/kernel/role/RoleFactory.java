package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Creates roles of one kind; found with {@link java.util.ServiceLoader}. Stateless, any thread,
 * cheap to load: no class of an engine is loaded before {@link #create}.
 *
 * @param <S> the role's settings record, every component annotated with {@link
 *     io.tickmark.kernel.settings.Setting}
 */
public interface RoleFactory<S extends Record> {
    /**
     * The role's name in plans and results, for example {@code latency-pub}.
     *
     * @return lower case with dashes, unique among all roles
     */
    String name();

    /**
     * The kind of test that the role takes part in, which a plan names with {@code workload}:
     * tables and comparisons select figures by it.
     *
     * @return the first part of its name by default
     */
    default String workload() {
        return name().replaceFirst("-.*", "");
    }

    /**
     * What the role does.
     *
     * @return one sentence
     */
    String summary();

    /**
     * Settings from which options, plan schema and docs are generated.
     *
     * @return the record's class
     */
    Class<S> settings();

    /**
     * The threads that will be hot with these settings; the controller decides from their sum and
     * the available cores which threads may spin.
     *
     * @param settings as {@link #create} will receive them
     * @param index of the role among those of its name, from 1
     * @param count how many roles of this name there are
     * @return one entry for each hot thread, the engine's own hot threads included
     */
    List<HotThread> hotThreads(S settings, int index, int count);

    /**
     * Threads that the engine of the role's channel keeps busy beside the hot threads, those of
     * servers that the role starts included. They get no core of their own; {@link CoreDemand}
     * counts them.
     *
     * @param settings as {@link #create} will receive them
     * @return 0 where the engine works on the hot threads alone
     */
    default int engineThreads(final S settings) {
        return 0;
    }

    /**
     * Whether a plan can give cores to the role's hot threads. Threads of processes that an engine
     * runs get cores only by parameters of that engine.
     *
     * @return true where they belong to the role
     */
    default boolean isPlaceable() {
        return true;
    }

    /**
     * How long {@link Role#run} will take with these settings, for progress and time-outs.
     *
     * @param settings as {@link #create} will receive them
     * @return a good estimate in ns
     */
    long expectedDurationNs(S settings);

    /**
     * How long the role usually takes to be prepared and closed beyond what every role does, for
     * progress and estimates: an engine starts servers for it. Opens nothing.
     *
     * @param settings as {@link #create} will receive them
     * @return ns, 0 for an ordinary role
     */
    default long usualStartNs(final S settings) {
        return 0;
    }

    /**
     * How much longer than others the role may take to be prepared, and to be connected, because
     * what it waits for is slow: a store that recovers or elects a leader. The controller adds it
     * to {@link RoleContext#connectTimeoutNs()}.
     *
     * @param settings as {@link #create} will receive them
     * @return ns, 0 for an ordinary role
     */
    default long patienceNs(final S settings) {
        return 0;
    }

    /**
     * How long the role may stand still during the measurement, waiting for a lost peer or store to
     * return, before it ends by itself with a reason. The controller allows a trial this much more
     * time before it considers it hung.
     *
     * @param settings as {@link #create} will receive them
     * @return ns, 0 for an ordinary role
     */
    default long standstillNs(final S settings) {
        return 0;
    }

    /**
     * Whether the role watches the others and ends after them: it is stopped ({@link
     * RoleContext#isStopped()}) once all others have reported, when their files are complete.
     *
     * @return true for an observer
     */
    default boolean isObserver() {
        return false;
    }

    /**
     * Steps in which there may be nothing to time, while others of the trial are timed: a criterion
     * on latency does not make them void. Any other step without a latency is void under one.
     *
     * @return labels of steps; none by default
     */
    default Set<String> untimedSteps() {
        return Set.of();
    }

    /**
     * How many processes the role runs that faults of a plan may name.
     *
     * @param settings as {@link #create} will receive them
     * @return 0 for none
     */
    default int members(final S settings) {
        return 0;
    }

    /**
     * Checks for values that the role would silently ignore because of the others; {@link #create}
     * cannot distinguish them from defaults. Called where the user sets them: on the command line
     * and in plans.
     *
     * @param values as given, by key, each valid by itself; keys of other roles may be among them
     * @param later keys that get another value before the role runs: those of a search and of a
     *     matrix
     * @param naming how the user knows a key
     * @throws io.tickmark.kernel.settings.UserError if one of them would have no effect
     */
    default void checkGiven(
            final Map<String, Object> values,
            final Set<String> later,
            final UnaryOperator<String> naming) {}

    /**
     * Settings that follow from which other roles take part, where the user does not set them.
     *
     * @param counts how many roles of each name the test has, including this one
     * @return values by key; none by default
     */
    default Map<String, Object> implied(final Map<String, Integer> counts) {
        return Map.of();
    }

    /**
     * Checks for missing roles without which this one could measure nothing; called when a plan is
     * read, so that no role waits for a peer that cannot connect.
     *
     * @param settings as {@link #create} will receive them
     * @param counts how many roles of each name the test has, including this one
     * @param naming how the user knows a key
     * @throws io.tickmark.kernel.settings.UserError if one is missing
     */
    default void checkCompany(
            final S settings,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {}

    /**
     * Checks for what would keep the role from being prepared on this host, without opening
     * anything; called before any process is started.
     *
     * @param settings as {@link #create} will receive them
     * @throws io.tickmark.kernel.settings.UserError if the settings do not fit the channel, or an
     *     engine is absent
     */
    default void check(final S settings) {}

    /**
     * Checks for what the role would need and this machine lacks: a server that it starts, a file
     * that its channel names. Called like {@link #check}, but only for a role that will run on this
     * machine: on another it may be there.
     *
     * @param settings as {@link #create} will receive them
     * @throws io.tickmark.kernel.settings.UserError if something is missing, or a file is wrong
     */
    default void checkHere(final S settings) {}

    /**
     * Checks for what keeps roles of this name from running in one trial; called like {@link
     * #check}.
     *
     * @param all settings of each of them, as {@link #create} will receive them
     * @throws io.tickmark.kernel.settings.UserError if they contradict each other
     */
    default void checkTogether(final List<S> all) {}

    /**
     * The channel that the settings describe, where they have one: single options may describe it
     * in another way than the setting {@code channel} does.
     *
     * @param settings as {@link #create} will receive them
     * @return the channel as text; empty where there is none
     */
    default String channel(final S settings) {
        return Settings.toMap(settings).getOrDefault("channel", "").toString();
    }

    /**
     * Whether the role and those that it connects with have to be on one host, because their
     * channel works within one host only: shared memory, a folder.
     *
     * @param settings as {@link #create} will receive them
     * @return true if a role on another host cannot reach it
     */
    default boolean staysOnOneHost(final S settings) {
        return false;
    }

    /**
     * Creates a role for one trial. Does not use the engine yet: that is for {@link
     * Role#prepare()}.
     *
     * @param settings checked settings
     * @param context what the host provides to the role
     * @return the role
     * @throws io.tickmark.kernel.settings.UserError if the settings contradict each other or an
     *     engine is absent
     */
    Role create(S settings, RoleContext context);

    /**
     * A factory that declares once the name of its roles, what they do and which settings they
     * take.
     *
     * @param <S> the role's settings record
     */
    abstract class Declared<S extends Record> implements RoleFactory<S> {
        private final String name;
        private final String summary;
        private final Class<S> settings;

        /**
         * What is the same for all roles of the kind.
         *
         * @param name see {@link #name()}
         * @param summary see {@link #summary()}
         * @param settings see {@link #settings()}
         */
        protected Declared(final String name, final String summary, final Class<S> settings) {
            this.name = name;
            this.summary = summary;
            this.settings = settings;
        }

        @Override
        public final String name() {
            return name;
        }

        @Override
        public final String summary() {
            return summary;
        }

        @Override
        public final Class<S> settings() {
            return settings;
        }
    }
}
