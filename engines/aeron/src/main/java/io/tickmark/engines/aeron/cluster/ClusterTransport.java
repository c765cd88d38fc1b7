package io.tickmark.engines.aeron.cluster;

import io.tickmark.engines.aeron.MemberStoreTransport;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.util.Optional;

/** Streams that an Aeron Cluster agrees on: {@code cluster:?members=3&sync=1}. */
public final class ClusterTransport extends MemberStoreTransport {
    private static final int ALIGNMENT = 32;

    /** For the service loader. */
    public ClusterTransport() {}

    @Override
    public String scheme() {
        return "cluster";
    }

    @Override
    public String summary() {
        return "Aeron Cluster: a log on which a majority of the members agrees by Raft, on this host.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return ClusterParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return absence(
                "io.aeron.cluster.ConsensusModule", "Aeron Cluster", "io.aeron:aeron-cluster");
    }

    /** The parameters of a channel, checked together. */
    static ClusterParameters parameters(final ChannelUri channel) {
        require(
                channel,
                channel.authority().isEmpty(),
                "has an address, and a cluster is found by its directories; write cluster:?name=value");
        final ClusterParameters parameters = channel.read(ClusterParameters.class);
        requireLengths(
                channel, parameters.member().termBytes(), parameters.member().segmentBytes());
        require(
                channel,
                parameters.mtuBytes() % ALIGNMENT == 0,
                "mtuBytes is not a multiple of " + ALIGNMENT);
        require(
                channel,
                parameters.deletion() == Deletion.KEPT,
                "a cluster keeps its log; for a store that deletes what was acknowledged take"
                        + " archive:?members=3&deletion=acknowledged");
        return parameters;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return traitsUpTo(parameters(channel).longestMessageBytes());
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        final ClusterParameters parameters = parameters(channel);
        final boolean synced = parameters.member().sync() > 0;
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
                synced(parameters.member().sync()),
                "datagrams as they fill, no waiting",
                "none",
                parameters.deletion());
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
