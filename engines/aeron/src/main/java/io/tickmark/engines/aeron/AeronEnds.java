package io.tickmark.engines.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;

/**
 * Opens publications, subscriptions and exchanges. Forward and reply direction of a topic are
 * streams of their own.
 */
final class AeronEnds {
    private static final BooleanSupplier ALWAYS = () -> true;
    private static final int FIRST_STREAM = 1000;
    private static final int MOST_ATTEMPTS = 5;

    private AeronEnds() {}

    /** Stream of the forward direction; replies are on the next one. */
    private static int stream(final Topic topic) {
        return FIRST_STREAM + 2 * topic.id();
    }

    static AeronPublication publication(final ChannelUri uri, final Topic topic) {
        return binding(
                AeronChannel.of(uri),
                FreePorts::ofPublication,
                channel -> {
                    final Route route = Route.ofPublication(channel);
                    return opening(
                            Drivers.OF_PROCESS.lease(channel, true),
                            opening -> {
                                final ExclusivePublication sends =
                                        opening.publication(channel, route, stream(topic));
                                return new AeronPublication(
                                        channel,
                                        opening.resolved(channel),
                                        opening.lease(),
                                        sends,
                                        ALWAYS);
                            });
                });
    }

    static AeronSubscription subscription(final ChannelUri uri, final Topic topic) {
        return binding(
                AeronChannel.of(uri),
                FreePorts::ofSubscription,
                channel -> {
                    final Route route = Route.ofSubscription(channel);
                    return opening(
                            Drivers.OF_PROCESS.lease(channel, false),
                            opening -> {
                                final Subscription hears =
                                        opening.subscription(channel, route, stream(topic));
                                return new AeronSubscription(
                                        channel.kind() == ChannelKind.IPC,
                                        opening.resolved(channel),
                                        opening.lease(),
                                        hears,
                                        ALWAYS);
                            });
                });
    }

    static Exchange exchange(
            final ChannelUri uri, final Topic topic, final ExchangeSide side, final int cookie) {
        final boolean binds = side == ExchangeSide.BIND;
        return binding(
                AeronChannel.of(uri),
                binds ? FreePorts::ofBind : FreePorts::ofConnect,
                channel -> {
                    final Route route = Route.of(channel, side, cookie);
                    return opening(
                            Drivers.OF_PROCESS.lease(channel, binds),
                            opening -> exchange(opening, channel, route, topic, binds));
                });
    }

    private static Exchange exchange(
            final Opening opening,
            final AeronChannel channel,
            final Route route,
            final Topic topic,
            final boolean binds) {
        final int forward = stream(topic);
        final int back = forward + 1;
        final ExclusivePublication sends =
                opening.publication(channel, route, binds ? forward : back);
        final Subscription hears = opening.subscription(channel, route, binds ? back : forward);
        final ChannelUri resolved = opening.resolved(channel);
        return new AeronExchange(
                resolved,
                new AeronPublication(
                        channel,
                        resolved,
                        opening.lease(),
                        sends,
                        binds ? ALWAYS : hears::isConnected),
                new AeronSubscription(
                        channel.kind() == ChannelKind.IPC,
                        resolved,
                        opening.lease().share(),
                        hears,
                        binds ? () -> sends.availableWindow() > 0 : ALWAYS));
    }

    /** Opens with ports chosen; with others where somebody was faster to take one of them. */
    private static <T> T binding(
            final AeronChannel asked,
            final UnaryOperator<AeronChannel> choice,
            final Function<AeronChannel, T> open) {
        for (int attempt = 1; ; attempt++) {
            final AeronChannel chosen = choice.apply(asked);
            try {
                return open.apply(chosen);
            } catch (final UserError e) {
                if (chosen.equals(asked) || attempt == MOST_ATTEMPTS || !Refusal.isPortInUse(e)) {
                    throw e;
                }
            }
        }
    }

    private static <T> T opening(final DriverLease lease, final Function<Opening, T> open) {
        final Opening opening = new Opening(lease);
        try {
            return open.apply(opening);
        } catch (final RuntimeException e) {
            opening.undoAll();
            throw e;
        }
    }

    /** What has been opened so far, to be undone when the rest fails. */
    private record Opening(DriverLease lease, Deque<AutoCloseable> undo) {
        Opening(final DriverLease lease) {
            this(lease, new ArrayDeque<>());
            undo.push(lease::release);
        }

        DriverSession session() {
            return lease.session();
        }

        ExclusivePublication publication(
                final AeronChannel channel, final Route route, final int stream) {
            final ExclusivePublication added = session().addPublication(channel, route, stream);
            undo.push(() -> session().close(added));
            return added;
        }

        Subscription subscription(final AeronChannel channel, final Route route, final int stream) {
            final Subscription added = session().addSubscription(channel, route, stream);
            undo.push(() -> session().close(added));
            return added;
        }

        ChannelUri resolved(final AeronChannel channel) {
            return channel.kind() == ChannelKind.IPC
                    ? channel.onDriver(session().directory())
                    : channel.uri();
        }

        void undoAll() {
            CloseHelper.quietCloseAll(undo);
        }
    }
}
