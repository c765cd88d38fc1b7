package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes hubs. */
public final class HubFactory implements RoleFactory<HubSettings> {
    static final HotThread THREAD = new HotThread("hub", false);

    private static final long UNTIL_STOPPED_NS = TimeUnit.DAYS.toNanos(1);

    /** How long it takes is for the consumers to say. */
    private static final long WITH_OTHERS_NS = TimeUnit.SECONDS.toNanos(1);

    /** Found by name. */
    public HubFactory() {}

    @Override
    public String name() {
        return "market-hub";
    }

    @Override
    public String summary() {
        return "Takes market-data providers in, caches last images and serves consumers.";
    }

    @Override
    public Class<HubSettings> settings() {
        return HubSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final HubSettings settings, final int index, final int count) {
        return List.of(THREAD.waiting(settings.idle()));
    }

    @Override
    public long expectedDurationNs(final HubSettings settings) {
        if (settings.runTime().isZero()) {
            return settings.endWithConsumers() ? WITH_OTHERS_NS : UNTIL_STOPPED_NS;
        }
        return settings.runTime().toNanos();
    }

    @Override
    public Role create(final HubSettings settings, final RoleContext context) {
        return new MarketHub(settings, context);
    }
}
