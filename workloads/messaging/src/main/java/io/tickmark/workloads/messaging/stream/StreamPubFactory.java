package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.Company;
import io.tickmark.workloads.messaging.PaceCheck;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes stream publishers. */
public final class StreamPubFactory implements RoleFactory<StreamPubSettings> {
    static final HotThread THREAD = new HotThread("publisher", true);

    /** As fast as possible, for planning only. */
    private static final double GUESSED_RATE_PER_SECOND = 300_000;

    /** For the service loader. */
    public StreamPubFactory() {}

    @Override
    public String name() {
        return "stream-pub";
    }

    @Override
    public String summary() {
        return "Sends numbered messages to one or several topics from one thread.";
    }

    @Override
    public Class<StreamPubSettings> settings() {
        return StreamPubSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final StreamPubSettings settings, final int index, final int count) {
        return List.of(settings.thread().of(THREAD));
    }

    @Override
    public long expectedDurationNs(final StreamPubSettings settings) {
        final double rate =
                settings.pace().isPaced()
                        ? settings.pace().meanRatePerSecond()
                        : GUESSED_RATE_PER_SECOND;
        final double measuredNs =
                settings.duration().isZero()
                        ? settings.messages() / rate * 1e9
                        : settings.duration().toNanos();
        final double warmUpNs =
                settings.warmUpRatePerSecond() > 0
                        ? settings.warmUpLoops() / settings.warmUpRatePerSecond() * 1e9
                        : 0;
        final double storeWarmUpNs =
                Stores.isStored(ChannelUri.parse(settings.channel()))
                        ? settings.flight().storeWarmUp().toNanos()
                        : 0;
        return (long)
                (measuredNs
                        + storeWarmUpNs
                        + warmUpNs
                        + settings.jvmWarmUp().toNanos()
                        + settings.lingerMs() * 1e6);
    }

    @Override
    public String channel(final StreamPubSettings settings) {
        return settings.channel();
    }

    @Override
    public long patienceNs(final StreamPubSettings settings) {
        return Stores.patienceNs(ChannelUri.parse(settings.channel()));
    }

    /** It waits until the store takes a message, and then for what is not stable yet. */
    @Override
    public long standstillNs(final StreamPubSettings settings) {
        return Stores.isStored(ChannelUri.parse(settings.channel()))
                ? 2 * settings.patience().storeTimeout().toNanos()
                : 0;
    }

    @Override
    public void checkGiven(
            final Map<String, Object> values,
            final Set<String> later,
            final UnaryOperator<String> naming) {
        PaceCheck.check(values, later, naming);
    }

    @Override
    public void check(final StreamPubSettings settings) {
        Topic.of(settings.topics());
        final ChannelUri channel = ChannelUri.parse(settings.channel());
        settings.checkAgainst(new Transports().of(channel).traits(channel), channel);
    }

    /** A store counts nobody in: readers come when they like. */
    @Override
    public void checkCompany(
            final StreamPubSettings settings,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {
        if (!counts.containsKey("store")) {
            Company.needSubscribers(name(), "stream-sub", settings.subscribers(), counts, naming);
        }
    }

    @Override
    public boolean staysOnOneHost(final StreamPubSettings settings) {
        return Stores.stayOnOneHost(ChannelUri.parse(channel(settings)));
    }

    @Override
    public Role create(final StreamPubSettings settings, final RoleContext context) {
        return new StreamPublisher(settings, context);
    }
}
