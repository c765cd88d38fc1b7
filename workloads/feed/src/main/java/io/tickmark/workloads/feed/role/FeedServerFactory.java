package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.workloads.feed.serve.ChannelList;
import java.util.ArrayList;
import java.util.List;

/** Makes fan-out servers. */
public final class FeedServerFactory implements RoleFactory<FeedServerSettings> {
    static final HotThread FEED = new HotThread("feed", false);
    static final HotThread SESSIONS = new HotThread("sessions", false);

    /** For the service loader. */
    public FeedServerFactory() {}

    @Override
    public String name() {
        return "feed-server";
    }

    @Override
    public String summary() {
        return "Makes a price feed and pushes it to browsers or clients.";
    }

    @Override
    public Class<FeedServerSettings> settings() {
        return FeedServerSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final FeedServerSettings settings, final int index, final int count) {
        final List<HotThread> threads = new ArrayList<>();
        for (int i = 0; i < settings.feed().threads(); i++) {
            threads.add(FEED);
        }
        for (int i = 0; i < settings.sessionThreads(); i++) {
            threads.add(SESSIONS);
        }
        return threads;
    }

    @Override
    public long expectedDurationNs(final FeedServerSettings settings) {
        return settings.time().wholeNs();
    }

    @Override
    public void check(final FeedServerSettings settings) {
        ChannelList.of(settings.channelFile());
    }

    @Override
    public Role create(final FeedServerSettings settings, final RoleContext context) {
        return new FeedServerRole(settings, context);
    }
}
