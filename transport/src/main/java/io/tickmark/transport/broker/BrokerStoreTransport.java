package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A broker whose topics can be stored. Besides what {@link BrokerTransport} requires, an author
 * implements how to publish, read and acknowledge stored messages, and how to find them in files,
 * or, for {@link StoredQueues}, how to read a queue at its server.
 *
 * @param <P> the settings record
 */
public abstract class BrokerStoreTransport<P extends Record> extends BrokerTransport<P>
        implements DurableTransport {
    /** A server of a cluster may write what it has taken a moment later. */
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(5);

    private static final long LOOK_NS = 20_000_000;
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final long AWAIT_NS = 100_000_000;

    /**
     * Loads no class of the engine yet.
     *
     * @param scheme of its channels
     * @param defaultPort of servers that are given only by their host
     * @param parameters the settings record of its channels
     */
    protected BrokerStoreTransport(
            final String scheme, final int defaultPort, final Class<P> parameters) {
        super(scheme, defaultPort, parameters);
    }

    /** The stored topics of a channel: queried from its servers, or looked up in their files. */
    public interface StoredTopics {
        /**
         * Waits until the servers accept messages.
         *
         * @param requireMajority throws where too few of our servers run for that; to be called
         *     while it waits
         * @throws UserError if they do not
         */
        void awaitReady(Runnable requireMajority);

        /**
         * Queries how many messages a topic has.
         *
         * @param topic to count
         * @return the count, without deleted ones
         */
        long count(Topic topic);

        /**
         * Reads through the servers what is stored when it is called.
         *
         * @param topic to read
         * @param fromOrdinal first message to read
         * @param handler called for each
         * @return messages passed to the handler
         */
        long read(Topic topic, long fromOrdinal, MessageHandler handler);

        /**
         * Reads by a subscription what is stored, for {@link #read}.
         *
         * @param reader that was just opened at the first message to read
         * @param fromOrdinal first message to read that is not deleted
         * @param end ordinal of the message up to which is read, which is not read
         * @param handler called for each
         * @return messages passed to the handler
         * @throws UserError if the server sends nothing for ten seconds
         */
        static long readUpTo(
                final DurableSubscription reader,
                final long fromOrdinal,
                final long end,
                final MessageHandler handler) {
            long count = 0;
            long sinceNs = SystemNanoClock.INSTANCE.nanoTime();
            while (Math.max(reader.ordinal(), fromOrdinal - 1) < end - 1) {
                final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
                if (reader.poll(handler, 1) > 0) {
                    count++;
                    sinceNs = nowNs;
                } else if (nowNs - sinceNs > SILENCE.toNanos()) {
                    throw UserError.environment(
                            "--channel %s: the server has sent nothing for %d s, after message %d of %d."
                                    .formatted(
                                            reader.channel(),
                                            SILENCE.toSeconds(),
                                            reader.ordinal(),
                                            end));
                } else {
                    reader.await(AWAIT_NS);
                }
            }
            return count;
        }

        /**
         * Queries where a topic begins, at a server that somebody else runs: a limit, a policy or
         * another program may have deleted messages there.
         *
         * @param topic to look for
         * @return ordinal of the first message that is not deleted, or of the next one where there
         *     is none; 0 by default, where a server does not report it
         * @throws UserError if no server answers
         */
        default long firstOrdinal(final Topic topic) {
            return 0;
        }

        /** Deletes all topics that begin with the channel's prefix. */
        void deleteAll();

        /**
         * Where to look up what is stored.
         *
         * @return files by default
         */
        default Source source() {
            return Source.FILES;
        }

        /**
         * The member whose files are current while servers run.
         *
         * @param topic to read
         * @return a member, from 1; empty by default, for the one with the most messages
         * @throws UserError if no server answers
         */
        default OptionalInt leader(final Topic topic) {
            return OptionalInt.empty();
        }

        /**
         * How many messages the files have or will have in a moment, while servers run; the caller
         * waits for them.
         *
         * @param topic to read
         * @return 0 by default, where servers write before they acknowledge
         * @throws UserError if no server answers
         */
        default long expected(final Topic topic) {
            return 0;
        }

        /**
         * The files in which one server keeps a topic. Nothing is read before a method is called.
         *
         * @param folder of the member
         * @param topic to look for
         * @return its files, of which there may be none
         */
        StoredFiles files(Path folder, Topic topic);
    }

    /** What one server has on its disk of one topic. */
    public interface StoredFiles {
        /**
         * Checks all of it.
         *
         * @return what it found; no messages where the server never had the topic
         */
        StoreServer.Verification verify();

        /**
         * Passes on whole messages that are not deleted, in their order.
         *
         * @param fromOrdinal first message to read
         * @param handler called for each
         * @return messages passed to the handler
         * @throws java.io.UncheckedIOException if the files cannot be read or are not there, which
         *     does not show that nothing was stored
         */
        long read(long fromOrdinal, MessageHandler handler);
    }

    /**
     * Stored topics that are queues which only their server can read; it is unknown what it has cut
     * off.
     */
    public interface StoredQueues extends StoredTopics {
        /**
         * Passes on all that a queue holds, from its first message on; it stays there.
         *
         * @param topic to read
         * @param visitor called for each message, also damaged ones
         * @throws UserError if not all of it can be read
         */
        void readAll(Topic topic, Consumer<StoredMessage<?>> visitor);

        @Override
        default Source source() {
            return Source.SERVERS;
        }

        @Override
        default long count(final Topic topic) {
            return read(topic, 0, (buffer, offset, length) -> {});
        }

        @Override
        default long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
            final MutableLong count = new MutableLong();
            final MutableLong next = new MutableLong(fromOrdinal);
            readAll(
                    topic,
                    message -> {
                        if (message.isWhole() && message.ordinal() >= next.get()) {
                            next.set(message.ordinal() + 1);
                            count.increment();
                            buffer.wrap(message.bytes(), 0, message.payloadBytes());
                            handler.onMessage(buffer, 0, buffer.capacity());
                        }
                    });
            return count.get();
        }

        /** The server is asked in their place. */
        @Override
        default StoredFiles files(final Path folder, final Topic topic) {
            return new StoredFiles() {
                @Override
                public StoreServer.Verification verify() {
                    final MutableLong whole = new MutableLong();
                    final MutableLong damaged = new MutableLong();
                    readAll(topic, message -> (message.isWhole() ? whole : damaged).increment());
                    return new StoreServer.Verification(whole.get(), 0, damaged.get());
                }

                @Override
                public long read(final long fromOrdinal, final MessageHandler handler) {
                    return StoredQueues.this.read(topic, fromOrdinal, handler);
                }
            };
        }
    }

    /** Where to look up which messages are stored. */
    public enum Source {
        /** The files. */
        FILES,
        /** The servers; where none runs, the files, which may also hold deleted messages. */
        SERVERS_OR_FILES,
        /** Only the servers, which are started for it where none runs. */
        SERVERS,
        /** Only the servers, as long as one runs: messages are in memory. */
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
     * The guarantees of a checked channel.
     *
     * @param channel with its parameters
     * @return what is guaranteed
     */
    protected abstract Guarantees guarantees(BrokerChannel<P> channel);

    /**
     * What both ends of a stored topic report about their channel.
     *
     * @param channel with its parameters
     * @return by default the guarantees, of which the class is claimed at servers that were not
     *     started here: they do not report to clients how they are configured
     */
    protected Map<String, Object> storedFacts(final BrokerChannel<P> channel) {
        return guarantees(channel).facts(channel.startsServers());
    }

    private BrokerChannel<P> reporting(final ChannelUri uri) {
        final BrokerChannel<P> channel = channel(uri);
        return channel.reporting(storedFacts(channel));
    }

    /**
     * Its stored topics.
     *
     * @param channel whose servers run, or ran
     * @return the topics; nothing is opened until they are used
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
        final DurablePublication publication = durable(reporting(channel), topic);
        BoundedClose.serverAnswered();
        return publication;
    }

    @Override
    public final DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        final DurableSubscription subscription = durable(reporting(channel), topic, fromOrdinal);
        BoundedClose.serverAnswered();
        return subscription;
    }

    /**
     * Where messages that are not stored go instead of through its channels.
     *
     * @return a channel of another transport, for users; empty by default, where they go through
     *     its own, which then also connects and names topics
     */
    protected Optional<String> plainChannel() {
        return Optional.empty();
    }

    @Override
    public final boolean carriesPlainMessages() {
        return plainChannel().isEmpty();
    }

    @Override
    protected Link connect(final BrokerChannel<P> channel) {
        throw new UnsupportedOperationException("no plain messages over " + scheme());
    }

    @Override
    protected String name(final BrokerChannel<P> channel, final Topic topic) {
        throw new UnsupportedOperationException("no plain messages over " + scheme());
    }

    /** Echoes are not stored. */
    @Override
    public final Exchange exchange(
            final ChannelUri uri, final Topic topic, final ExchangeSide side, final int cookie) {
        if (carriesPlainMessages()) {
            return super.exchange(uri, topic, side, cookie);
        }
        throw channel(uri)
                .wrong(
                        "a store cannot carry echoes; measure round trips over %s instead"
                                .formatted(plainChannel().orElseThrow()));
    }

    @Override
    public Publication publication(final ChannelUri uri, final Topic topic) {
        return carriesPlainMessages()
                ? super.publication(uri, topic)
                : durablePublication(uri, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri uri, final Topic topic) {
        return carriesPlainMessages()
                ? super.subscription(uri, topic)
                : durableSubscription(uri, topic, 0);
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return Duration.ofSeconds(60);
    }

    @Override
    public final StoreServer store(final ChannelUri uri, final Path directory) {
        final BrokerChannel<P> channel = channel(uri);
        if (channel.startsServers()) {
            return new OwnStore(channel, directory, servers(channel, directory, true));
        }
        noteGiven(channel);
        return new GivenStore(channel);
    }

    /**
     * A store that we started as another channel sees it, perhaps with its own prefix: for tests
     * that share one store.
     *
     * @param store that {@link #store} made, of servers that are started
     * @param channel with other parameters; its address is ignored
     * @return the same servers; starting, killing or closing it affects both
     */
    @SuppressWarnings("unchecked") // the transport's own class, created by this transport
    final StoreServer seenBy(final StoreServer store, final ChannelUri channel) {
        final OwnStore own = (OwnStore) store;
        return new OwnStore(channel(channel), own.directory, own.servers);
    }

    /** Servers that we start, each with its data in its folder. */
    private final class OwnStore implements StoreServer {
        private final BrokerChannel<P> channel;
        private final Path directory;
        private volatile BrokerServers<P> servers;

        /**
         * Why it could not read in its usual way, and what servers said that others have replaced;
         * reported with the engine's own errors.
         */
        private final Set<String> detours = new LinkedHashSet<>();

        /** Which servers had ended that others have replaced. */
        private final Set<String> endedBefore = new LinkedHashSet<>();

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
            servers.requireRoom();
            startServers();
        }

        private void startServers() {
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
                    throw channel.failed(
                            "too few of its members are running; see " + directory, null);
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
                            .mapToObj(
                                    member -> topics.files(servers.folder(member), topic).verify())
                            .toList();
            final Verification all = found.stream().reduce(Verification.EMPTY, Verification::plus);
            return new Verification(
                    messages(topics, topic, found), all.tornBytes(), all.corrupted());
        }

        /** Deleted messages may remain in the files, so a server is queried where possible. */
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

        /**
         * Read from files wherever possible: they need no running server, nor one that answers.
         * Where more may be stored than the files show, what they show is passed on first.
         */
        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            final Source source = topics().source();
            final boolean runs = servers.running() > 0;
            if (source == Source.FILES || source == Source.SERVERS_OR_FILES && !runs) {
                final StoredTopics topics = topics();
                final Set<String> doubts = new LinkedHashSet<>();
                final int member = memberToRead(topics, topic, doubts);
                final long count =
                        topics.files(servers.folder(member), topic).read(fromOrdinal, handler);
                if (!doubts.isEmpty()) {
                    throw channel.failed(String.join("; ", doubts), null);
                }
                return count;
            }
            if (source == Source.MEMORY) {
                requireRunning();
            } else if (!runs) {
                startAnywhere();
            }
            return topics().read(topic, fromOrdinal, handler);
        }

        /**
         * Another process may have taken the members' ports meanwhile, and only we read from now
         * on.
         */
        private void startAnywhere() {
            detours.addAll(servers.troubles());
            endedBefore.addAll(servers.ended());
            servers = servers(channel.anywhere(), directory, true);
            startServers(); // a full disk can be read
        }

        /**
         * The member whose files are read.
         *
         * @param doubts receives why other members may have more, each a clause
         */
        private int memberToRead(
                final StoredTopics topics, final Topic topic, final Set<String> doubts) {
            doubtMissingFolders(doubts);
            if (servers.running() == 0) {
                final int fullest = fullest(topics, topic);
                doubtDifferentMembers(topics, topic, fullest, doubts);
                return fullest;
            }
            try {
                final OptionalInt leader = topics.leader(topic);
                if (leader.isPresent()) {
                    return leader.getAsInt();
                }
            } catch (final UserError e) {
                doubts.add(
                        "no %s reports a leader, so the fullest files were read (%s)"
                                .formatted(serverNoun(), e.getMessage()));
                return fullest(topics, topic);
            }
            awaitWritten(topics, topic, doubts);
            return fullest(topics, topic);
        }

        private void doubtMissingFolders(final Set<String> doubts) {
            IntStream.rangeClosed(1, members())
                    .filter(member -> !Files.isDirectory(servers.folder(member)))
                    .forEach(member ->
                            doubts.add(
                                    "the folder of member %d (%s) is missing"
                                            .formatted(member, servers.folder(member))));
        }

        /** Without a server nobody knows which of different members has what was acknowledged. */
        private void doubtDifferentMembers(
                final StoredTopics topics,
                final Topic topic,
                final int read,
                final Set<String> doubts) {
            final List<Long> counts =
                    IntStream.rangeClosed(1, members())
                            .mapToObj(member -> inFiles(topics, topic, member))
                            .toList();
            if (counts.stream().distinct().count() > 1) {
                doubts.add(
                        "no %s is running, and the members' files hold %s messages; those of member %d were read"
                                .formatted(
                                        serverNoun(),
                                        counts.stream()
                                                .map(count -> Long.toString(count))
                                                .collect(Collectors.joining(", ")),
                                        read));
            }
        }

        /**
         * Waits until the files hold what the servers report, or no longer grow where no server
         * reports it: its disk may be full, or its cluster has no leader. Damaged messages are not
         * waited for.
         */
        private void awaitWritten(
                final StoredTopics topics, final Topic topic, final Set<String> doubts) {
            long expected = Long.MAX_VALUE;
            try {
                expected = topics.expected(topic);
            } catch (final UserError e) {
                doubts.add(
                        "no %s reported how many messages it has, so the files were read as they are (%s)"
                                .formatted(serverNoun(), e.getMessage()));
            }
            final long startNs = SystemNanoClock.INSTANCE.nanoTime();
            long grownNs = startNs;
            long written = expected > 0 ? inFullest(topics, topic) : 0;
            while (written < expected) {
                LockSupport.parkNanos(LOOK_NS);
                final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
                final long now = inFullest(topics, topic);
                grownNs = now > written ? nowNs : grownNs;
                written = now;
                if (nowNs - grownNs > WRITE_PATIENCE.toNanos()) {
                    break;
                }
            }
            if (written < expected && expected < Long.MAX_VALUE) {
                doubts.add(
                        "a %s reports %d messages, and its files show %d"
                                .formatted(serverNoun(), expected, written));
            }
        }

        /** Those that are damaged included: no more of them will be written. */
        private long inFullest(final StoredTopics topics, final Topic topic) {
            final Verification found =
                    topics.files(servers.folder(fullest(topics, topic)), topic).verify();
            return found.messages() + found.corrupted();
        }

        private int fullest(final StoredTopics topics, final Topic topic) {
            return IntStream.rangeClosed(1, members())
                    .boxed()
                    .max(Comparator.comparingLong(member -> inFiles(topics, topic, member)))
                    .orElseThrow();
        }

        private long inFiles(final StoredTopics topics, final Topic topic, final int member) {
            return topics.files(servers.folder(member), topic).verify().messages();
        }

        @Override
        public List<String> troubles() {
            return Stream.concat(detours.stream(), servers.troubles().stream()).distinct().toList();
        }

        @Override
        public List<String> ended() {
            return Stream.concat(endedBefore.stream(), servers.ended().stream())
                    .distinct()
                    .toList();
        }

        @Override
        public void close() {
            servers.close();
        }
    }

    /**
     * Topics at servers that somebody else runs: they get their own prefix, as names with the
     * user's prefix may belong to the user, and are deleted at the end. The disks of these servers
     * cannot be read from here, and the servers are not killed.
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
                    "the %s was not started here, so it cannot be %s; write %s: for one that tickmark starts"
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
        public long firstOrdinal(final Topic topic) {
            return stored(channel).firstOrdinal(topic);
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
