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
                channel ->
                        opening(
                                channel,
                                true,
                                opening -> {
                                    final DriverLease lease = opening.lease(Way.OUT);
                                    final Route route = Route.ofPublication(channel);
                                    final ExclusivePublication sends =
                                            opening.publication(lease, route, stream(topic));
                                    return new AeronPublication(
                                            channel, opening.resolved(lease), lease, sends, ALWAYS);
                                }));
    }

    static AeronSubscription subscription(final ChannelUri uri, final Topic topic) {
        return binding(
                AeronChannel.of(uri),
                FreePorts::ofSubscription,
                channel ->
                        opening(
                                channel,
                                false,
                                opening -> {
                                    final DriverLease lease = opening.lease(Way.IN);
                                    final Route route = Route.ofSubscription(channel);
                                    final Subscription hears =
                                            opening.subscription(lease, route, stream(topic));
                                    return new AeronSubscription(
                                            channel.kind() == ChannelKind.IPC,
                                            opening.resolved(lease),
                                            lease,
                                            hears,
                                            ALWAYS);
                                }));
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
                            channel, binds, opening -> exchange(opening, route, topic, binds));
                });
    }

    private static Exchange exchange(
            final Opening opening, final Route route, final Topic topic, final boolean binds) {
        final AeronChannel channel = opening.channel();
        final int forward = stream(topic);
        final int back = forward + 1;
        final DriverLease out = opening.lease(Way.OUT);
        final DriverLease in = opening.lease(Way.IN);
        DutyCycle.join(out.session().duty(), in.session().duty());
        final ExclusivePublication sends = opening.publication(out, route, binds ? forward : back);
        final Subscription hears = opening.subscription(in, route, binds ? back : forward);
        final ChannelUri resolved = opening.resolved(out);
        return new AeronExchange(
                resolved,
                new AeronPublication(
                        channel, resolved, out, sends, binds ? ALWAYS : hears::isConnected),
                new AeronSubscription(
                        channel.kind() == ChannelKind.IPC,
                        resolved,
                        in,
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
                if (chosen.equals(asked)
                        || attempt == MOST_ATTEMPTS
                        || !ChannelRefusal.isPortInUse(e)) {
                    throw e;
                }
            }
        }
    }

    private static <T> T opening(
            final AeronChannel channel, final boolean hosts, final Function<Opening, T> open) {
        final Opening opening = new Opening(channel, hosts, new ArrayDeque<>());
        try {
            return open.apply(opening);
        } catch (final RuntimeException e) {
            opening.undoAll();
            throw e;
        }
    }

    /** What has been opened so far, to be undone when the rest fails. */
    private record Opening(AeronChannel channel, boolean hosts, Deque<AutoCloseable> undo) {
        DriverLease lease(final Way way) {
            final DriverLease lease = Drivers.OF_PROCESS.lease(channel, hosts, way);
            undo.push(lease::release);
            return lease;
        }

        ExclusivePublication publication(
                final DriverLease lease, final Route route, final int stream) {
            final ExclusivePublication added =
                    lease.session().addPublication(channel, route, stream);
            undo.push(() -> lease.session().close(added));
            return added;
        }

        Subscription subscription(final DriverLease lease, final Route route, final int stream) {
            final Subscription added = lease.session().addSubscription(channel, route, stream);
            undo.push(() -> lease.session().close(added));
            return added;
        }

        ChannelUri resolved(final DriverLease lease) {
            return channel.kind() == ChannelKind.IPC
                    ? channel.onDriver(lease.session().directory())
                    : channel.uri();
        }

        void undoAll() {
            CloseHelper.quietCloseAll(undo);
        }
    }

    /** One side of an exchange: two streams that know nothing of each other. */
    private record AeronExchange(
            ChannelUri channel, AeronPublication publication, AeronSubscription subscription)
            implements Exchange {
        @Override
        public void close() {
            publication.close();
            subscription.close();
        }
    }
}
