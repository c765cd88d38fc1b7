package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Opens publications, subscriptions and exchanges. Replies go by a topic of their own, which all
 * connecting sides share: their messages say whose they are.
 */
final class DdsEnds {
    static final String REPLY_SUFFIX = "_reply";

    private static final BooleanSupplier ALWAYS = () -> true;

    private DdsEnds() {}

    static DdsPublication publication(final ChannelUri uri, final Topic topic) {
        final DdsChannel channel = DdsChannel.binding(uri);
        return new DdsPublication(channel, writer(channel, topic.name()), ALWAYS);
    }

    static DdsSubscription subscription(final ChannelUri uri, final Topic topic) {
        final DdsChannel channel = DdsChannel.binding(uri);
        return new DdsSubscription(channel, Domains.lease(channel), topic.name());
    }

    static Exchange exchange(
            final ChannelUri uri, final Topic topic, final ExchangeSide side, final int cookie) {
        final boolean binds = side == ExchangeSide.BIND;
        final DdsChannel channel = binds ? DdsChannel.binding(uri) : DdsChannel.of(uri);
        if (channel.carrier() == Carrier.SHARED_MEMORY) {
            final Optional<String> reason = Roudi.absence();
            if (reason.isPresent()) {
                return Fallback.open(channel, topic, side, cookie, reason.get());
            }
        }
        final String forward = topic.name();
        final String reply = forward + REPLY_SUFFIX;
        final DdsSubscription hears =
                new DdsSubscription(channel, Domains.lease(channel), binds ? reply : forward);
        try {
            // What is said before the other side is heard could not be answered.
            final DdsPublication sends =
                    new DdsPublication(
                            channel,
                            writer(channel, binds ? forward : reply),
                            binds ? ALWAYS : hears::isConnected);
            hears.keeps(sends.keepsFor(hears::isTakenByLibrary));
            return new DdsExchange(channel.uri(), sends, hears);
        } catch (final RuntimeException e) {
            hears.close();
            throw e;
        }
    }

    private static Writer writer(final DdsChannel channel, final String topic) {
        return new Writer(channel, Domains.lease(channel), topic);
    }
}
