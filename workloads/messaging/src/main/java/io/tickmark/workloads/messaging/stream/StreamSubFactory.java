package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.List;

/** Makes stream subscribers. */
public final class StreamSubFactory implements RoleFactory<StreamSubSettings> {
    static final HotThread THREAD = new HotThread("subscriber", false);

    /** For the service loader. */
    public StreamSubFactory() {}

    @Override
    public String name() {
        return "stream-sub";
    }

    @Override
    public String summary() {
        return "Receives streams, counts what is missing, and times what comes.";
    }

    @Override
    public Class<StreamSubSettings> settings() {
        return StreamSubSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final StreamSubSettings settings, final int index, final int count) {
        return List.of(settings.thread().of(THREAD));
    }

    @Override
    public long expectedDurationNs(final StreamSubSettings settings) {
        return 0;
    }

    @Override
    public String channel(final StreamSubSettings settings) {
        return settings.meantChannel();
    }

    @Override
    public long patienceNs(final StreamSubSettings settings) {
        return Stores.patienceNs(ChannelUri.parse(settings.meantChannel()));
    }

    @Override
    public void check(final StreamSubSettings settings) {
        settings.um().requireEngine();
        Topic.of(settings.topics());
        final ChannelUri channel = ChannelUri.parse(settings.meantChannel());
        new Transports().of(channel).traits(channel);
    }

    @Override
    public Role create(final StreamSubSettings settings, final RoleContext context) {
        settings.um().requireEngine();
        return new StreamSubscriber(settings, context);
    }
}
