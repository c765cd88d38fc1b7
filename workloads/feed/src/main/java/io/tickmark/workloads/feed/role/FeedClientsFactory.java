package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.ChannelSettings;
import java.util.List;

/** Makes groups of headless clients. */
public final class FeedClientsFactory implements RoleFactory<FeedClientsSettings> {
    static final HotThread THREAD = new HotThread("clients", false);

    /** For the service loader. */
    public FeedClientsFactory() {}

    @Override
    public String name() {
        return "feed-clients";
    }

    @Override
    public String summary() {
        return "Many clients without a browser: each with a connection and a session, counted and timed together.";
    }

    @Override
    public Class<FeedClientsSettings> settings() {
        return FeedClientsSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final FeedClientsSettings settings, final int index, final int count) {
        return List.of(THREAD);
    }

    @Override
    public long expectedDurationNs(final FeedClientsSettings settings) {
        return settings.time().wholeNs();
    }

    @Override
    public void check(final FeedClientsSettings settings) {
        new ConflationPolicies().find(settings.session().conflation());
        channelOf(settings);
        settings.serverAddress();
    }

    static ChannelSettings channelOf(final FeedClientsSettings settings) {
        return ChannelList.of(settings.channelFile()).get(settings.feedChannel());
    }

    @Override
    public Role create(final FeedClientsSettings settings, final RoleContext context) {
        return new FeedClientsRole(settings, context);
    }
}
