package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.shm.ShmTransport;
import java.util.Map;
import java.util.Optional;

/**
 * Our own shared memory in the place of DDS' where the daemon of iceoryx is absent; whoever uses it
 * says so.
 *
 * @param inner exchange of scheme shm
 * @param note what is told
 */
record Fallback(Exchange inner, Optional<String> note) implements Exchange {
    /** The channel that both sides come to without having been told of it. */
    static ChannelUri channel(final DdsChannel channel) {
        final String partition = channel.parameters().partition().replace('/', '_');
        final String name =
                "dds-" + channel.domain() + (partition.isEmpty() ? "" : "-" + partition);
        return new ChannelUri("shm", name, Map.of(), true);
    }

    static Exchange open(
            final DdsChannel channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie,
            final String reason) {
        final ChannelUri own = channel(channel);
        return new Fallback(
                new ShmTransport().exchange(own, topic, side, cookie),
                Optional.of(
                        "Not DDS: "
                                + channel.uri()
                                + " is served by "
                                + own
                                + ", because "
                                + reason
                                + "."));
    }

    @Override
    public Publication publication() {
        return inner.publication();
    }

    @Override
    public Subscription subscription() {
        return inner.subscription();
    }

    @Override
    public ChannelUri channel() {
        return inner.channel();
    }

    @Override
    public void close() {
        inner.close();
    }
}
