package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Makes roles of one kind; found by {@link java.util.ServiceLoader}. Stateless, any thread, cheap
 * to load: nothing of an engine is touched before {@link #create}.
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
     * The kind of test that the role plays in, as the plan calls it with {@code workload}: tables
     * and comparisons read figures by it.
     *
     * @return what its name begins with, unless it says otherwise
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
     * Settings from which options, plan schema and docs are made.
     *
     * @return the record's class
     */
    Class<S> settings();

    /**
     * The threads that will be hot with these settings; the controller decides from their sum and
     * the cores at hand who may spin.
     *
     * @param settings as {@link #create} will get them
     * @param index of the role among those of its name, from 1
     * @param count how many roles of this name there are
     * @return one entry for each hot thread, the engine's own hot threads included
     */
    List<HotThread> hotThreads(S settings, int index, int count);

    /**
     * Whether a plan can give cores to the role's hot threads. Those of processes that an engine
     * runs have none but by parameters of that engine.
     *
     * @return true where they are the role's own
     */
    default boolean isPlaceable() {
        return true;
    }

    /**
     * How long {@link Role#run} will take with these settings, for progress and time-outs.
     *
     * @param settings as {@link #create} will get them
     * @return a good guess in ns
     */
    long expectedDurationNs(S settings);

    /**
     * How much longer than others the role may take to be prepared, and to be connected, because
     * what it waits for is slow by itself: a store that recovers or elects a leader. The controller
     * adds it to {@link RoleContext#connectTimeoutNs()}.
     *
     * @param settings as {@link #create} will get them
     * @return ns, 0 for a role as all others
     */
    default long patienceNs(final S settings) {
        return 0;
    }

    /**
     * How long the role may stand still while it measures before it ends by itself with a reason,
     * because it waits for what it has lost to come back. The controller allows a trial so much
     * more before it calls it hung.
     *
     * @param settings as {@link #create} will get them
     * @return ns, 0 for a role as all others
     */
    default long standstillNs(final S settings) {
        return 0;
    }

    /**
     * Whether the role watches the others and ends when they have: it is asked to stop ({@link
     * RoleContext#isStopped()}) once all others have reported, and their files are whole then.
     *
     * @return true for an observer
     */
    default boolean isObserver() {
        return false;
    }

    /**
     * How many processes of its own the role runs, that faults of a plan may name.
     *
     * @param settings as {@link #create} will get them
     * @return 0 for none
     */
    default int members(final S settings) {
        return 0;
    }

    /**
     * Looks for values that the role would pass over in silence because of the others; {@link
     * #create} cannot tell them from defaults. Asked where the user gives them: on the command line
     * and in plans.
     *
     * @param values as given, by key, each right by itself; keys of other roles may be among them
     * @param later keys that get another value before the role is played: those of a search and of
     *     a matrix
     * @param naming how the user knows a key
     * @throws io.tickmark.kernel.settings.UserError if one of them would do nothing
     */
    default void checkGiven(
            final Map<String, Object> values,
            final Set<String> later,
            final UnaryOperator<String> naming) {}

    /**
     * Looks for roles without which this one could measure nothing; asked when a plan is read, so
     * that nobody waits for one who cannot come.
     *
     * @param settings as {@link #create} will get them
     * @param counts how many roles of each name the test has, this one counted in
     * @param naming how the user knows a key
     * @throws io.tickmark.kernel.settings.UserError if one is missing
     */
    default void checkCompany(
            final S settings,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {}

    /**
     * Looks for what would keep the role from being prepared on this host, without opening
     * anything; asked before any process is started.
     *
     * @param settings as {@link #create} will get them
     * @throws io.tickmark.kernel.settings.UserError if the settings do not fit the channel, or an
     *     engine is absent
     */
    default void check(final S settings) {}

    /**
     * Looks for what keeps roles of this name from playing in one trial; asked as {@link #check}
     * is.
     *
     * @param all settings of each of them, as {@link #create} will get them
     * @throws io.tickmark.kernel.settings.UserError if they do not go together
     */
    default void checkTogether(final List<S> all) {}

    /**
     * The channel that the settings mean, where they have one: single options may say it in another
     * way than the setting {@code channel} does.
     *
     * @param settings as {@link #create} will get them
     * @return the channel as text; empty where there is none
     */
    default String channel(final S settings) {
        return Settings.toMap(settings).getOrDefault("channel", "").toString();
    }

    /**
     * Whether the role and those that it connects with have to be on one host, because their
     * channel works within one host only: shared memory, a folder.
     *
     * @param settings as {@link #create} will get them
     * @return true if a role on another host cannot reach it
     */
    default boolean staysOnOneHost(final S settings) {
        return false;
    }

    /**
     * Makes a role for one trial. Does not touch the engine yet: that is for {@link
     * Role#prepare()}.
     *
     * @param settings checked settings
     * @param context what the host gives the role
     * @return the role
     * @throws io.tickmark.kernel.settings.UserError if the settings contradict each other or an
     *     engine is absent
     */
    Role create(S settings, RoleContext context);

    /**
     * A factory that says once what its roles are called, what they do and which settings they
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
