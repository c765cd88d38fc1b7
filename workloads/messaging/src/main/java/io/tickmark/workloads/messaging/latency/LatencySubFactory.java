package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.Company;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Makes latency subscribers. */
public final class LatencySubFactory implements RoleFactory<LatencySubSettings> {
    private static final HotThread ECHO = new HotThread("echo", true);
    private static final HotThread RECEIVER = new HotThread("receiver", false);

    /** For the service loader. */
    public LatencySubFactory() {}

    @Override
    public String name() {
        return "latency-sub";
    }

    @Override
    public String summary() {
        return "Receives pings; the one with the highest cookie sends them back.";
    }

    @Override
    public Class<LatencySubSettings> settings() {
        return LatencySubSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final LatencySubSettings settings, final int index, final int count) {
        return List.of(settings.thread().of(thread(echoes(settings, index, count))));
    }

    static boolean echoes(final LatencySubSettings settings, final int index, final int count) {
        return !settings.noEcho() && index == count;
    }

    static HotThread thread(final boolean echoes) {
        return echoes ? ECHO : RECEIVER;
    }

    @Override
    public long expectedDurationNs(final LatencySubSettings settings) {
        return 0;
    }

    @Override
    public void check(final LatencySubSettings settings) {
        Topic.of(List.of(settings.topic()));
        final ChannelUri channel = ChannelUri.parse(settings.own(settings.channel()));
        new Transports().of(channel).traits(channel);
    }

    @Override
    public String channel(final LatencySubSettings settings) {
        return settings.own(settings.channel());
    }

    @Override
    public void checkCompany(
            final LatencySubSettings settings,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {
        Company.needPublisher(name(), "latency-pub", counts);
    }

    @Override
    public boolean staysOnOneHost(final LatencySubSettings settings) {
        return Transports.stayOnOneHost(ChannelUri.parse(channel(settings)));
    }

    @Override
    public Role create(final LatencySubSettings settings, final RoleContext context) {
        return new LatencySubscriber(settings, context);
    }
}
