package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One side of an exchange: a writer of one topic and a reader of the other. */
record DdsExchange(ChannelUri channel, DdsPublication publication, DdsSubscription subscription)
        implements Exchange {
    private static final String ANOTHER = "Another DDS program ";

    /**
     * Another end of the topic is there, but by DDS' rules it does not match ours; or what it sends
     * is no message.
     */
    @Override
    public Optional<String> note() {
        final String sentences =
                Stream.of(incompatible(), ofAnotherType(), undecodable(), tooLong())
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(" "));
        return Optional.of(sentences).filter(text -> !text.isEmpty());
    }

    private Optional<String> incompatible() {
        return first(publication.incompatible(), subscription.incompatible())
                .map(policy ->
                        ANOTHER
                                + "offers or asks for a %s that does not fit this channel; give both sides the same."
                                        .formatted(policy));
    }

    private Optional<String> ofAnotherType() {
        return first(publication.otherTypes(), subscription.otherTypes())
                .map(types ->
                        ANOTHER
                                + "is on this topic with type %s and cannot be the other end; the type is %s."
                                        .formatted(types, TopicType.NAME));
    }

    private Optional<String> undecodable() {
        return Optional.of(subscription.undecodable())
                .filter(samples -> samples > 0)
                .map(samples ->
                        ANOTHER
                                + "sent %d samples that say they are %s and are not; they were dropped."
                                        .formatted(samples, TopicType.NAME));
    }

    private Optional<String> tooLong() {
        return Optional.of(subscription.tooLong())
                .filter(messages -> messages > 0)
                .map(messages ->
                        ANOTHER
                                + "sent %d messages that are longer than maxPayloadBytes; they were dropped."
                                        .formatted(messages));
    }

    private static Optional<String> first(final String one, final String other) {
        return Stream.of(one, other).filter(text -> !text.isEmpty()).findFirst();
    }

    @Override
    public void close() {
        publication.close();
        subscription.close();
    }
}
