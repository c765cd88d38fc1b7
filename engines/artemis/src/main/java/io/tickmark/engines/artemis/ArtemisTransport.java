package io.tickmark.engines.artemis;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/**
 * ActiveMQ Artemis: {@code artemis://HOST:PORT}, or {@code artemis:} for a server that is started.
 * Plain streams use a multicast address with a queue for each subscriber, stored ones a durable
 * queue. See {@link ArtemisParameters} for the parameters.
 */
public final class ArtemisTransport extends BrokerStoreTransport<ArtemisParameters> {
    private static final int DEFAULT_PORT = 61616;
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final int LONGEST_PREFIX = 200;
    private static final String PROPERTIES = "server.properties";

    /** Connects to nothing yet. */
    public ArtemisTransport() {
        super("artemis", DEFAULT_PORT, ArtemisParameters.class);
    }

    @Override
    public String summary() {
        return "ActiveMQ Artemis: artemis://HOST:PORT, or artemis: for a server started here; an address with a queue for each"
                + " subscriber, and durable queues as a store.";
    }

    @Override
    protected void check(final BrokerChannel<ArtemisParameters> channel) {
        final ArtemisParameters parameters = channel.parameters();
        channel.requireName(parameters.broker().prefix(), LONGEST_PREFIX);
        channel.requireOneServer();
        parameters.credentials().check(channel);
    }

    @Override
    protected String serverTitle() {
        return "Artemis server";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("artemis:", true));
    }

    /** One reads the socket, another hands messages over. */
    @Override
    protected int clientThreads(final BrokerChannel<ArtemisParameters> channel) {
        return 2;
    }

    /** They are not durable, so no journal has them; the server confirms what it has routed. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return PlainMessages.inMemory(traits(channel))
                .acknowledged("the server has it in the queues of its subscribers")
                .slowReceiver("messages wait in its queue at the server, which pages them to disk");
    }

    @Override
    public Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        return isStored ? Set.of() : Set.of("deletion", "sync");
    }

    @Override
    protected Duration serverStart() {
        return Duration.ofSeconds(4);
    }

    /** What a slow subscriber does not receive waits in its queue at the server. */
    @Override
    public TransportTraits traits(final ChannelUri uri) {
        final BrokerChannel<ArtemisParameters> channel = channel(uri);
        return traits(channel.startsServers(), channel.parameters().broker().maxPayloadBytes());
    }

    /**
     * A separate JVM with this process's class path. A store whose messages are kept refuses
     * messages when its memory is full: paged to disk, they would be written and read in another
     * way, and nothing in a result would say so.
     */
    @Override
    protected ServerSpec server(
            final BrokerChannel<ArtemisParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final ArtemisParameters parameters = channel.parameters();
        final String text =
                """
                host=%s
                port=%d
                maxMessageBytes=%d
                sync=%s
                whenFull=%s
                """
                        .formatted(
                                member.address().address().getHostAddress(),
                                member.address().port(),
                                parameters.broker().maxPayloadBytes()
                                        + ArtemisClient.MESSAGE_OVERHEAD_BYTES,
                                parameters.sync(),
                                stores && parameters.deletion() == Deletion.KEPT ? "FAIL" : "PAGE");
        return new ServerSpec(
                ServerProcess.java(
                        List.of(
                                "-Xmx" + parameters.serverHeapMib() + "m",
                                "-XX:+UseG1GC",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Djava.awt.headless=true"),
                        ArtemisServer.class,
                        List.of(member.folder().resolve(PROPERTIES).toString())),
                Map.of(PROPERTIES, text),
                ArtemisServer.READY,
                ArtemisServer.FAILED,
                List.of(ArtemisServer.ENDED),
                START_PATIENCE);
    }

    @Override
    protected Link connect(final BrokerChannel<ArtemisParameters> channel) {
        return new ArtemisLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<ArtemisParameters> channel, final Topic topic) {
        return channel.parameters().broker().prefix() + "." + topic.name();
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return START_PATIENCE;
    }

    /** Artemis, "Persistence" and "Guarantees of sends and commits". */
    @Override
    protected Guarantees guarantees(final BrokerChannel<ArtemisParameters> channel) {
        final boolean syncs = channel.parameters().sync();
        return new Guarantees(
                Durability.inFiles(syncs, 1),
                1,
                1,
                "the server has written it to its journal",
                syncs
                        ? "before the acknowledgement (journal-datasync)"
                        : "when the system writes its page cache back (journal-datasync=false)",
                "what arrives within 3.3 ms is written together (journal-buffer-timeout)",
                "none",
                channel.parameters().deletion());
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<ArtemisParameters> channel, final Topic topic) {
        return ArtemisQueuePublication.open(channel, new ArtemisQueue(channel, topic));
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<ArtemisParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return new ArtemisQueueSubscription(channel, new ArtemisQueue(channel, topic), fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<ArtemisParameters> channel) {
        return new Queues(channel);
    }

    /** Queues of a channel. */
    private record Queues(BrokerChannel<ArtemisParameters> channel) implements StoredQueues {
        @Override
        public void awaitReady(final Runnable requireMajority) {
            ask(ClientSession::getVersion);
        }

        @Override
        public void readAll(final Topic topic, final Consumer<StoredMessage<?>> visitor) {
            ask(session -> {
                new ArtemisQueue(channel, topic).readAll(session, visitor);
                return 0;
            });
        }

        @Override
        public void deleteAll() {
            ask(session -> {
                final String prefix = channel.parameters().broker().prefix() + ".";
                for (final Object name :
                        (Object[]) ArtemisClient.attribute(session, "queueNames")) {
                    if (name.toString().startsWith(prefix)) {
                        session.deleteQueue(name.toString());
                    }
                }
                return 0;
            });
        }

        /** What a server is asked. */
        private interface Question<T> {
            T put(ClientSession session) throws ActiveMQException;
        }

        private <T> T ask(final Question<T> question) {
            try (ArtemisClient client = new ArtemisClient(channel)) {
                try {
                    return question.put(client.session(false));
                } catch (final ActiveMQException e) {
                    throw client.refused(e);
                } catch (final IllegalStateException e) {
                    throw channel.failed(e.getMessage(), e);
                }
            }
        }
    }
}
