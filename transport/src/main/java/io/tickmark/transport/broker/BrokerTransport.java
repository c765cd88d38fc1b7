package io.tickmark.transport.broker;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * An engine whose messages go through a broker: with {@code SCHEME://HOST:PORT} through one that
 * runs there, with {@code SCHEME:} through servers that the binding side starts, once for all
 * channels of its process at one address. An engine's author implements how to start a server, how
 * to connect, send and receive. {@link BrokerSettings} is a component of the settings record of its
 * channels, {@link Credentials} and {@link FlightLimits} are where it needs them.
 *
 * @param <P> the settings record
 */
public abstract class BrokerTransport<P extends Record> implements Transport {
    private static final Map<String, SharedServers> RUNNING = new HashMap<>();

    private final String scheme;
    private final int defaultPort;
    private final Class<P> parameters;

    /**
     * Loads no class of the engine yet.
     *
     * @param scheme of its channels
     * @param defaultPort of servers that are given only by their host
     * @param parameters the settings record of its channels
     */
    protected BrokerTransport(
            final String scheme, final int defaultPort, final Class<P> parameters) {
        this.scheme = scheme;
        this.defaultPort = defaultPort;
        this.parameters = parameters;
    }

    /** A connection to the servers, from which ends are created; closed after them. */
    public interface Link extends ConnectionState, AutoCloseable {
        /**
         * Sends to a topic.
         *
         * @param name of the topic, as {@link BrokerTransport#name} made it
         * @return the end, which releases what it opened itself
         */
        BrokerPublication publication(String name);

        /**
         * Receives what is sent to a topic after this call.
         *
         * @param name of the topic
         * @return the end, which releases what it opened itself
         */
        BrokerSubscription subscription(String name);

        @Override
        void close();
    }

    /**
     * Refuses parameters that contradict each other. The default accepts all.
     *
     * @param channel to check
     * @throws io.tickmark.kernel.settings.UserError of kind usage
     */
    protected void check(final BrokerChannel<P> channel) {}

    /** Where its binding side starts the server, that has to be installed. */
    @Override
    public final Optional<String> absence(final ChannelUri uri, final ExchangeSide side) {
        return absence(uri)
                .or(() ->
                        side == ExchangeSide.BIND && channel(uri).startsServers()
                                ? missing().map(clause -> clause + ".")
                                : Optional.empty());
    }

    @Override
    public final void checkFiles(final ChannelUri uri) {
        readFiles(channel(uri));
    }

    /**
     * Reads the files that a channel names. By default the password, where there are {@link
     * Credentials.Asked}.
     *
     * @param channel with its parameters
     * @throws io.tickmark.kernel.settings.UserError of kind usage if one cannot be read
     */
    protected void readFiles(final BrokerChannel<P> channel) {
        if (channel.parameters() instanceof final Credentials.Asked asked) {
            asked.credentials().password(channel);
        }
    }

    /**
     * What users call one of its servers.
     *
     * @return a noun that takes an s for several
     */
    protected String serverNoun() {
        return "server";
    }

    /**
     * The subject of "does not start".
     *
     * @return by default the noun
     */
    protected String serverName() {
        return "the " + serverNoun();
    }

    /**
     * What users call one of its servers, with the product's name.
     *
     * @return by default the scheme and the noun
     */
    protected String serverTitle() {
        return scheme + " " + serverNoun();
    }

    /**
     * When its servers end in that way by themselves, where that is known.
     *
     * @param how its exit status or signal in brackets, and its last words
     * @return a clause that begins with a comma or semicolon; empty by default
     */
    protected String endsWhen(final String how) {
        return "";
    }

    /**
     * How much room the disk of a server that is started here has to have: with less it is up and
     * takes no messages, and its publishers would wait.
     *
     * @return 0 by default, for servers without such a limit
     */
    protected long leastFreeBytes() {
        return 0;
    }

    /**
     * Whether a server becomes ready while most of the others are down.
     *
     * @return true by default
     */
    protected boolean startsAlone() {
        return true;
    }

    /**
     * How many servers are started for a channel.
     *
     * @param channel with its parameters
     * @return 1 by default
     */
    protected int members(final BrokerChannel<P> channel) {
        return 1;
    }

    /**
     * How long a server of ours usually takes to start and to end.
     *
     * @return a second by default
     */
    protected Duration serverStart() {
        return Duration.ofSeconds(1);
    }

    @Override
    public final Duration usualStart(final ChannelUri channel) {
        return channel(channel).startsServers() ? serverStart() : Duration.ZERO;
    }

    /**
     * How many threads its client keeps busy in a process while messages pass; both ends report it.
     *
     * @param channel with its parameters
     * @return 1 by default
     */
    protected int clientThreads(final BrokerChannel<P> channel) {
        return 1;
    }

    /**
     * How to start one server.
     *
     * @param channel with its parameters
     * @param member the address and folder of this one
     * @param all members
     * @param stores whether it has to keep messages on its disk
     * @return what to run
     * @throws io.tickmark.kernel.settings.UserError if its program is missing
     */
    protected abstract ServerSpec server(
            BrokerChannel<P> channel,
            ServerSpec.Member member,
            List<ServerSpec.Member> all,
            boolean stores);

    /**
     * Connects.
     *
     * @param channel whose servers run
     * @return the connection
     * @throws io.tickmark.kernel.settings.UserError if no server answers there
     */
    protected abstract Link connect(BrokerChannel<P> channel);

    /**
     * The name of a topic at the broker.
     *
     * @param channel with its parameters
     * @param topic to name
     * @return its name, unique within the channel
     */
    protected abstract String name(BrokerChannel<P> channel, Topic topic);

    /**
     * The name of the topic for replies.
     *
     * @param channel with its parameters
     * @param topic whose messages are replied to
     * @return its name, unique within the channel
     */
    protected String replyName(final BrokerChannel<P> channel, final Topic topic) {
        return name(channel, topic) + ".reply";
    }

    /**
     * Reads and checks a channel; opens nothing.
     *
     * @param uri of this scheme
     * @return the channel
     * @throws io.tickmark.kernel.settings.UserError if the address or a parameter is wrong
     */
    public final BrokerChannel<P> channel(final ChannelUri uri) {
        final BrokerChannel<P> channel =
                BrokerChannel.of(uri, parameters, defaultPort, serverNoun());
        check(channel);
        final Map<String, Object> facts = new HashMap<>();
        facts.put("clientThreads", clientThreads(channel));
        if (channel.parameters() instanceof final FlightLimits.Limited limited) {
            facts.putAll(limited.limits().facts());
        }
        return channel.reporting(facts);
    }

    /**
     * What a channel through a broker can do: messages keep their order, fan out, and are copied to
     * the heap; there is no back-pressure from a subscriber, and the broker hides its disconnect.
     *
     * @param isReliable whether every message that was accepted arrives
     * @param maxPayloadBytes largest message
     * @return the traits
     */
    protected static TransportTraits traits(final boolean isReliable, final int maxPayloadBytes) {
        return TransportTraits.upTo(maxPayloadBytes)
                .reliable(isReliable)
                .ordered(true)
                .fansOut(true);
    }

    @Override
    public final String scheme() {
        return scheme;
    }

    /** Of each server of our own at least one thread is busy. */
    @Override
    public final int busyThreads(final ChannelUri uri, final ExchangeSide side) {
        final BrokerChannel<P> channel = channel(uri);
        final boolean starts = side == ExchangeSide.BIND && channel.startsServers();
        return clientThreads(channel) + (starts ? members(channel) : 0);
    }

    @Override
    public final Class<? extends Record> parameters() {
        return parameters;
    }

    @Override
    public final boolean separatesTopics() {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri uri, final Topic topic) {
        final Opened<P> opened = binding(uri);
        return opened.guarded(
                () -> opened.link().publication(name(opened.channel(), topic)).by(opened, opened));
    }

    @Override
    public Subscription subscription(final ChannelUri uri, final Topic topic) {
        final Opened<P> opened = connecting(uri);
        return opened.guarded(
                () -> opened.link().subscription(name(opened.channel(), topic)).by(opened, opened));
    }

    /** Replies are sent on a separate topic, which all connecting sides share. */
    @Override
    public Exchange exchange(
            final ChannelUri uri, final Topic topic, final ExchangeSide side, final int cookie) {
        final boolean binds = side == ExchangeSide.BIND;
        final Opened<P> opened = binds ? binding(uri) : connecting(uri);
        return opened.guarded(() -> {
            final String forward = name(opened.channel(), topic);
            final String reply = replyName(opened.channel(), topic);
            final BrokerSubscription hears = opened.link().subscription(binds ? reply : forward);
            try {
                final BrokerPublication sends = opened.link().publication(binds ? forward : reply);
                // the subscription closes what is behind both ends, of whose connection one reports
                return Exchange.of(
                        sends.by(opened, () -> {}),
                        hears.by(new WithoutErrors(opened), opened),
                        opened.channel().uri());
            } catch (final RuntimeException e) {
                hears.close();
                throw e;
            }
        });
    }

    /** Both directions have names, so the publisher's direction keeps its own. */
    @Override
    public final ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.BIND;
    }

    private Opened<P> binding(final ChannelUri uri) {
        final BrokerChannel<P> channel = channel(uri);
        if (!channel.startsServers()) {
            noteGiven(channel);
            return Opened.of(channel, connect(channel));
        }
        final SharedServers servers = SharedServers.of(this, channel);
        try {
            final BrokerChannel<P> reached = channel.at(servers.addresses());
            return new Opened<>(reached, connect(reached), servers::ended, servers);
        } catch (final RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /** What a server of somebody else on this host takes of the cores cannot be told apart. */
    final void noteGiven(final BrokerChannel<P> channel) {
        if (channel.address().isOnThisHost()) {
            EngineProcesses.foreign(serverName() + " at " + channel.address().authority());
        }
    }

    private Opened<P> connecting(final ChannelUri uri) {
        final BrokerChannel<P> channel = channel(uri);
        if (channel.address().port() == 0) {
            throw channel.wrong(
                    "the side that connects needs the %s's port; write %s://host:port"
                            .formatted(serverNoun(), scheme));
        }
        return Opened.of(channel, connect(channel));
    }

    final BrokerServers<P> servers(
            final BrokerChannel<P> channel, final Path directory, final boolean stores) {
        return new BrokerServers<>(this, channel, directory, stores);
    }

    /** A connection, and the servers where they are ours, of which it knows when one has ended. */
    private record Opened<P extends Record>(
            BrokerChannel<P> channel,
            Link link,
            Supplier<List<String>> endedServers,
            AutoCloseable servers)
            implements ConnectionState, AutoCloseable {
        static <P extends Record> Opened<P> of(final BrokerChannel<P> channel, final Link link) {
            return new Opened<>(channel, link, List::of, () -> {});
        }

        @Override
        public boolean isServed() {
            return link.isServed();
        }

        /** Of a server that others started only its connection tells. */
        @Override
        public boolean isGone() {
            return channel.startsServers() ? ended().isPresent() : !link.isServed();
        }

        @Override
        public Map<String, Object> facts() {
            return link.facts();
        }

        @Override
        public boolean isCount(final String fact) {
            return link.isCount(fact);
        }

        @Override
        public Optional<String> ended() {
            return Optional.of(String.join(" ", endedServers.get()))
                    .filter(text -> !text.isEmpty());
        }

        @Override
        public Optional<String> errors() {
            return link.errors();
        }

        <T> T guarded(final Supplier<T> opening) {
            try {
                final T end = opening.get();
                BoundedClose.serverAnswered();
                return end;
            } catch (final RuntimeException e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            CloseHelper.quietClose(link);
            CloseHelper.quietClose(servers);
        }
    }

    /** What one end of an exchange has reported is not said again by the other. */
    private record WithoutErrors(ConnectionState connection) implements ConnectionState {
        @Override
        public boolean isServed() {
            return connection.isServed();
        }

        @Override
        public boolean isGone() {
            return connection.isGone();
        }

        @Override
        public Map<String, Object> facts() {
            return connection.facts();
        }

        @Override
        public boolean isCount(final String fact) {
            return connection.isCount(fact);
        }
    }

    /**
     * The servers that a plain channel starts: shared by all channels of a process at one address,
     * stopped with the last of them. Any thread.
     */
    private static final class SharedServers implements AutoCloseable {
        private final String key;
        private final BrokerServers<?> servers;
        private final Path folder;
        private int users = 1;

        private SharedServers(final String key, final BrokerServers<?> servers, final Path folder) {
            this.key = key;
            this.servers = servers;
            this.folder = folder;
        }

        static <P extends Record> SharedServers of(
                final BrokerTransport<P> transport, final BrokerChannel<P> channel) {
            synchronized (RUNNING) {
                final SharedServers running = RUNNING.get(key(channel));
                if (running != null) {
                    running.users++;
                    return running;
                }
                final SharedServers started = start(transport, channel);
                RUNNING.put(started.key, started);
                return started;
            }
        }

        private static String key(final BrokerChannel<?> channel) {
            return channel.uri().scheme() + "://" + channel.address().authority();
        }

        private static <P extends Record> SharedServers start(
                final BrokerTransport<P> transport, final BrokerChannel<P> channel) {
            final Path folder = temporary(channel);
            try {
                final BrokerServers<P> servers = transport.servers(channel, folder, false);
                servers.requireRoom();
                servers.start();
                return new SharedServers(key(channel.at(servers.addresses())), servers, folder);
            } catch (final RuntimeException e) {
                IoUtil.delete(folder.toFile(), true);
                throw e;
            }
        }

        private static Path temporary(final BrokerChannel<?> channel) {
            try {
                return Files.createTempDirectory("tickmark-" + channel.uri().scheme() + "-");
            } catch (final IOException e) {
                throw channel.failed(
                        "no folder for its server can be made in %s (%s); make room there, and let this user write"
                                .formatted(System.getProperty("java.io.tmpdir"), IoReason.of(e)),
                        e);
            }
        }

        List<HostPort> addresses() {
            return servers.addresses();
        }

        List<String> ended() {
            return servers.ended();
        }

        /** To be called once by each owner; the data is no longer needed. */
        @Override
        public void close() {
            synchronized (RUNNING) {
                if (--users == 0) {
                    RUNNING.remove(key);
                    servers.killAll();
                    IoUtil.delete(folder.toFile(), true);
                }
            }
        }
    }
}
