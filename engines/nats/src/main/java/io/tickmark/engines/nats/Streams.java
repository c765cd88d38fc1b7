package io.tickmark.engines.nats;

import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport.Source;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredTopics;
import io.tickmark.transport.broker.Patience;
import io.tickmark.transport.store.Deletion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/** The streams of a channel, one for each topic; a message's sequence is its ordinal plus one. */
final class Streams implements StoredTopics {
    static final JetStreamOptions OPTIONS =
            JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(10)).build();

    private static final int NOT_FOUND = 404;

    /**
     * "No suitable peers for placement", where a cluster has just formed; "JetStream system
     * temporarily unavailable", where it has no leader at the moment.
     */
    private static final Set<Integer> NOT_YET = Set.of(10_005, 10_008);

    /** "Subjects overlap with an existing stream". */
    private static final int OVERLAP = 10_065;

    private static final Duration CLUSTER_PATIENCE = Duration.ofSeconds(20);
    private static final Duration READY_PATIENCE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final BrokerChannel<JetStreamParameters> channel;

    Streams(final BrokerChannel<JetStreamParameters> channel) {
        this.channel = channel;
    }

    /** Where a server keeps its files. */
    static Path directory(final Path memberFolder) {
        return memberFolder.resolve("data");
    }

    static String subject(final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        return channel.parameters().client().subject() + ".stored." + NatsServer.tokens(topic);
    }

    /** Dots cannot stand in the name of a stream, nor can a tilde in a subject of ours. */
    static String name(final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        return namePrefix(channel) + NatsServer.tokens(topic).replace('.', '~');
    }

    private static String namePrefix(final BrokerChannel<JetStreamParameters> channel) {
        return channel.parameters().client().subject().replace('.', '~') + "~";
    }

    /** Creates it where it does not exist yet. */
    static StreamInfo ensure(
            final BrokerChannel<JetStreamParameters> channel,
            final NatsLink link,
            final Topic topic) {
        final StreamConfiguration wanted = wanted(channel, topic);
        return link.ask(
                "the stream '" + wanted.getName() + "' is not available",
                _ -> {
                    final JetStreamManagement management = link.management();
                    try {
                        return checked(channel, wanted, management.getStreamInfo(wanted.getName()));
                    } catch (final JetStreamApiException e) {
                        if (e.getErrorCode() != NOT_FOUND) {
                            throw e;
                        }
                        return made(channel, management, wanted);
                    }
                });
    }

    private static StreamInfo made(
            final BrokerChannel<?> channel,
            final JetStreamManagement management,
            final StreamConfiguration wanted)
            throws IOException, JetStreamApiException {
        try {
            return new Patience(CLUSTER_PATIENCE, LOOK)
                    .<StreamInfo, IOException, JetStreamApiException>ask(
                            () -> management.addStream(wanted),
                            refusal ->
                                    refusal instanceof final JetStreamApiException e
                                            && NOT_YET.contains(e.getApiErrorCode()));
        } catch (final JetStreamApiException e) {
            if (e.getApiErrorCode() != OVERLAP) {
                throw e;
            }
            final String subject = wanted.getSubjects().getFirst();
            throw channel.failed(
                    "what is published to %s goes to another stream (%s); delete that, or give ?subject="
                            .formatted(
                                    subject, String.join(", ", management.getStreamNames(subject))),
                    e);
        }
    }

    private static StreamConfiguration wanted(
            final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        final JetStreamParameters parameters = channel.parameters();
        return StreamConfiguration.builder()
                .name(name(channel, topic))
                .subjects(subject(channel, topic))
                .storageType(
                        JetStreamTransport.isInMemory(channel)
                                ? StorageType.Memory
                                : StorageType.File)
                .replicas(parameters.replicas())
                .retentionPolicy(
                        parameters.deletion() == Deletion.KEPT
                                ? RetentionPolicy.Limits
                                : RetentionPolicy.WorkQueue)
                .discardPolicy(DiscardPolicy.New)
                .duplicateWindow(parameters.dedupWindow())
                .build();
    }

    private static StreamInfo checked(
            final BrokerChannel<?> channel, final StreamConfiguration wanted, final StreamInfo is) {
        final StreamConfiguration found = is.getConfiguration();
        if (found.getStorageType() != wanted.getStorageType()
                || found.getReplicas() != wanted.getReplicas()
                || found.getRetentionPolicy() != wanted.getRetentionPolicy()) {
            throw channel.failed(
                    "the stream '%s' has storage=%s, replicas=%d and %s retention; ask for these, or give ?subject="
                            .formatted(
                                    wanted.getName(),
                                    found.getStorageType().toString().toLowerCase(Locale.ROOT),
                                    found.getReplicas(),
                                    found.getRetentionPolicy().toString().toLowerCase(Locale.ROOT)),
                    null);
        }
        if (!found.getSubjects().equals(wanted.getSubjects())) {
            throw channel.failed(
                    ("the stream '%s' takes what is published to %s, and not to %s alone; give it that one subject, delete it,"
                                    + " or give ?subject=")
                            .formatted(
                                    wanted.getName(),
                                    found.getSubjects().isEmpty()
                                            ? "no subject"
                                            : String.join(", ", found.getSubjects()),
                                    wanted.getSubjects().getFirst()),
                    null);
        }
        if (found.getNoAck()) {
            throw channel.failed(
                    "the stream '%s' acknowledges nothing; set no_ack to false there, or give ?subject="
                            .formatted(wanted.getName()),
                    null);
        }
        if (discards(found)) {
            throw channel.failed(
                    "the stream '%s' deletes old messages at its limits, acknowledged or not; remove max_age and"
                                    .formatted(wanted.getName())
                            + " max_msgs_per_subject there (or set discard_new_per_subject) and set discard to new,"
                            + " or give ?subject=",
                    null);
        }
        return is;
    }

    /** Whether messages that nobody has received may go: what was acknowledged is then lost. */
    private static boolean discards(final StreamConfiguration found) {
        final boolean isLimited = found.getMaxBytes() > 0 || found.getMaxMsgs() > 0;
        return isLimited && found.getDiscardPolicy() == DiscardPolicy.Old
                || found.getMaxMsgsPerSubject() > 0 && !found.isDiscardNewPerSubject()
                || !found.getMaxAge().isZero();
    }

    /** Asks the servers over a separate connection. */
    private <T> T ask(final String refused, final NatsLink.Request<T> request) {
        try (NatsLink link = new NatsLink(channel)) {
            return link.ask(refused, request);
        }
    }

    /** A cluster has to choose a leader before it accepts requests. */
    @Override
    public void awaitReady(final Runnable requireMajority) {
        if (!channel.startsServers()) {
            ask("the server has no JetStream", link -> link.management().getAccountStatistics());
            return;
        }
        final Patience patience = new Patience(READY_PATIENCE, LOOK);
        try (NatsLink link = new NatsLink(channel)) {
            while (!isReady(link)) {
                requireMajority.run();
                if (!patience.lasts()) {
                    throw channel.failed(
                            "JetStream is not ready within %d seconds; see the servers' logs"
                                    .formatted(READY_PATIENCE.toSeconds()),
                            null);
                }
            }
        }
    }

    private static boolean isReady(final NatsLink link) {
        try {
            final JetStreamManagement management = link.connection().jetStreamManagement();
            management.getAccountStatistics();
            for (final String stream : management.getStreamNames()) {
                management.getStreamInfo(stream);
            }
            return true;
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            return false; // not yet; the last case is a connection that broke
        }
    }

    @Override
    public long count(final Topic topic) {
        try (NatsLink link = new NatsLink(channel)) {
            return ensure(channel, link, topic).getStreamState().getMsgCount();
        }
    }

    @Override
    public long read(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        return ask(
                "topic " + topic.name() + " cannot be read back",
                link -> new ReadBack(link, topic, fromOrdinal, handler).read());
    }

    /** Where a server has lost messages itself, its first one says nothing of deleted ones. */
    @Override
    public long firstOrdinal(final Topic topic) {
        try (NatsLink link = new NatsLink(channel)) {
            final StreamState state = ensure(channel, link, topic).getStreamState();
            return state.getLostStreamData() == null
                    ? Math.max(0, state.getFirstSequence() - 1)
                    : 0;
        }
    }

    /** Streams of this channel, and no other. */
    @Override
    public void deleteAll() {
        ask(
                "its streams cannot be deleted",
                link -> {
                    final JetStreamManagement management = link.management();
                    for (final String stream : management.getStreamNames()) {
                        if (stream.startsWith(namePrefix(channel))) {
                            management.deleteStream(stream);
                        }
                    }
                    return null;
                });
    }

    /** Records of deleted messages stay in the files for a while. */
    @Override
    public Source source() {
        if (JetStreamTransport.isInMemory(channel)) {
            return Source.MEMORY;
        }
        return channel.parameters().deletion() == Deletion.KEPT ? Source.FILES : Source.SERVERS;
    }

    /** Servers of a cluster write accepted messages a moment later. */
    @Override
    public long expected(final Topic topic) {
        return count(topic);
    }

    @Override
    public StoredFiles files(final Path folder, final Topic topic) {
        return new BlockFiles(directory(folder), name(channel, topic));
    }

    /**
     * Reads the messages of a stream: with a consumer, and where that finds no more with single
     * requests, which a work queue with a consumer needs and which skip what the server cannot
     * read.
     */
    private final class ReadBack {
        private static final long SILENCE_NS = 2_000_000_000;
        private static final int NO_MESSAGE = 10_037;

        private final NatsLink link;
        private final String name;
        private final String subject;
        private final long last;
        private final MessageHandler handler;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long next;
        private long count;

        ReadBack(
                final NatsLink link,
                final Topic topic,
                final long fromOrdinal,
                final MessageHandler handler) {
            this.link = link;
            this.handler = handler;
            name = name(channel, topic);
            subject = subject(channel, topic);
            final StreamState state = ensure(channel, link, topic).getStreamState();
            next = Math.max(fromOrdinal + 1, state.getFirstSequence());
            last = state.getMsgCount() == 0 ? 0 : state.getLastSequence();
        }

        private long read() throws IOException, JetStreamApiException {
            if (next <= last && channel.parameters().deletion() == Deletion.KEPT) {
                readByConsumer();
            }
            readSingly(link.management());
            return count;
        }

        private void readByConsumer() throws IOException, JetStreamApiException {
            final IterableConsumer consumer =
                    JetStreamSubscription.ordered(link.stream(name), next)
                            .iterate(JetStreamSubscription.asking(channel));
            Message message = JetStreamSubscription.next(consumer, SILENCE_NS);
            while (message != null) {
                hand(message.metaData().streamSequence(), message.getData());
                message = next <= last ? JetStreamSubscription.next(consumer, SILENCE_NS) : null;
            }
            CloseHelper.quietClose(consumer); // the connection's end ends it
        }

        private void readSingly(final JetStreamManagement management)
                throws IOException, JetStreamApiException {
            while (next <= last) {
                try {
                    final MessageInfo found = management.getNextMessage(name, next, subject);
                    hand(found.getSeq(), found.getData() == null ? new byte[0] : found.getData());
                } catch (final JetStreamApiException e) {
                    if (e.getApiErrorCode() == NO_MESSAGE && e.getErrorCode() == NOT_FOUND) {
                        return;
                    }
                    // Throws where it answers nothing about the stream either: then nothing is
                    // known about this message, nor about those after it.
                    management.getStreamInfo(name);
                    next++; // it is damaged, and counts as missing
                }
            }
        }

        private void hand(final long sequence, final byte[] data) {
            next = sequence + 1;
            count++;
            buffer.wrap(data);
            handler.onMessage(buffer, 0, data.length);
        }
    }
}
