package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.transport.store.Deletion;
import io.tickmark.workloads.messaging.Company;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

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
        return settings.channel();
    }

    @Override
    public long patienceNs(final StreamSubSettings settings) {
        return Stores.patienceNs(ChannelUri.parse(settings.channel()));
    }

    @Override
    public void check(final StreamSubSettings settings) {
        Topic.of(settings.topics());
        final ChannelUri channel = ChannelUri.parse(settings.channel());
        new Transports().of(channel).traits(channel);
    }

    /** Of what one has acknowledged a store that deletes it has nothing left for another. */
    @Override
    public void checkTogether(final List<StreamSubSettings> all) {
        final Set<String> read = new HashSet<>();
        for (final StreamSubSettings settings : all) {
            final ChannelUri channel = ChannelUri.parse(settings.channel());
            if (Stores.isStored(channel)
                    && Stores.of(channel).guarantees(channel).deletion() == Deletion.ACKNOWLEDGED) {
                settings.topics().stream()
                        .filter(topic -> !read.add(channel + " " + topic))
                        .findFirst()
                        .ifPresent(topic -> {
                            throw severalReaders(channel, topic);
                        });
            }
        }
    }

    private static UserError severalReaders(final ChannelUri channel, final String topic) {
        return UserError.usage(
                ("--channel %s: with deletion=acknowledged a topic has one subscriber, and topic '%s' would have several;"
                                + " leave one, give each topics of its own, or use deletion=kept.")
                        .formatted(channel, topic));
    }

    /** What is in a store already can be read without anybody who writes. */
    @Override
    public void checkCompany(
            final StreamSubSettings settings,
            final Map<String, Integer> counts,
            final UnaryOperator<String> naming) {
        if (!counts.containsKey("store")) {
            Company.needPublisher(name(), "stream-pub", counts);
        }
    }

    @Override
    public boolean staysOnOneHost(final StreamSubSettings settings) {
        return Stores.stayOnOneHost(ChannelUri.parse(channel(settings)));
    }

    @Override
    public Role create(final StreamSubSettings settings, final RoleContext context) {
        return new StreamSubscriber(settings, context);
    }
}
