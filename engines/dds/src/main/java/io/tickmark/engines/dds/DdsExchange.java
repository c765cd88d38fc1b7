package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import java.util.Optional;
import java.util.stream.Stream;

/** One side of an exchange: a writer of one topic and a reader of the other. */
record DdsExchange(ChannelUri channel, DdsPublication publication, DdsSubscription subscription)
        implements Exchange {
    /** Another end of the topic is there, but by DDS' rules it does not match ours. */
    @Override
    public Optional<String> note() {
        return Stream.of(publication.incompatible(), subscription.incompatible())
                .filter(policy -> !policy.isEmpty())
                .findFirst()
                .map(policy ->
                        "Another DDS program offers or asks for a %s that does not fit this channel; give both sides the same."
                                .formatted(policy));
    }

    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
