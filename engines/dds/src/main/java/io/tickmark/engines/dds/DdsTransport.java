package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.shm.ShmTransport;
import java.util.List;
import java.util.Optional;

/**
 * DDS: {@code dds://DOMAIN}, over Eclipse Cyclone DDS, which speaks RTPS with the products of other
 * vendors. See {@link DdsParameters} for what a channel may carry.
 */
public final class DdsTransport implements Transport {
    /** Loads no library yet. */
    public DdsTransport() {}

    @Override
    public String scheme() {
        return "dds";
    }

    @Override
    public String summary() {
        return "DDS: dds://DOMAIN, best effort or reliable, over UDP (IPv4, IPv6, unicast, multicast) or shared"
                + " memory, by Eclipse Cyclone DDS; interoperates over RTPS.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return DdsParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return CycloneLibrary.absence("");
    }

    @Override
    public Optional<String> absence(final ChannelUri channel) {
        return CycloneLibrary.absence(DdsChannel.of(channel).parameters().library());
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("dds://0", true), new Kind("dds://0?reliable", true));
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        final DdsChannel checked = DdsChannel.of(channel);
        return checked.carrier() == Carrier.SHARED_MEMORY && Roudi.absence().isPresent()
                ? new ShmTransport().traits(Fallback.channel(checked))
                : checked.traits();
    }

    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return DdsChannel.of(channel).carrier() == Carrier.SHARED_MEMORY;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return DdsEnds.publication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return DdsEnds.subscription(channel, topic);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return DdsEnds.exchange(channel, topic, side, cookie);
    }

    @Override
    public ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.BIND;
    }
}
