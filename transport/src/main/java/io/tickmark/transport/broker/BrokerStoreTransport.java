package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A broker whose topics can be stored. Beside what {@link BrokerTransport} asks for, an author
 * writes how to publish, read and acknowledge stored messages, and how to find them in files. The
 * settings record of its channels has {@code String prefix}, the first part of all names.
 *
 * @param <P> the settings record
 */
public abstract class BrokerStoreTransport<P extends Record> extends BrokerTransport<P>
        implements DurableTransport {
    /** A server of a cluster may write what it has taken a moment later. */
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(2);

    private static final long LOOK_NS = 20_000_000;

    /**
     * Touches nothing of the engine yet.
     *
     * @param scheme of its channels
     * @param defaultPort of servers that are given by their host alone
     * @param parameters the settings record of its channels
     */
    protected BrokerStoreTransport(
            final String scheme, final int defaultPort, final Class<P> parameters) {
        super(scheme, defaultPort, parameters);
    }

    /** The stored topics of a channel: asked of its servers, or looked up in their files. */
    public interface StoredTopics {
        /**
         * Waits until the servers take messages.
         *
         * @param requireMajority throws where too few of our servers run for that; to be asked
         *     while it waits
         * @throws UserError if they do not
         */
        void awaitReady(Runnable requireMajority);

        /**
         * Asks how many messages a topic has.
         *
         * @param topic to count
         * @return the count, deleted ones left out
         */
        long count(Topic topic);

        /**
         * Reads through the servers what there is when it is called.
         *
         * @param topic to read
         * @param fromOrdinal first message wanted
         * @param handler called for each
         * @return messages handed over
         */
        long read(Topic topic, long fromOrdinal, MessageHandler handler);

        /** Deletes all topics that begin with the channel's prefix. */
        void deleteAll();

        /**
         * Who tells what is stored.
         *
         * @return files by default
         */
        default Source source() {
            return Source.FILES;
        }

        /**
         * Whose files are the right ones while servers run.
         *
         * @param topic to read
         * @return a member, from 1; empty by default, for the one that has most
         * @throws UserError if no server tells
         */
        default OptionalInt leader(final Topic topic) {
            return OptionalInt.empty();
        }

        /**
         * How many messages files have or will have in a moment, while servers run: those are
         * waited for.
         *
         * @param topic to read
         * @return 0 by default, where servers write before they answer
         * @throws UserError if no server tells
         */
        default long expected(final Topic topic) {
            return 0;
        }

        /**
         * Checks the files of one server.
         *
         * @param folder of the member
         * @param topic to check
         * @return what it found
         */
        StoreServer.Verification verifyFiles(Path folder, Topic topic);

        /**
         * Reads the files of one server.
         *
         * @param folder of the member
         * @param topic to read
         * @param fromOrdinal first message wanted
         * @param handler called for each whole message
         * @return messages handed over
         */
        long readFiles(Path folder, Topic topic, long fromOrdinal, MessageHandler handler);
    }

    /** Who tells which messages are stored. */
    public enum Source {
        /** The files. */
        FILES,
        /** The servers; the files where none runs, which may then hold deleted ones too. */
        SERVERS_OR_FILES,
        /** The servers alone, which are started for it where none runs. */
        SERVERS,
        /** The servers alone, as long as one runs: messages are in memory. */
        MEMORY
    }

    /**
     * The parameter that holds the first part of all names.
     *
     * @return its name
     */
    protected String prefixParameter() {
        return "prefix";
    }

    /**
     * The promises of a checked channel.
     *
     * @param channel with its parameters
     * @return what is promised
     */
    protected abstract Guarantees guarantees(BrokerChannel<P> channel);

    /**
     * Its stored topics.
     *
     * @param channel whose servers run, or ran
     * @return the topics; nothing is opened until they are asked
     */
    protected abstract StoredTopics stored(BrokerChannel<P> channel);

    /**
     * Opens the sending end of a stored topic.
     *
     * @param channel whose servers run
     * @param topic to publish to
     * @return as {@link DurableTransport#durablePublication}
     */
    protected abstract DurablePublication durable(BrokerChannel<P> channel, Topic topic);

    /**
     * Opens the receiving end of a stored topic.
     *
     * @param channel whose servers run
     * @param topic to read
     * @param fromOrdinal first message wanted
     * @return as {@link DurableTransport#durableSubscription}
     */
    protected abstract DurableSubscription durable(
            BrokerChannel<P> channel, Topic topic, long fromOrdinal);

    @Override
    public final Guarantees guarantees(final ChannelUri channel) {
        return guarantees(channel(channel));
    }

    @Override
    public final DurablePublication durablePublication(
            final ChannelUri channel, final Topic topic) {
        return durable(channel(channel), topic);
    }

    @Override
    public final DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return durable(channel(channel), topic, fromOrdinal);
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return Duration.ofSeconds(60);
    }

    @Override
    public final StoreServer store(final ChannelUri uri, final Path directory) {
        final BrokerChannel<P> channel = channel(uri);
        return channel.startsServers()
                ? new OwnStore(channel, directory, servers(channel, directory, true))
                : new GivenStore(channel);
    }

    /**
     * A store of ours as another channel sees it, with a prefix of its own perhaps: for those who
     * keep one store running for many.
     *
     * @param store that {@link #store} made, of servers that are started
     * @param channel with other parameters; its address is of no account
     * @return the same servers; whoever starts, kills or closes it does so to both
     */
    @SuppressWarnings("unchecked") // its own class, made by this transport
    protected final StoreServer seenBy(final StoreServer store, final ChannelUri channel) {
        final OwnStore own = (OwnStore) store;
        return new OwnStore(channel(channel), own.directory, own.servers);
    }

    /** Servers that we run, each with its data in its folder. */
    private final class OwnStore implements StoreServer {
        private final BrokerChannel<P> channel;
        private final Path directory;
        private volatile BrokerServers<P> servers;

        /** What kept it from taking its usual way; told with the engine's own troubles. */
        private final Set<String> detours = new LinkedHashSet<>();

        OwnStore(
                final BrokerChannel<P> channel,
                final Path directory,
                final BrokerServers<P> servers) {
            this.channel = channel;
            this.directory = directory;
            this.servers = servers;
        }

        private BrokerChannel<P> reached() {
            return channel.at(servers.addresses());
        }

        private StoredTopics topics() {
            return stored(reached());
        }

        @Override
        public void start() {
            servers.start();
            try {
                awaitReady();
            } catch (final RuntimeException e) {
                close();
                throw e;
            }
        }

        private void awaitReady() {
            topics().awaitReady(() -> {
                if (!servers.hasMajority()) {
                    throw channel.failed("too few of its members run; see " + directory, null);
                }
            });
        }

        @Override
        public ChannelUri endpoint() {
            return reached().uri();
        }

        @Override
        public int members() {
            return servers.count();
        }

        @Override
        public void kill(final int member) {
            servers.kill(member);
        }

        @Override
        public void restart(final int member) {
            servers.restart(member);
            if (servers.hasMajority()) {
                awaitReady();
            }
        }

        @Override
        public Verification verify(final Topic topic) {
            final StoredTopics topics = topics();
            final List<Verification> found =
                    IntStream.rangeClosed(1, members())
                            .mapToObj(member -> topics.verifyFiles(servers.folder(member), topic))
                            .toList();
            return new Verification(
                    messages(topics, topic, found),
                    found.stream().mapToLong(Verification::tornBytes).sum(),
                    found.stream().mapToLong(Verification::corrupted).sum());
        }

        /** Deleted ones may stay in the files, so a server is asked where one can be. */
        private long messages(
                final StoredTopics topics, final Topic topic, final List<Verification> found) {
            if (topics.source() == Source.MEMORY) {
                requireRunning();
                return topics.count(topic);
            }
            if (topics.source() != Source.FILES && servers.running() > 0) {
                try {
                    return topics.count(topic);
                } catch (final UserError e) {
                    detours.add(
                            "its messages could not be counted by a %s: %s"
                                    .formatted(serverNoun(), e.getMessage()));
                }
            }
            return found.stream().mapToLong(Verification::messages).max().orElse(0);
        }

        private void requireRunning() {
            if (servers.running() == 0) {
                throw UserError.environment(
                        "the store in %s is not running, and its files do not show what is stored; start it first."
                                .formatted(directory));
            }
        }

        /** From files wherever they tell: they need no server that runs, nor one that answers. */
        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            final Source source = topics().source();
            final boolean runs = servers.running() > 0;
            if (source == Source.FILES || source == Source.SERVERS_OR_FILES && !runs) {
                final StoredTopics topics = topics();
                return topics.readFiles(
                        servers.folder(memberToRead(topics, topic)), topic, fromOrdinal, handler);
            }
            if (source == Source.MEMORY) {
                requireRunning();
            } else if (!runs) {
                startAnywhere();
            }
            return topics().read(topic, fromOrdinal, handler);
        }

        /**
         * The members' ports may have been taken by somebody else meanwhile, and nobody but us
         * reads any more.
         */
        private void startAnywhere() {
            servers = servers(channel.anywhere(), directory, true);
            start();
        }

        private int memberToRead(final StoredTopics topics, final Topic topic) {
            if (servers.running() == 0) {
                return fullest(topics, topic);
            }
            try {
                final OptionalInt leader = topics.leader(topic);
                if (leader.isPresent()) {
                    return leader.getAsInt();
                }
            } catch (final UserError e) {
                detours.add(
                        "no %s reports which one leads, so the files that hold most were read: %s"
                                .formatted(serverNoun(), e.getMessage()));
                return fullest(topics, topic);
            }
            awaitWritten(topics, topic);
            return fullest(topics, topic);
        }

        /**
         * A server that refuses to count, because its disk is full or its cluster has no leader, is
         * waited for all the time that there is.
         */
        private void awaitWritten(final StoredTopics topics, final Topic topic) {
            long expected = Long.MAX_VALUE;
            try {
                expected = topics.expected(topic);
            } catch (final UserError e) {
                detours.add(
                        "no %s reported how many messages it has, so the files were read as they are: %s"
                                .formatted(serverNoun(), e.getMessage()));
            }
            final long startNs = SystemNanoClock.INSTANCE.nanoTime();
            while (expected > 0
                    && inFiles(topics, topic, fullest(topics, topic)) < expected
                    && SystemNanoClock.INSTANCE.nanoTime() - startNs < WRITE_PATIENCE.toNanos()) {
                LockSupport.parkNanos(LOOK_NS);
            }
        }

        private int fullest(final StoredTopics topics, final Topic topic) {
            return IntStream.rangeClosed(1, members())
                    .boxed()
                    .max(Comparator.comparingLong(member -> inFiles(topics, topic, member)))
                    .orElseThrow();
        }

        private long inFiles(final StoredTopics topics, final Topic topic, final int member) {
            return topics.verifyFiles(servers.folder(member), topic).messages();
        }

        @Override
        public List<String> troubles() {
            return Stream.concat(servers.troubles().stream(), detours.stream()).distinct().toList();
        }

        @Override
        public void close() {
            servers.close();
        }
    }

    /**
     * Topics at servers that somebody else runs: under a prefix of their own, as what begins with
     * the user's may be theirs, and deleted at the end. Their disks cannot be looked at from here,
     * and they are not killed.
     */
    private final class GivenStore implements StoreServer {
        private final BrokerChannel<P> channel;
        private boolean started;

        GivenStore(final BrokerChannel<P> given) {
            final String own = "tickmark-" + UUID.randomUUID().toString().substring(0, 8);
            final String prefix = given.uri().parameters().get(prefixParameter());
            channel =
                    channel(
                            given.uri()
                                    .with(
                                            prefixParameter(),
                                            prefix == null ? own : prefix + "." + own));
        }

        @Override
        public void start() {
            stored(channel).awaitReady(() -> {});
            started = true;
        }

        @Override
        public ChannelUri endpoint() {
            return channel.uri();
        }

        @Override
        public int members() {
            return BrokerStoreTransport.this.members(channel);
        }

        @Override
        public void kill(final int member) {
            throw notOurs("killed");
        }

        @Override
        public void restart(final int member) {
            throw notOurs("restarted");
        }

        private UserError notOurs(final String what) {
            return channel.wrong(
                    "the %s was not started here, so it cannot be %s; write %s: for one of our own"
                            .formatted(serverNoun(), what, scheme()));
        }

        @Override
        public Verification verify(final Topic topic) {
            return new Verification(stored(channel).count(topic), 0, 0);
        }

        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            return stored(channel).read(topic, fromOrdinal, handler);
        }

        @Override
        public void close() {
            if (started) {
                started = false;
                stored(channel).deleteAll();
            }
        }
    }
}
