package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
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
        return traits(true, channel(channel).parameters().client().maxPayloadBytes());
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
        final boolean asks = always || !parameters.syncInterval().isZero();
        if (asks && !NatsServer.syncsOnRequest(channel)) {
            throw channel.failed(
                    "?sync=always and ?syncInterval= need nats-server 2.10 or later, and the one installed is older; name"
                            + " another by the environment variable "
                            + NatsServer.PROGRAM.variable(),
                    null);
        }
        final String sync =
                always
                        ? "sync_interval: always"
                        : asks
                                ? "sync_interval: \"%dms\""
                                        .formatted(parameters.syncInterval().toMillis())
                                : "";
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
                                sync);
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
    protected NatsLink connect(final BrokerChannel<JetStreamParameters> channel) {
        return new NatsLink(channel);
    }

    @Override
    protected String name(final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        return Streams.subject(channel, topic);
    }

    @Override
    public Optional<ChannelUri> withMembers(final ChannelUri channel, final int members) {
        return Optional.of(channel.with("replicas", Integer.toString(members)));
    }

    @Override
    public boolean carriesPlainMessages() {
        return false;
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        throw UserError.usage(
                "--channel "
                        + channel
                        + ": a store has no way back; measure round trips over nats: instead.");
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
        return promised(channel.parameters());
    }

    /** What a publication or a subscription reports about its stream. */
    static Map<String, Object> facts(
            final BrokerChannel<JetStreamParameters> channel, final NatsLink link) {
        final Map<String, Object> facts = link.facts();
        final JetStreamParameters parameters = channel.parameters();
        // when a server syncs is its own setting, which it does not report to clients
        final boolean isKnown =
                channel.startsServers()
                        || parameters.storage() == JetStreamParameters.Storage.MEMORY;
        facts.putAll(promised(parameters).facts(isKnown));
        facts.put("dedup", channel.parameters().dedup());
        return facts;
    }

    private static Guarantees promised(final JetStreamParameters parameters) {
        final int copies = parameters.replicas();
        final int quorum = copies / 2 + 1;
        return new Guarantees(
                durability(parameters),
                copies,
                quorum,
                copies == 1
                        ? "the server has stored it"
                        : "the leader, when %d of %d have it in their logs"
                                .formatted(quorum, copies),
                synced(parameters),
                "none: each message is acknowledged by itself",
                "none",
                parameters.deletion());
    }

    private static Durability durability(final JetStreamParameters parameters) {
        final boolean always = parameters.sync() == JetStreamParameters.Sync.ALWAYS;
        if (parameters.storage() == JetStreamParameters.Storage.MEMORY) {
            return Durability.D0;
        }
        if (parameters.replicas() > 1) {
            return always ? Durability.D4 : Durability.D3;
        }
        return always ? Durability.D2 : Durability.D1;
    }

    private static String synced(final JetStreamParameters parameters) {
        if (parameters.storage() == JetStreamParameters.Storage.MEMORY) {
            return "never";
        }
        if (parameters.sync() == JetStreamParameters.Sync.ALWAYS) {
            return "before the acknowledgement";
        }
        return parameters.syncInterval().isZero()
                ? "in the background, at the server's interval (2.9: 60 s, since 2.10: 2 min)"
                : "in the background, every " + parameters.syncInterval().toMillis() + " ms";
    }
}
