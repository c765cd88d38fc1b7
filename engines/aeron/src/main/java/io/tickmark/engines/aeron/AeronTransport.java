package io.tickmark.engines.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import io.tickmark.engines.aeron.Drivers.DriverLease;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Aeron: {@code aeron:ipc} and {@code aeron:udp?endpoint=host:port}. Aeron's own channel parameters
 * (mtu, fc, interface, ...) are written as Aeron writes them, in addition to those of {@link
 * #parameters}.
 */
public final class AeronTransport implements Transport {
    private static final String DRIVER_CLASS = "io.aeron.driver.MediaDriver";
    private static final String CLIENT_CLASS = "io.aeron.Aeron";
    private static final String NEEDED_PACKAGE = "jdk.internal.misc";

    /** Loads no class of Aeron yet. */
    public AeronTransport() {}

    @Override
    public String scheme() {
        return "aeron";
    }

    @Override
    public String summary() {
        return "Aeron: aeron:ipc, or aeron:udp?endpoint=host:port to one address, a multicast group or several"
                + " destinations, with an embedded or external media driver; Aeron's own parameters are passed on.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return AeronParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return absence(AeronTransport.class.getClassLoader());
    }

    static Optional<String> absence(final ClassLoader loader) {
        final Module user;
        try {
            Class.forName(DRIVER_CLASS, false, loader);
            user = Class.forName(CLIENT_CLASS, false, loader).getModule();
        } catch (final ClassNotFoundException e) {
            return Optional.of(
                    "Aeron's classes are missing; add aeron-client and aeron-driver to the class path.");
        }
        if (!Object.class.getModule().isExported(NEEDED_PACKAGE, user)) {
            return Optional.of(
                    "Aeron needs a JVM flag; start it with --add-exports java.base/jdk.internal.misc=ALL-UNNAMED.");
        }
        return Optional.empty();
    }

    @Override
    public List<Kind> kinds() {
        return List.of(
                new Kind("aeron:ipc", true), new Kind("aeron:udp?endpoint=127.0.0.1:0", true));
    }

    /** The driver's sender fills a datagram with as many whole frames as wait and fit. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        final AeronChannel checked = AeronChannel.of(channel);
        return PlainMessages.inMemory(checked.traits())
                .batching(
                        checked.kind() == ChannelKind.IPC
                                ? PlainMessages.NONE
                                : "messages that wait share a datagram where they fit");
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return AeronChannel.of(channel).traits();
    }

    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return AeronChannel.of(channel).kind() == ChannelKind.IPC;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean numbersTopics() {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return Ends.publication(channel, topic);
    }

    @Override
    public io.tickmark.transport.Subscription subscription(
            final ChannelUri channel, final Topic topic) {
        return Ends.subscription(channel, topic);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return Ends.exchange(channel, topic, side, cookie);
    }

    /**
     * Opens publications, subscriptions and exchanges. Forward and reply direction of a topic are
     * separate streams. Loaded only when something is opened, as it needs Aeron's classes.
     */
    private static final class Ends {
        private static final BooleanSupplier ALWAYS = () -> true;
        private static final int FIRST_STREAM = 1000;
        private static final int MOST_ATTEMPTS = 5;

        private Ends() {}

        /** Stream of the forward direction; replies are on the next one. */
        private static int stream(final Topic topic) {
            return FIRST_STREAM + 2 * topic.id();
        }

        static AeronPublication publication(final ChannelUri uri, final Topic topic) {
            return binding(
                    AeronChannel.of(uri),
                    ChosenPorts::ofPublication,
                    channel ->
                            opening(
                                    channel,
                                    true,
                                    opening -> {
                                        final DriverLease lease = opening.lease(Direction.OUT);
                                        final Route route = Route.ofPublication(channel);
                                        final ExclusivePublication sends =
                                                opening.publication(lease, route, stream(topic));
                                        return new AeronPublication(
                                                channel,
                                                opening.resolved(lease),
                                                lease,
                                                sends,
                                                ALWAYS);
                                    }));
        }

        static AeronSubscription subscription(final ChannelUri uri, final Topic topic) {
            return binding(
                    AeronChannel.of(uri),
                    ChosenPorts::ofSubscription,
                    channel ->
                            opening(
                                    channel,
                                    false,
                                    opening -> {
                                        final DriverLease lease = opening.lease(Direction.IN);
                                        final Route route = Route.ofSubscription(channel);
                                        final Subscription hears =
                                                opening.subscription(lease, route, stream(topic));
                                        return new AeronSubscription(
                                                channel,
                                                opening.resolved(lease),
                                                lease,
                                                hears,
                                                ALWAYS);
                                    }));
        }

        static Exchange exchange(
                final ChannelUri uri,
                final Topic topic,
                final ExchangeSide side,
                final int cookie) {
            final boolean binds = side == ExchangeSide.BIND;
            return binding(
                    AeronChannel.of(uri),
                    binds ? ChosenPorts::ofBind : ChosenPorts::ofConnect,
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
            final DriverLease out = opening.lease(Direction.OUT);
            final DriverLease in = opening.lease(Direction.IN);
            DutyCycle.join(out.session().duty(), in.session().duty());
            final ExclusivePublication sends =
                    opening.publication(out, route, binds ? forward : back);
            final Subscription hears = opening.subscription(in, route, binds ? back : forward);
            final ChannelUri resolved = opening.resolved(out);
            return Exchange.of(
                    new AeronPublication(
                            channel, resolved, out, sends, binds ? ALWAYS : hears::isConnected),
                    new AeronSubscription(
                            channel,
                            resolved,
                            in,
                            hears,
                            binds ? () -> sends.availableWindow() > 0 : ALWAYS),
                    resolved);
        }

        /** Opens with chosen ports; with others where another process took one of them first. */
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
            DriverLease lease(final Direction direction) {
                final DriverLease lease = Drivers.OF_PROCESS.lease(channel, hosts, direction);
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

            Subscription subscription(
                    final DriverLease lease, final Route route, final int stream) {
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

        /**
         * A subscription. Messages of one fragment are delivered in place; longer ones are
         * assembled in a buffer that is reused. Messages are lost only by choice ({@code
         * reliable=false}), and then Aeron fills the gap without counting messages: sequences show
         * it.
         *
         * <p>On the binding side of an exchange, arrived messages wait until that side can answer:
         * the two directions are streams that are connected independently.
         */
        private static final class AeronSubscription implements io.tickmark.transport.Subscription {
            private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

            /**
             * While messages keep arriving, one poll in this many drives: receivers report, senders
             * continue.
             */
            private static final int BUSY_TURN_MASK = 7;

            private final ChannelUri channel;
            private final DriverLease lease;
            private final DutyCycle duty;
            private final IdleTurns turns;
            private final Subscription subscription;
            private final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
            private final Optional<SocketBuffer> buffer;
            private final Map<String, Long> repairsAtOpening;
            private final long errorsAtOpening;
            private final BooleanSupplier canAnswer;
            private boolean answers;
            private MessageHandler handler;
            private int handedOver;
            private int busyPolls;
            private boolean closed;

            AeronSubscription(
                    final AeronChannel asked,
                    final ChannelUri channel,
                    final DriverLease lease,
                    final Subscription subscription,
                    final BooleanSupplier canAnswer) {
                this.canAnswer = canAnswer;
                this.channel = channel;
                this.lease = lease;
                this.duty = lease.session().duty();
                this.turns = new IdleTurns(duty, asked.kind() == ChannelKind.IPC);
                this.subscription = subscription;
                buffer = SocketBuffer.of(SocketBuffer.Way.IN, asked, lease.session());
                repairsAtOpening = lease.session().repairs(Direction.IN);
                errorsAtOpening = lease.session().errorCount();
            }

            private void onMessage(
                    final DirectBuffer buffer,
                    final int offset,
                    final int length,
                    final Header header) {
                handedOver++;
                handler.onMessage(buffer, offset, length);
            }

            @Override
            public int poll(final MessageHandler messageHandler, final int limit) {
                if (closed) {
                    return 0;
                }
                if (!answers) {
                    answers = canAnswer.getAsBoolean();
                    if (!answers) {
                        turns.take();
                        return 0;
                    }
                }
                handler = messageHandler;
                handedOver = 0;
                if (take(limit) == 0) {
                    if (turns.take() > 0 && turns.bringMessages()) {
                        take(limit);
                    }
                } else if (turns.bringMessages() && (++busyPolls & BUSY_TURN_MASK) == 0) {
                    duty.turn();
                }
                return handedOver;
            }

            /**
             * Takes fragments until a message is complete: a caller that gets 0 would idle in the
             * middle of it.
             */
            private int take(final int limit) {
                int taken = 0;
                int fragments;
                do {
                    fragments = subscription.poll(assembler, limit);
                    taken += fragments;
                } while (handedOver == 0 && fragments > 0);
                return taken;
            }

            /**
             * Parks between turns; there is no descriptor to wait on, not even with a driver in
             * this process.
             */
            @Override
            public void await(final long timeoutNs) {
                if (closed || duty.turn() <= 0) {
                    LockSupport.parkNanos(Math.min(timeoutNs, PARK_NS));
                }
            }

            @Override
            public boolean isConnected() {
                return !closed && subscription.isConnected();
            }

            @Override
            public ChannelUri channel() {
                return channel;
            }

            @Override
            public Optional<String> engineErrors() {
                return EngineErrors.together(
                        buffer.flatMap(SocketBuffer::caution),
                        lease.session().errorsSince(errorsAtOpening));
            }

            @Override
            public Map<String, Object> facts() {
                final Map<String, Object> facts =
                        new TreeMap<>(lease.session().facts(Direction.IN, repairsAtOpening));
                facts.put("subscriptionChannel", subscription.channel());
                facts.put("streamId", subscription.streamId());
                facts.put("images", subscription.imageCount());
                buffer.ifPresent(its -> its.addTo(facts));
                return facts;
            }

            @Override
            public void close() {
                if (!closed) {
                    closed = true;
                    lease.session().close(subscription);
                    lease.release();
                }
            }
        }
    }
}
