package io.tickmark.engines.pulsar;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Apache Pulsar: {@code pulsar://HOST:PORT}, or {@code pulsar:} for a server that is started from
 * an installation. Each subscriber has a subscription of its own. See {@link PulsarParameters} for
 * the parameters.
 */
public final class PulsarTransport extends BrokerStoreTransport<PulsarParameters> {
    private static final int DEFAULT_PORT = 6650;
    private static final int LONGEST_PREFIX = 200;

    /** Connects to nothing yet. */
    public PulsarTransport() {
        super("pulsar", DEFAULT_PORT, PulsarParameters.class);
    }

    @Override
    public String summary() {
        return "Apache Pulsar: pulsar://HOST:PORT, or pulsar: for a server started here from an installation; topics, persistent"
                + " (BookKeeper) or not, and persistent topics as a store.";
    }

    @Override
    public Optional<String> missing() {
        return PulsarServer.absence();
    }

    @Override
    protected void check(final BrokerChannel<PulsarParameters> channel) {
        final PulsarParameters parameters = channel.parameters();
        channel.requireName(parameters.broker().prefix(), LONGEST_PREFIX);
        channel.requireOneServer();
        if (!parameters.namespace().matches("[A-Za-z0-9=:._-]+/[A-Za-z0-9=:._-]+")) {
            throw channel.wrong(
                    "?namespace=%s is not the name of a namespace; write TENANT/NAMESPACE, such as public/default"
                            .formatted(parameters.namespace()));
        }
    }

    @Override
    protected void readFiles(final BrokerChannel<PulsarParameters> channel) {
        PulsarConnection.token(channel);
    }

    @Override
    protected String serverTitle() {
        return "Pulsar server";
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("pulsar:", true), new Kind("pulsar:?persistent=true", true));
    }

    /** One is at the socket, another hands messages over. */
    @Override
    protected int clientThreads(final BrokerChannel<PulsarParameters> channel) {
        return 2;
    }

    /** The broker answers for a topic that is not persistent once it has handed the message on. */
    @Override
    public PlainMessages plainMessages(final ChannelUri uri) {
        final BrokerChannel<PulsarParameters> channel = channel(uri);
        return channel.parameters().persistent()
                ? promised(channel.parameters()).plain("messages wait at the server, on disk")
                : PlainMessages.inMemory(traits(uri))
                        .acknowledged("the server has received it, or dropped it")
                        .batching(gathered(channel.parameters()))
                        .slowReceiver("the server drops what its receiver queue has no room for");
    }

    /** Nothing of a topic that is not persistent is in a journal. */
    @Override
    public Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        if (isStored) {
            return Set.of("persistent");
        }
        return channel(channel).parameters().persistent()
                ? Set.of("deletion")
                : Set.of("deletion", "sync");
    }

    private static String gathered(final PulsarParameters parameters) {
        return parameters.batching()
                ? "the client gathers messages for %d us".formatted(parameters.batchingDelayUs())
                : PlainMessages.NONE;
    }

    @Override
    protected Duration serverStart() {
        return Duration.ofSeconds(15);
    }

    /** What is persistent waits for a slow subscriber at the server, which drops what is not. */
    @Override
    public TransportTraits traits(final ChannelUri uri) {
        final BrokerChannel<PulsarParameters> channel = channel(uri);
        final PulsarParameters parameters = channel.parameters();
        return traits(
                parameters.persistent() && channel.startsServers(),
                parameters.broker().maxPayloadBytes());
    }

    @Override
    protected ServerSpec server(
            final BrokerChannel<PulsarParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        return PulsarServer.spec(channel, member);
    }

    @Override
    protected Link connect(final BrokerChannel<PulsarParameters> channel) {
        return new PulsarLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<PulsarParameters> channel, final Topic topic) {
        final PulsarParameters parameters = channel.parameters();
        return "%s://%s/%s.%s"
                .formatted(
                        parameters.persistent() ? "persistent" : "non-persistent",
                        parameters.namespace(),
                        parameters.broker().prefix(),
                        topic.name());
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return PulsarServer.START_PATIENCE;
    }

    /** BookKeeper, "The BookKeeper protocol" and "Configuration" (journalSyncData). */
    @Override
    protected Guarantees guarantees(final BrokerChannel<PulsarParameters> channel) {
        final PulsarParameters parameters = channel.parameters();
        if (parameters.subscription() == PulsarParameters.Subscribing.SHARED) {
            throw channel.wrong(
                    "a store's subscriber acknowledges all messages up to one, and ?subscription=shared takes single ones; give"
                            + " exclusive or failover");
        }
        return promised(parameters);
    }

    private static Guarantees promised(final PulsarParameters parameters) {
        return new Guarantees(
                Durability.inFiles(parameters.sync(), 1),
                1,
                1,
                "the bookie has written it to its journal",
                parameters.sync()
                        ? "before the acknowledgement (journalSyncData)"
                        : "when the system writes its page cache back (journalSyncData=false)",
                (parameters.batching() ? gathered(parameters) + "; " : "")
                        + "what reaches the bookie within 1 ms is synced together (journalMaxGroupWaitMSec)",
                "none",
                parameters.deletion());
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<PulsarParameters> channel, final Topic topic) {
        return PulsarStorePublication.open(channel, new StoredTopic(channel, topic));
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<PulsarParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return PulsarStoreSubscription.open(channel, new StoredTopic(channel, topic), fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<PulsarParameters> channel) {
        return new StoredTopic.All(channel);
    }
}
