package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The store of NATS: {@code jetstream:} for servers that are started, {@code jetstream://HOST:PORT}
 * for one that runs. See {@link JetStreamParameters} for the parameters.
 */
public final class JetStreamTransport extends BrokerStoreTransport<JetStreamParameters> {
    /** Connects to nothing yet. */
    public JetStreamTransport() {
        super("jetstream", NatsServer.DEFAULT_PORT, JetStreamParameters.class);
    }

    @Override
    protected String serverTitle() {
        return "NATS server";
    }

    @Override
    public String summary() {
        return "JetStream, the store of NATS: jetstream:, or jetstream://HOST:PORT for a server that runs; file or memory, one"
                + " to five replicas.";
    }

    @Override
    public Optional<String> missing() {
        return NatsServer.PROGRAM.absence();
    }

    @Override
    protected String prefixParameter() {
        return "subject";
    }

    @Override
    protected String serverName() {
        return "nats-server";
    }

    @Override
    protected void check(final BrokerChannel<JetStreamParameters> channel) {
        final JetStreamParameters parameters = channel.parameters();
        NatsServer.checkSubject(channel, parameters.client());
        if (parameters.members() > 0 && parameters.members() < parameters.replicas()) {
            throw channel.wrong(
                    "?replicas=%d needs that many servers, and ?members=%d is fewer"
                            .formatted(parameters.replicas(), parameters.members()));
        }
    }

    /** Pending messages are on the server's disk: nothing is lost, there is no back-pressure. */
    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return traits(true, channel(channel).parameters().client().server().maxPayloadBytes());
    }

    @Override
    protected int clientThreads(final BrokerChannel<JetStreamParameters> channel) {
        return NatsLink.CLIENT_THREADS;
    }

    @Override
    protected int members(final BrokerChannel<JetStreamParameters> channel) {
        final JetStreamParameters parameters = channel.parameters();
        return channel.startsServers() && parameters.members() > 0
                ? parameters.members()
                : parameters.replicas();
    }

    @Override
    protected ServerSpec server(
            final BrokerChannel<JetStreamParameters> channel,
            final ServerSpec.Member member,
            final List<ServerSpec.Member> all,
            final boolean stores) {
        final JetStreamParameters parameters = channel.parameters();
        final boolean always = parameters.sync() == JetStreamParameters.Sync.ALWAYS;
        final String interval = "\"%dms\"".formatted(parameters.syncInterval().toMillis());
        final boolean isAsked = always || !parameters.syncInterval().isZero();
        if (isAsked && !NatsServer.syncsOnRequest(channel)) {
            throw channel.failed(
                    "?sync=always and ?syncInterval= need nats-server 2.10 or later, and the one installed is older; name"
                            + " another by the environment variable "
                            + NatsServer.PROGRAM.variable(),
                    null);
        }
        final String jetStream =
                """
                server_name: "member-%d"
                jetstream {
                  store_dir: "%s"
                  %s
                }
                """
                        .formatted(
                                member.number(),
                                Streams.directory(member.folder()).toAbsolutePath(),
                                isAsked ? "sync_interval: " + (always ? "always" : interval) : "");
        return NatsServer.spec(
                channel,
                member,
                parameters.client(),
                all.size() > 1 ? jetStream + cluster(member, all) : jetStream);
    }

    private static String cluster(
            final ServerSpec.Member member, final List<ServerSpec.Member> all) {
        final HostPort address = member.address();
        return """
        cluster {
          name: "tickmark"
          listen: "%s:%d"
          routes: [%s]
        }
        """
                .formatted(
                        address.host(),
                        member.peerPort(),
                        all.stream()
                                .filter(other -> other.number() != member.number())
                                .map(other ->
                                        "\"nats://%s:%d\""
                                                .formatted(address.host(), other.peerPort()))
                                .collect(Collectors.joining(", ")));
    }

    @Override
    public Optional<ChannelUri> withMembers(final ChannelUri channel, final int members) {
        return Optional.of(channel.with("replicas", Integer.toString(members)));
    }

    @Override
    protected Optional<String> plainChannel() {
        return Optional.of("nats:");
    }

    @Override
    protected DurablePublication durable(
            final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        return JetStreamPublication.open(channel, topic);
    }

    @Override
    protected DurableSubscription durable(
            final BrokerChannel<JetStreamParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return JetStreamSubscription.open(channel, topic, fromOrdinal);
    }

    @Override
    protected StoredTopics stored(final BrokerChannel<JetStreamParameters> channel) {
        return new Streams(channel);
    }

    @Override
    protected Guarantees guarantees(final BrokerChannel<JetStreamParameters> channel) {
        final JetStreamParameters parameters = channel.parameters();
        final int copies = parameters.replicas();
        final int quorum = copies / 2 + 1;
        return new Guarantees(
                isInMemory(channel)
                        ? Durability.D0
                        : Durability.inFiles(
                                parameters.sync() == JetStreamParameters.Sync.ALWAYS, copies),
                copies,
                quorum,
                copies == 1
                        ? "the server has stored it"
                        : "the leader, when %d of %d have it in their logs"
                                .formatted(quorum, copies),
                isInMemory(channel) ? "never" : synced(parameters),
                "none: each message is acknowledged by itself",
                "none",
                parameters.deletion());
    }

    static boolean isInMemory(final BrokerChannel<JetStreamParameters> channel) {
        return channel.parameters().storage() == JetStreamParameters.Storage.MEMORY;
    }

    /** When a server syncs is its own setting, which it does not report to clients. */
    @Override
    protected Map<String, Object> storedFacts(final BrokerChannel<JetStreamParameters> channel) {
        final Map<String, Object> facts =
                guarantees(channel).facts(channel.startsServers() || isInMemory(channel));
        facts.put("dedup", channel.parameters().dedup());
        return facts;
    }

    private static String synced(final JetStreamParameters parameters) {
        if (parameters.sync() == JetStreamParameters.Sync.ALWAYS) {
            return "before the acknowledgement";
        }
        return parameters.syncInterval().isZero()
                ? "in the background, at the server's interval (2.9: 60 s, since 2.10: 2 min)"
                : "in the background, every " + parameters.syncInterval().toMillis() + " ms";
    }
}
