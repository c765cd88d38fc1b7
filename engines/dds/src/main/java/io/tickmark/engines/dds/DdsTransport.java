package io.tickmark.engines.dds;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.shm.ShmTransport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * DDS: {@code dds://DOMAIN}, over Eclipse Cyclone DDS, which speaks RTPS with the products of other
 * vendors. See {@link DdsParameters} for the parameters.
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

    /** DDSI-RTPS, section 8.4: readers of a reliable writer acknowledge by AckNack. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        final DdsChannel checked = DdsChannel.of(channel);
        final PlainMessages inMemory = PlainMessages.inMemory(traits(channel));
        if (checked.carrier() == Carrier.SHARED_MEMORY) {
            return inMemory;
        }
        return inMemory.acknowledged(
                        checked.traits().reliable()
                                ? "each reader has received it"
                                : PlainMessages.NONE)
                .batching(
                        checked.parameters().batch()
                                ? "samples are gathered until the publisher flushes"
                                : PlainMessages.NONE);
    }

    /**
     * Those of {@code shm} where the daemon of iceoryx is absent, because {@code shm} then carries
     * the messages.
     */
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
    public void checkFiles(final ChannelUri channel) {
        Domains.checkConfig(DdsChannel.of(channel));
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

    /**
     * Opens publications, subscriptions and exchanges. Replies use a separate topic, which all
     * connecting sides share: their messages identify the side.
     */
    private static final class DdsEnds {
        static final String REPLY_SUFFIX = "_reply";

        private static final BooleanSupplier ALWAYS = () -> true;

        private DdsEnds() {}

        static DdsPublication publication(final ChannelUri uri, final Topic topic) {
            final DdsChannel channel = DdsChannel.binding(uri);
            return new DdsPublication(channel, writer(channel, topic.name()), ALWAYS);
        }

        static DdsSubscription subscription(final ChannelUri uri, final Topic topic) {
            final DdsChannel channel = DdsChannel.binding(uri);
            return new DdsSubscription(channel, Domains.lease(channel), topic.name());
        }

        static Exchange exchange(
                final ChannelUri uri,
                final Topic topic,
                final ExchangeSide side,
                final int cookie) {
            final boolean binds = side == ExchangeSide.BIND;
            final DdsChannel channel = binds ? DdsChannel.binding(uri) : DdsChannel.of(uri);
            if (channel.carrier() == Carrier.SHARED_MEMORY) {
                final Optional<String> reason = Roudi.absence();
                if (reason.isPresent()) {
                    return Fallback.open(channel, topic, side, cookie, reason.get());
                }
            }
            final String forward = topic.name();
            final String reply = forward + REPLY_SUFFIX;
            final DdsSubscription hears =
                    new DdsSubscription(channel, Domains.lease(channel), binds ? reply : forward);
            try {
                // A message sent before the other side was received from could not be answered.
                final DdsPublication sends =
                        new DdsPublication(
                                channel,
                                writer(channel, binds ? forward : reply),
                                binds ? ALWAYS : hears::isConnected);
                hears.keeps(sends.keepsFor(hears::isTakenByLibrary));
                return new DdsExchange(channel.uri(), sends, hears);
            } catch (final RuntimeException e) {
                hears.close();
                throw e;
            }
        }

        private static Writer writer(final DdsChannel channel, final String topic) {
            return new Writer(channel, Domains.lease(channel), topic);
        }

        /** One side of an exchange: a writer of one topic and a reader of the other. */
        private record DdsExchange(
                ChannelUri channel, DdsPublication publication, DdsSubscription subscription)
                implements Exchange {
            private static final String ANOTHER = "Another DDS program ";

            /**
             * Another end of the topic exists, but by DDS' rules it does not match ours; or it does
             * not send our messages.
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
                                        + "offers or asks for an incompatible %s; give both sides the same."
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
                                        + CountSentence.of(
                                                "sent %d {sample that claims|samples that claim} to be %s and {is|are} not;"
                                                        + " {it was|they were} dropped.",
                                                samples, TopicType.NAME));
            }

            private Optional<String> tooLong() {
                return Optional.of(subscription.tooLong())
                        .filter(messages -> messages > 0)
                        .map(messages ->
                                ANOTHER
                                        + CountSentence.of(
                                                "sent %d {message that is|messages that are} longer than maxPayloadBytes; {it"
                                                        + " was|they were} dropped.",
                                                messages));
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
    }

    /**
     * Our own shared memory in place of that of DDS where the daemon of iceoryx is absent: the user
     * is informed, and {@code facts()} of its ends are those of {@code shm}.
     *
     * @param inner exchange of scheme shm
     * @param note message to the user
     */
    private record Fallback(Exchange inner, Optional<String> note) implements Exchange {
        /** The channel that both sides derive independently. */
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
}
