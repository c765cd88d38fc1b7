package io.tickmark.lab.plan;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.Map;

/**
 * One participant of a trial with checked settings.
 *
 * @param factory that creates it
 * @param settings checked
 * @param values the same settings as the plan gives them, with the channel set
 * @param index among the roles of its name, from 1
 * @param count of roles of its name
 * @param process name of the process it runs in
 * @param plan how that process runs
 * @param hotThreads as the factory declares them
 * @param expectedDurationNs as the factory estimates it
 */
public record RoleInstance(
        RoleFactory<?> factory,
        Record settings,
        Map<String, Object> values,
        int index,
        int count,
        String process,
        RolePlan plan,
        List<HotThread> hotThreads,
        long expectedDurationNs) {
    /**
     * Name of the role.
     *
     * @return as in the plan
     */
    public String role() {
        return factory.name();
    }

    /**
     * Checks for what would keep it from being prepared, before any process is started; the first
     * of its name checks the others too.
     *
     * @param instances all roles of the trial
     * @throws io.tickmark.kernel.settings.UserError if its settings do not fit the channel or those
     *     of the others, or an engine is absent
     */
    public void check(final List<RoleInstance> instances) {
        check(factory, instances);
    }

    private <S extends Record> void check(
            final RoleFactory<S> typed, final List<RoleInstance> instances) {
        typed.check(typed.settings().cast(settings));
        if (index == 1) {
            typed.checkTogether(
                    instances.stream()
                            .filter(other -> other.role().equals(role()))
                            .map(other -> typed.settings().cast(other.settings))
                            .toList());
        }
    }

    /**
     * Checks for what this machine lacks of what it needs, where it will run here.
     *
     * @throws io.tickmark.kernel.settings.UserError if something is missing, or a file is wrong
     */
    public void checkHere() {
        checkHere(factory);
    }

    private <S extends Record> void checkHere(final RoleFactory<S> typed) {
        typed.checkHere(typed.settings().cast(settings));
    }

    /**
     * How long it usually takes to be prepared beyond what every role does.
     *
     * @return as its factory declares, in ns
     */
    public long usualStartNs() {
        return usualStartNs(factory);
    }

    private <S extends Record> long usualStartNs(final RoleFactory<S> typed) {
        return typed.usualStartNs(typed.settings().cast(settings));
    }

    /**
     * How much longer than others it may take to be prepared, and to be connected.
     *
     * @return as its factory declares, in ns
     */
    public long patienceNs() {
        return patienceNs(factory);
    }

    private <S extends Record> long patienceNs(final RoleFactory<S> typed) {
        return typed.patienceNs(typed.settings().cast(settings));
    }

    /**
     * How long it may stand still while it measures.
     *
     * @return as its factory declares, in ns
     */
    public long standstillNs() {
        return standstillNs(factory);
    }

    private <S extends Record> long standstillNs(final RoleFactory<S> typed) {
        return typed.standstillNs(typed.settings().cast(settings));
    }

    /**
     * Whether it and those that it connects with have to be on one host.
     *
     * @return as its factory declares
     */
    public boolean staysOnOneHost() {
        return staysOnOneHost(factory);
    }

    private <S extends Record> boolean staysOnOneHost(final RoleFactory<S> typed) {
        return typed.staysOnOneHost(typed.settings().cast(settings));
    }

    /**
     * How many processes it runs that faults may name.
     *
     * @return as its factory declares
     * @throws io.tickmark.kernel.settings.UserError if its channel cannot be used
     */
    public int members() {
        return members(factory);
    }

    private <S extends Record> int members(final RoleFactory<S> typed) {
        return typed.members(typed.settings().cast(settings));
    }

    /**
     * Threads that the engine of its channel keeps busy beside its hot threads.
     *
     * @return as its factory declares
     */
    public int engineThreads() {
        return engineThreads(factory);
    }

    private <S extends Record> int engineThreads(final RoleFactory<S> typed) {
        return typed.engineThreads(typed.settings().cast(settings));
    }

    /**
     * The channel that it uses.
     *
     * @return as its factory declares; empty where it has none
     */
    public String channel() {
        return channel(factory);
    }

    private <S extends Record> String channel(final RoleFactory<S> typed) {
        return typed.channel(typed.settings().cast(settings));
    }

    /**
     * Names it within its trial.
     *
     * @return role and index
     */
    public String id() {
        return role() + "-" + index;
    }
}
