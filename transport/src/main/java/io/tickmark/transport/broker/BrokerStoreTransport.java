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
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A broker whose topics can be stored. Beside what {@link BrokerTransport} asks for, an author
 * writes how to publish, read and acknowledge stored messages, and how to find them in files. The
 * settings record of its channels has {@code String prefix}, the first part of all names.
 *
 * @param <P> the settings record
 */
public abstract class BrokerStoreTransport<P extends Record> extends BrokerTransport<P>
        implements DurableTransport {
    private static final String PREFIX = "prefix";

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
         * @throws UserError if they do not
         */
        void awaitReady();

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
         * Whether files tell what is stored: not where messages are in memory, or deleted ones stay
         * in the files.
         *
         * @return true where they do
         */
        default boolean areInFiles() {
            return true;
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
        return channel.startsServers() ? new OwnStore(channel, directory) : new GivenStore(channel);
    }

    /** Servers that we run, each with its data in its folder. */
    private final class OwnStore implements StoreServer {
        private final BrokerChannel<P> channel;
        private final Path directory;
        private final BrokerServers<P> servers;

        OwnStore(final BrokerChannel<P> channel, final Path directory) {
            this.channel = channel;
            this.directory = directory;
            servers = servers(channel, directory, true);
        }

        private StoredTopics topics() {
            return stored(servers.reached());
        }

        @Override
        public void start() {
            servers.start();
            try {
                topics().awaitReady();
            } catch (final RuntimeException e) {
                close();
                throw e;
            }
        }

        @Override
        public ChannelUri endpoint() {
            return servers.reached().uri();
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
            if (servers.running() > members() / 2) {
                topics().awaitReady();
            }
        }

        @Override
        public Verification verify(final Topic topic) {
            final List<Verification> found =
                    IntStream.rangeClosed(1, members())
                            .mapToObj(member -> topics().verifyFiles(servers.folder(member), topic))
                            .toList();
            final boolean asks = !topics().areInFiles() && servers.running() > 0;
            return new Verification(
                    asks
                            ? topics().count(topic)
                            : found.stream().mapToLong(Verification::messages).max().orElse(0),
                    found.stream().mapToLong(Verification::tornBytes).sum(),
                    found.stream().mapToLong(Verification::corrupted).sum());
        }

        /** From files wherever they tell, so also when no server runs any more. */
        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            final StoredTopics topics = topics();
            if (!topics.areInFiles()) {
                if (servers.running() == 0) {
                    throw UserError.environment(
                            "the store in %s is not running, and its files do not tell what is stored; start it first."
                                    .formatted(directory));
                }
                return topics.read(topic, fromOrdinal, handler);
            }
            final int fullest =
                    IntStream.rangeClosed(1, members())
                            .boxed()
                            .max(
                                    Comparator.comparingLong(member ->
                                            topics.verifyFiles(servers.folder(member), topic)
                                                    .messages()))
                            .orElseThrow();
            return topics.readFiles(servers.folder(fullest), topic, fromOrdinal, handler);
        }

        @Override
        public List<Long> onMembers(final Topic topic) {
            return topics().areInFiles()
                    ? IntStream.rangeClosed(1, members())
                            .mapToObj(member ->
                                    topics().verifyFiles(servers.folder(member), topic).messages())
                            .toList()
                    : List.of();
        }

        @Override
        public List<String> troubles() {
            return servers.troubles();
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
            final String prefix = given.uri().parameters().get(PREFIX);
            channel = channel(given.uri().with(PREFIX, prefix == null ? own : prefix + "." + own));
        }

        @Override
        public void start() {
            stored(channel).awaitReady();
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
                    "the server was not started here, so it cannot be %s; write %s: for one of our own"
                            .formatted(what, scheme()));
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
