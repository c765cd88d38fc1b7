package io.tickmark.engines.aeron.cluster;

import io.tickmark.engines.aeron.MemberProcess;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Streams that an Aeron Cluster agrees on: {@code cluster:?members=3&sync=1}. */
public final class ClusterTransport implements DurableTransport {
    private static final int ALIGNMENT = 32;

    /** For the service loader. */
    public ClusterTransport() {}

    @Override
    public String scheme() {
        return "cluster";
    }

    @Override
    public String summary() {
        return "Aeron Cluster: a log that most of several members agree on by Raft, on this host.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return ClusterParameters.class;
    }

    @Override
    public Optional<String> absence() {
        try {
            Class.forName("io.aeron.cluster.ConsensusModule", false, getClass().getClassLoader());
            return Optional.empty();
        } catch (final ClassNotFoundException e) {
            return Optional.of(
                    "Aeron Cluster is missing; add io.aeron:aeron-cluster to the class path.");
        }
    }

    /** The parameters of a channel, checked together. */
    static ClusterParameters parameters(final ChannelUri channel) {
        require(
                channel,
                channel.authority().isEmpty(),
                "has an address, and a cluster is found by its directories; write cluster:?name=value");
        final ClusterParameters parameters = channel.read(ClusterParameters.class);
        require(
                channel,
                Integer.bitCount(parameters.termBytes()) == 1,
                "termBytes is no power of two");
        require(
                channel,
                Integer.bitCount(parameters.segmentBytes()) == 1
                        && parameters.segmentBytes() >= parameters.termBytes(),
                "segmentBytes is no power of two of termBytes or more");
        require(
                channel,
                parameters.mtuBytes() % ALIGNMENT == 0,
                "mtuBytes is no multiple of " + ALIGNMENT);
        require(
                channel,
                parameters.deletion() == Deletion.KEPT,
                "a cluster keeps its log; for a store that deletes what was acknowledged take"
                        + " archive:?members=3&deletion=acknowledged");
        return parameters;
    }

    private static void require(
            final ChannelUri channel, final boolean isRight, final String otherwise) {
        if (!isRight) {
            throw UserError.usage("--channel " + channel + ": " + otherwise + ".");
        }
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean numbersTopics() {
        return true;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return new TransportTraits(
                true,
                true,
                true,
                true,
                true,
                false,
                false,
                parameters(channel).longestMessageBytes());
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        final ClusterParameters parameters = parameters(channel);
        final boolean synced = parameters.sync() > 0;
        final Durability durability =
                parameters.members() > 1
                        ? synced ? Durability.D4 : Durability.D3
                        : synced ? Durability.D2 : Durability.D1;
        return new Guarantees(
                durability,
                parameters.members(),
                parameters.quorum(),
                "committed by %d of %d members (Raft), by the leader's answer"
                        .formatted(parameters.quorum(), parameters.members()),
                switch (parameters.sync()) {
                    case 0 -> "never (page cache)";
                    case 1 -> "data of each block";
                    default -> "data and metadata of each block";
                },
                "datagrams as they fill, no waiting",
                "none",
                parameters.deletion());
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return MemberProcess.START_PATIENCE;
    }

    /** Members and clients meet in shared memory. */
    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return durablePublication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return durableSubscription(channel, topic, 0);
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
                        + ": a store has no way back; use it with 'tickmark stream', or measure round trips on aeron:ipc.");
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        return ClusterPublication.open(channel, ClusterFiles.of(channel), topic);
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return ClusterSubscription.open(channel, ClusterFiles.of(channel), topic, fromOrdinal);
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        return new ClusterStore(channel, parameters(channel), directory);
    }
}
