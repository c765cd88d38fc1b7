package io.tickmark.transport.nulls;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * {@code null:} or {@code null:name?delay=10us&lossPart=0.01}: in-process, between two threads or
 * on one, with a programmed delay and programmed faults ({@link DelayProgram} says exactly which
 * messages they hit). The binding side's parameters rule. A slow connecting side makes {@code
 * offer} refuse for all of them.
 */
public final class NullTransport implements Transport {
    private static final Registry OF_THE_PROCESS = new Registry();

    private final NanoClock clock;
    private final Registry registry;

    /** On the system's clock, with names shared by the whole process; for the ServiceLoader. */
    public NullTransport() {
        clock = SystemNanoClock.INSTANCE;
        registry = OF_THE_PROCESS;
    }

    /**
     * On a clock of the caller's, with names of its own; for calibration.
     *
     * @param clock that rules the delays
     */
    public NullTransport(final NanoClock clock) {
        this.clock = clock;
        this.registry = new Registry();
    }

    @Override
    public String scheme() {
        return "null";
    }

    @Override
    public String summary() {
        return "In-process channel with programmed delay and faults, for calibration.";
    }

    @Override
    public Class<NullParameters> parameters() {
        return NullParameters.class;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean needsOneProcess() {
        return true;
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("null:", false));
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        final NullParameters parameters = parametersOf(channel);
        final boolean once = parameters.duplicatePart() == 0;
        return TransportTraits.upTo(DelayLine.maxPayloadBytes(parameters.capacityBytes()))
                .reliable(parameters.lossPart() == 0 && once)
                .ordered(parameters.reorderPairs() == 0 && once)
                .backPressured(true)
                .detectsDisconnect(true)
                .fansOut(true)
                .allocates(false);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return sender(hub(channel, topic), topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return connector(channel, topic);
    }

    /**
     * {@inheritDoc}
     *
     * @return the side, which can tell when something comes out next
     */
    @Override
    public NullExchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        if (side == ExchangeSide.CONNECT) {
            final Connector connector = connector(channel, topic);
            return new NullExchange(connector.back(), connector, connector::nextReleaseNs);
        }
        final Hub hub = hub(channel, topic);
        final Sender sender = sender(hub, topic);
        final Returns returns = new Returns(hub);
        return new NullExchange(
                sender, returns, () -> Math.min(sender.nextReleaseNs(), returns.nextReleaseNs()));
    }

    private Hub hub(final ChannelUri channel, final Topic topic) {
        final NullParameters parameters = parametersOf(channel);
        final Hub hub = new Hub(registry.named(channel), parameters, clock);
        registry.bind(hub, topic);
        return hub;
    }

    private Sender sender(final Hub hub, final Topic topic) {
        return new Sender(
                hub,
                () -> {
                    registry.release(hub, topic);
                    hub.close();
                });
    }

    private Connector connector(final ChannelUri channel, final Topic topic) {
        parametersOf(channel);
        return new Connector(registry.line(channel), () -> registry.find(channel, topic));
    }

    private static NullParameters parametersOf(final ChannelUri channel) {
        Registry.check(channel);
        final NullParameters read = channel.read(NullParameters.class);
        if (Integer.bitCount(read.capacityBytes()) != 1) {
            throw UserError.usage(
                    "--channel "
                            + channel
                            + ": capacityBytes is "
                            + read.capacityBytes()
                            + "; give a power of two.");
        }
        if (read.stallFor().compareTo(read.stallEvery()) >= 0 && !read.stallFor().isZero()) {
            throw UserError.usage(
                    "--channel " + channel + ": stallFor has to be shorter than stallEvery.");
        }
        return read;
    }

    /** The binding sides of this process by name and topic. Any thread. */
    private static final class Registry {
        private static final int LONGEST_NAME = 64;

        private final Map<String, Hub> hubs = new ConcurrentHashMap<>();
        private final AtomicLong unnamed = new AtomicLong();

        /** The channel with a name, chosen here where the user gave none. */
        ChannelUri named(final ChannelUri channel) {
            return channel.authority().isEmpty()
                    ? channel.withAuthority("line-" + unnamed.incrementAndGet())
                    : channel;
        }

        /** Whether the user's name for a channel, if there is one, is a name. */
        static void check(final ChannelUri channel) {
            final String name = channel.authority();
            if (name.length() > LONGEST_NAME || !name.matches("[A-Za-z0-9._-]*")) {
                throw UserError.usage(
                        "--channel "
                                + channel
                                + ": '"
                                + name
                                + "' is not a name; use up to 64 letters, digits, dots, dashes and underscores, as"
                                + " in null:prices.");
            }
        }

        void bind(final Hub hub, final Topic topic) {
            if (hubs.putIfAbsent(key(hub.channel(), topic), hub) != null) {
                throw UserError.environment(
                        "--channel "
                                + hub.channel()
                                + ": the name '"
                                + hub.channel().authority()
                                + "' is in use in this process; choose another one, or leave it out.");
            }
        }

        void release(final Hub hub, final Topic topic) {
            hubs.remove(key(hub.channel(), topic), hub);
        }

        Optional<Hub> find(final ChannelUri channel, final Topic topic) {
            return Optional.ofNullable(hubs.get(key(channel, topic)));
        }

        /** The line as it was bound, whichever of its topics are. */
        ChannelUri line(final ChannelUri channel) {
            return hubs.values().stream()
                    .map(Hub::channel)
                    .filter(bound -> bound.authority().equals(channel.authority()))
                    .findFirst()
                    .orElseThrow(() ->
                            UserError.environment(
                                    "--channel "
                                            + channel
                                            + ": no role has opened '"
                                            + channel.authority()
                                            + "' in this process; null works within one process: give both roles the same"
                                            + " 'process' in the plan, and open the publisher first."));
        }

        private static String key(final ChannelUri channel, final Topic topic) {
            return channel.authority() + "/" + topic.name();
        }
    }

    /** The binding side's subscription: hears every connecting side in turn. */
    private static final class Returns implements Subscription {
        private final Hub hub;
        private int first;
        private boolean closed;

        Returns(final Hub hub) {
            this.hub = hub;
        }

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            final Hub.Connection[] connections = hub.connections();
            int handed = 0;
            first = first + 1 < connections.length ? first + 1 : 0;
            for (int i = 0; i < connections.length && handed < limit && !closed; i++) {
                final Hub.Connection next = connections[(first + i) % connections.length];
                handed += next.back().take(handler, limit - handed);
            }
            return handed;
        }

        @Override
        public boolean isConnected() {
            return hub.connections().length > 0;
        }

        @Override
        public ChannelUri channel() {
            return hub.channel();
        }

        long nextReleaseNs() {
            long earliestNs = DelayLine.NEVER;
            for (final Hub.Connection connection : hub.connections()) {
                earliestNs = Math.min(earliestNs, connection.back().nextReleaseNs());
            }
            return earliestNs;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /**
     * The connecting side: a subscription, and the way back. Finds a binding side that comes later,
     * or is restarted.
     */
    private static final class Connector implements Subscription {
        private final ChannelUri channel;
        private final Supplier<Optional<Hub>> finder;
        private final Back back = new Back();

        /** Null while the topic is not bound. */
        private Hub.Connection connection;

        private boolean closed;

        Connector(final ChannelUri channel, final Supplier<Optional<Hub>> finder) {
            this.channel = channel;
            this.finder = finder;
            attach();
        }

        private void attach() {
            finder.get().ifPresent(hub -> connection = hub.attach());
        }

        Publication back() {
            return back;
        }

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            if (closed) {
                return 0;
            }
            if (connection == null) {
                attach();
                return 0;
            }
            final int handed = connection.forward().take(handler, limit);
            if (handed == 0 && connection.hub().isClosed()) {
                followRestart();
            }
            return handed;
        }

        private void followRestart() {
            if (connection.forward().nextReleaseNs() == DelayLine.NEVER) {
                attach();
            }
        }

        @Override
        public boolean isConnected() {
            return !closed && connection != null && !connection.hub().isClosed();
        }

        @Override
        public ChannelUri channel() {
            return channel;
        }

        long nextReleaseNs() {
            return connection == null ? DelayLine.NEVER : connection.forward().nextReleaseNs();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                if (connection != null) {
                    connection.hub().detach(connection);
                }
            }
        }

        private final class Back implements Publication {
            private long position;

            @Override
            public long offer(final DirectBuffer buffer, final int offset, final int length) {
                if (closed) {
                    return CLOSED;
                }
                if (connection == null) {
                    return NOT_CONNECTED;
                }
                if (length > connection.hub().maxPayloadBytes()) {
                    return TOO_LONG;
                }
                if (connection.hub().isClosed()) {
                    return NOT_CONNECTED;
                }
                final int roomBytes = DelayLine.roomBytes(length);
                if (!connection.back().hasRoom(roomBytes, roomBytes)) {
                    return BACK_PRESSURED;
                }
                connection.back().put(DelayLine.AT_ONCE, buffer, offset, length);
                return position++;
            }

            @Override
            public int subscriberCount() {
                return isConnected() ? 1 : 0;
            }

            @Override
            public ChannelUri channel() {
                return channel;
            }

            @Override
            public void close() {
                Connector.this.close();
            }
        }
    }

    /** The binding side's publication: applies the program and writes to every connecting side. */
    private static final class Sender implements Publication {
        private static final int UNNUMBERED = Stamp.HELLO | Stamp.WELCOME | Stamp.END;

        private final Hub hub;
        private final Runnable whenClosed;
        private final DelayProgram program;
        private final NanoClock clock;
        private final int maxPayloadBytes;
        private final int copies;
        private final boolean timed;
        private final UnsafeBuffer held;
        private int heldLength;
        private long heldNumber;
        private long heldTimeNs;
        private long heldUntilNs;
        private long lastReleaseNs = DelayLine.AT_ONCE;
        private long originNs;
        private boolean started;
        private long unstamped;
        private long position;
        private boolean closed;

        Sender(final Hub hub, final Runnable whenClosed) {
            this.hub = hub;
            this.whenClosed = whenClosed;
            program = new DelayProgram(hub.parameters());
            clock = hub.clock();
            maxPayloadBytes = hub.maxPayloadBytes();
            copies = program.doubles() ? 2 : 1;
            timed = program.delays();
            held =
                    new UnsafeBuffer(
                            ByteBuffer.allocateDirect(program.swaps() ? maxPayloadBytes : 0));
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            if (closed) {
                return CLOSED;
            }
            if (length > maxPayloadBytes) {
                return TOO_LONG;
            }
            final Hub.Connection[] connections = hub.connections();
            if (connections.length == 0) {
                return NOT_CONNECTED;
            }
            if (!hasRoom(connections, length)) {
                return BACK_PRESSURED;
            }
            final boolean stamped = Stamp.isStamped(buffer, offset, length);
            if (stamped && (Stamp.flags(buffer, offset) & UNNUMBERED) != 0) {
                releaseHeld(connections);
                final long timeNs =
                        timed ? clock.nanoTime() + program.delayNs() : DelayLine.AT_ONCE;
                put(connections, buffer, offset, length, releaseNs(timeNs));
            } else {
                final long number =
                        stamped
                                ? Integer.toUnsignedLong(Stamp.sequence(buffer, offset))
                                : unstamped++;
                send(connections, number, buffer, offset, length);
            }
            return position++;
        }

        private void send(
                final Hub.Connection[] connections,
                final long number,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            final long nowNs = timed ? clock.nanoTime() : 0;
            if (!started) {
                started = true;
                originNs = nowNs;
            }
            final boolean completesPair = heldLength > 0 && number == heldNumber + 1;
            if (!completesPair) {
                releaseHeld(connections);
            }
            if (program.loses(number)) {
                return;
            }
            final long timeNs = timed ? nowNs + program.delayNs(number) : DelayLine.AT_ONCE;
            if (program.swapsWithNext(number)) {
                hold(number, timeNs, buffer, offset, length);
                return;
            }
            final long releaseNs = releaseNs(timeNs);
            put(connections, buffer, offset, length, releaseNs);
            if (program.duplicates(number)) {
                put(connections, buffer, offset, length, releaseNs);
            }
            if (completesPair) {
                releaseHeld(connections);
            }
        }

        private void hold(
                final long number,
                final long timeNs,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            held.putBytes(0, buffer, offset, length);
            heldLength = length;
            heldNumber = number;
            heldTimeNs = timeNs;
            heldUntilNs = clock.nanoTime() + DelayProgram.LONGEST_HOLD_NS;
        }

        private void releaseHeld(final Hub.Connection[] connections) {
            if (heldLength > 0) {
                final long releaseNs = releaseNs(heldTimeNs);
                put(connections, held, 0, heldLength, releaseNs);
                if (program.duplicates(heldNumber)) {
                    put(connections, held, 0, heldLength, releaseNs);
                }
                heldLength = 0;
            }
        }

        private long releaseNs(final long timeNs) {
            if (timed) {
                lastReleaseNs =
                        program.afterStallNs(
                                Math.max(timeNs, lastReleaseNs), started ? originNs : timeNs);
            }
            return lastReleaseNs;
        }

        private static void put(
                final Hub.Connection[] connections,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final long releaseNs) {
            for (final Hub.Connection connection : connections) {
                connection.forward().put(releaseNs, buffer, offset, length);
            }
        }

        private boolean hasRoom(final Hub.Connection[] connections, final int length) {
            final int ownBytes = DelayLine.roomBytes(length);
            final int heldBytes = heldLength > 0 ? DelayLine.roomBytes(heldLength) : 0;
            final int allBytes = copies * (ownBytes + heldBytes);
            for (final Hub.Connection connection : connections) {
                if (!connection.forward().hasRoom(allBytes, Math.max(ownBytes, heldBytes))) {
                    return false;
                }
            }
            return true;
        }

        /** When the first message of a swapped pair goes without the second. */
        long nextReleaseNs() {
            return heldLength > 0 ? heldUntilNs : DelayLine.NEVER;
        }

        @Override
        public int doWork() {
            if (closed || heldLength == 0 || clock.nanoTime() < heldUntilNs) {
                return 0;
            }
            final Hub.Connection[] connections = hub.connections();
            if (!hasRoom(connections, 0)) {
                return 0;
            }
            releaseHeld(connections);
            return 1;
        }

        @Override
        public int subscriberCount() {
            return hub.connections().length;
        }

        @Override
        public ChannelUri channel() {
            return hub.channel();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                if (hasRoom(hub.connections(), 0)) {
                    releaseHeld(hub.connections());
                }
                whenClosed.run();
            }
        }
    }

    /** Where one binding side meets its connecting sides. Any thread; sides come and go by copy. */
    private static final class Hub {
        private static final Connection[] NONE = {};

        private final ChannelUri channel;
        private final NullParameters parameters;
        private final NanoClock clock;
        private volatile Connection[] connections = NONE;
        private volatile boolean closed;

        Hub(final ChannelUri channel, final NullParameters parameters, final NanoClock clock) {
            this.channel = channel;
            this.parameters = parameters;
            this.clock = clock;
        }

        /** The two ways between the binding side and one connecting side. */
        record Connection(Hub hub, DelayLine forward, DelayLine back) {}

        synchronized Connection attach() {
            final Connection made =
                    new Connection(
                            this,
                            new DelayLine(parameters.capacityBytes(), clock),
                            new DelayLine(parameters.capacityBytes(), clock));
            final Connection[] more = Arrays.copyOf(connections, connections.length + 1);
            more[connections.length] = made;
            connections = more;
            return made;
        }

        synchronized void detach(final Connection gone) {
            connections =
                    Arrays.stream(connections)
                            .filter(connection -> connection != gone)
                            .toArray(Connection[]::new);
        }

        Connection[] connections() {
            return connections;
        }

        ChannelUri channel() {
            return channel;
        }

        NullParameters parameters() {
            return parameters;
        }

        NanoClock clock() {
            return clock;
        }

        int maxPayloadBytes() {
            return DelayLine.maxPayloadBytes(parameters.capacityBytes());
        }

        void close() {
            closed = true;
            connections = NONE;
        }

        boolean isClosed() {
            return closed;
        }
    }
}
