package io.tickmark.workloads.messaging.jitter;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes jitter loops. */
public final class JitterFactory implements RoleFactory<JitterSettings> {
    static final HotThread THREAD = new HotThread("jitter", true);

    /** A clock read and a recording; a slower machine takes longer, and the lab waits. */
    private static final long PASS_NS = 50;

    /** For the service loader. */
    public JitterFactory() {}

    @Override
    public String name() {
        return "jitter";
    }

    @Override
    public String summary() {
        return "Reads the clock in a loop on one core, and tells how often and for how long it did not run.";
    }

    @Override
    public Class<JitterSettings> settings() {
        return JitterSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final JitterSettings settings, final int index, final int count) {
        return List.of(THREAD.on(settings.core()));
    }

    @Override
    public long expectedDurationNs(final JitterSettings settings) {
        return JitterLoop.WARM_UP_NS
                + (settings.loops() == 0
                        ? settings.duration().toNanos()
                        : Math.min(
                                TimeUnit.DAYS.toNanos(1),
                                settings.loops() * (PASS_NS + settings.spinCount())));
    }

    @Override
    public Role create(final JitterSettings settings, final RoleContext context) {
        return new JitterLoop(settings, context);
    }
}
