package io.tickmark.engines.aeron.archive;

import io.tickmark.engines.aeron.MemberStoreTransport;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.util.Optional;

/** Streams that Aeron Archive records: {@code archive:?members=3&sync=1}. */
public final class ArchiveTransport extends MemberStoreTransport {
    /** Aeron's largest datagram on IPC, less the header: each message is one frame. */
    static final int MAX_MESSAGE_BYTES = 65_504 - 32;

    /** For the service loader. */
    public ArchiveTransport() {}

    @Override
    public String scheme() {
        return "archive";
    }

    @Override
    public String summary() {
        return "Aeron Archive: a publication recorded by one archive or by a quorum of several, on this host.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return ArchiveParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return absence("io.aeron.archive.Archive", "Aeron Archive", "io.aeron:aeron-archive");
    }

    /** The parameters of a channel, checked together. */
    static ArchiveParameters parameters(final ChannelUri channel) {
        require(
                channel,
                channel.authority().isEmpty(),
                "has an address, and an archive is found by its directories; write archive:?name=value");
        final ArchiveParameters parameters = channel.read(ArchiveParameters.class);
        requireLengths(
                channel, parameters.member().termBytes(), parameters.member().segmentBytes());
        require(
                channel,
                parameters.quorum() <= parameters.members(),
                "the quorum is larger than the number of members");
        return parameters;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        parameters(channel);
        return traitsUpTo(MAX_MESSAGE_BYTES);
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        return ArchiveGuarantees.of(parameters(channel));
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        return ArchivePublication.open(channel, StoreFiles.of(channel), topic);
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return ArchiveSubscription.open(channel, StoreFiles.of(channel), topic, fromOrdinal);
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        return new ArchiveStore(channel, parameters(channel), directory);
    }

    /** What recorded means, by the parameters. */
    private static final class ArchiveGuarantees {
        private ArchiveGuarantees() {}

        static Guarantees of(final ArchiveParameters parameters) {
            final boolean synced = parameters.member().sync() > 0;
            final boolean several = parameters.members() > 1;
            return new Guarantees(
                    durability(synced, 2 * parameters.needed() > parameters.members() && several),
                    parameters.members(),
                    parameters.needed(),
                    several
                            ? "recorded by %d of %d archives, by their positions"
                                    .formatted(parameters.needed(), parameters.members())
                            : "recorded, by the archive's position",
                    synced(parameters.member().sync()),
                    "blocks as they come, no waiting",
                    "none",
                    parameters.deletion());
        }

        /**
         * If fewer than a majority must have a message, a single member may be the only one that
         * has it.
         */
        private static Durability durability(final boolean synced, final boolean quorum) {
            if (quorum) {
                return synced ? Durability.D4 : Durability.D3;
            }
            return synced ? Durability.D2 : Durability.D1;
        }
    }
}
