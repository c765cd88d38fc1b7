package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Transports;
import java.util.List;

/** Makes publishers of a feed. */
public final class FeedPublisherFactory implements RoleFactory<FeedPublisherSettings> {
    static final HotThread THREAD = new HotThread("publisher", true);

    /** For the service loader. */
    public FeedPublisherFactory() {}

    @Override
    public String name() {
        return "feed-publisher";
    }

    @Override
    public String summary() {
        return "Makes a price feed and sends it on a channel of an engine.";
    }

    @Override
    public Class<FeedPublisherSettings> settings() {
        return FeedPublisherSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final FeedPublisherSettings settings, final int index, final int count) {
        return List.of(THREAD);
    }

    @Override
    public long expectedDurationNs(final FeedPublisherSettings settings) {
        return settings.time().wholeNs();
    }

    @Override
    public void check(final FeedPublisherSettings settings) {
        final ChannelUri channel = ChannelUri.parse(settings.channel());
        final TransportTraits traits = new Transports().of(channel).traits(channel);
        final int length = Stamp.FULL_LENGTH + settings.feed().messageBytes();
        if (length > traits.maxPayloadBytes()) {
            throw UserError.usage(
                    "--message-bytes %d: makes messages of %d bytes with their stamp, and %s takes %d at most."
                            .formatted(
                                    settings.feed().messageBytes(),
                                    length,
                                    channel,
                                    traits.maxPayloadBytes()));
        }
    }

    @Override
    public boolean staysOnOneHost(final FeedPublisherSettings settings) {
        return Transports.stayOnOneHost(ChannelUri.parse(settings.channel()));
    }

    @Override
    public Role create(final FeedPublisherSettings settings, final RoleContext context) {
        return new FeedPublisherRole(settings, context);
    }
}
