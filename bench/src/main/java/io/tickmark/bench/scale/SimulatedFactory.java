package io.tickmark.bench.scale;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.Setting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A role that is only spoken for, by {@link SimulatedRoles}. */
final class SimulatedFactory implements RoleFactory<SimulatedFactory.Settings> {
    static final String NAME = "simulated-sub";

    /**
     * What the simulation needs to know.
     *
     * @param duration for which lines are told
     */
    record Settings(
            @Setting(help = "Time for which lines are told.", byDefault = "10s")
                    Duration duration) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "Says what a subscriber would, and measures nothing.";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public List<HotThread> hotThreads(final Settings settings, final int index, final int count) {
        return List.of();
    }

    @Override
    public long expectedDurationNs(final Settings settings) {
        return settings.duration().toNanos() + TimeUnit.SECONDS.toNanos(1);
    }

    @Override
    public Role create(final Settings settings, final RoleContext context) {
        throw new IllegalStateException("it is only spoken for");
    }
}
