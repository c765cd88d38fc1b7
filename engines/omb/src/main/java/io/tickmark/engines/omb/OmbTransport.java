package io.tickmark.engines.omb;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.broker.BrokerChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code omb:DRIVER.yaml}: a driver of the OpenMessaging Benchmark framework, as its configuration
 * names it, from jars of the user's. The side that binds creates the topics; their names begin with
 * the driver's prefix and a word that is different in each run, both of which are in the channel
 * for those who connect. Servers are up to the driver. Stateless, any thread; errors are sentences
 * for users. See {@link OmbParameters} for the parameters of a channel.
 */
public final class OmbTransport implements Transport {
    private static final String LIB = "lib";
    private static final int LONGEST_PREFIX = 500;

    /** Opens nothing yet. */
    public OmbTransport() {}

    @Override
    public String scheme() {
        return "omb";
    }

    @Override
    public String summary() {
        return "Any driver of the OpenMessaging Benchmark framework, from your own jars: omb:DRIVER.yaml?jars=FOLDER.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return OmbParameters.class;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public int busyThreads(final ChannelUri channel, final ExchangeSide side) {
        return channel.read(OmbParameters.class).clientThreads();
    }

    /** Its configuration decides, and the interface of drivers does not report it. */
    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        final String decided = "as the driver's file says";
        traits(channel);
        return new PlainMessages(decided, decided, decided, decided, decided, decided);
    }

    /**
     * The interface guarantees little: a driver reports neither losses nor reordering. Each
     * subscription receives all messages.
     */
    @Override
    public TransportTraits traits(final ChannelUri uri) {
        final BrokerChannel<OmbParameters> channel = channel(uri);
        return TransportTraits.upTo(channel.parameters().maxPayloadBytes()).fansOut(true);
    }

    /** The driver's file, and that there are jars; its classes are loaded when it is opened. */
    @Override
    public void checkFiles(final ChannelUri uri) {
        final BrokerChannel<OmbParameters> channel = channel(uri);
        final Path file = path(channel, uri.authority());
        DriverFile.read(channel, file);
        DriverApi.jars(channel, jars(channel, file));
    }

    @Override
    public Publication publication(final ChannelUri uri, final Topic topic) {
        try (Opened opened = binding(uri)) {
            return opened.publication(topic);
        }
    }

    @Override
    public Subscription subscription(final ChannelUri uri, final Topic topic) {
        try (Opened opened = connecting(uri)) {
            return opened.subscription(topic);
        }
    }

    /**
     * Replies have a separate topic, which all connecting sides share. They are few, and must stay
     * in order for hellos and ends to be answered, so they have one partition, producer and
     * consumer.
     */
    @Override
    public Exchange exchange(
            final ChannelUri uri, final Topic topic, final ExchangeSide side, final int cookie) {
        try (Opened opened = side == ExchangeSide.BIND ? binding(uri) : connecting(uri)) {
            return side == ExchangeSide.CONNECT
                    ? opened.exchange(
                            () -> opened.subscription(topic),
                            () -> opened.publication(opened.replyName(topic), 1, Map.of()))
                    : opened.exchange(() -> opened.replies(topic), () -> opened.publication(topic));
        }
    }

    /** Each direction has a topic, so the publisher's keeps its name. */
    @Override
    public ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.BIND;
    }

    private static Opened binding(final ChannelUri uri) {
        final BrokerChannel<OmbParameters> channel = channel(uri);
        return open(channel);
    }

    private static Opened connecting(final ChannelUri uri) {
        final BrokerChannel<OmbParameters> channel = channel(uri);
        if (channel.parameters().prefix().isEmpty()) {
            throw channel.wrong(
                    "the side that connects does not know the names of topics; give both sides the same ?prefix=NAME");
        }
        return open(channel);
    }

    /** Checks the text of a channel, without opening anything. */
    private static BrokerChannel<OmbParameters> channel(final ChannelUri uri) {
        final BrokerChannel<OmbParameters> channel =
                new BrokerChannel<>(uri, List.of(), uri.read(OmbParameters.class));
        if (uri.authority().isEmpty()) {
            throw channel.wrong(
                    "names no configuration of a driver; write omb:DRIVER.yaml?jars=FOLDER, with the path of its file");
        }
        path(channel, uri.authority());
        channel.parameters().jars().forEach(place -> path(channel, place));
        final String prefix = channel.parameters().prefix();
        if (!prefix.isEmpty() && !isName(prefix)) {
            throw channel.wrong(
                    "?prefix=%s cannot begin a name; use at most %d characters without spaces"
                            .formatted(prefix, LONGEST_PREFIX));
        }
        if (DriverText.namesUser(prefix)) {
            throw new BrokerChannel<>(uri.with("prefix", "***"), List.of(), channel.parameters())
                    .wrong(
                            "the prefix holds an address with a user, which results would show; write * in place of the"
                                    + " driver's own");
        }
        return channel;
    }

    private static boolean isName(final String prefix) {
        return prefix.length() <= LONGEST_PREFIX && prefix.matches("[^\\s\\p{Cntrl}&|]+");
    }

    private static Path path(final BrokerChannel<OmbParameters> channel, final String text) {
        try {
            return Path.of(text).toAbsolutePath().normalize();
        } catch (final InvalidPathException e) {
            throw channel.wrong("'%s' is not a path (%s)".formatted(text, e.getReason()));
        }
    }

    private static Opened open(final BrokerChannel<OmbParameters> channel) {
        final Path file = path(channel, channel.uri().authority());
        final List<Path> jars = jars(channel, file);
        final SharedDriver driver =
                SharedDriver.of(channel, file, jars, channel.parameters().prefix());
        try {
            return new Opened(channel, resolved(channel, file, jars, driver.prefix()), driver);
        } catch (final RuntimeException e) {
            driver.close();
            throw e;
        }
    }

    private static List<Path> jars(final BrokerChannel<OmbParameters> channel, final Path file) {
        return channel.parameters().jars().isEmpty()
                ? List.of(besides(channel, file))
                : channel.parameters().jars().stream().map(place -> path(channel, place)).toList();
    }

    /** In a distribution the configurations are in folders beside {@code lib}. */
    private static Path besides(final BrokerChannel<OmbParameters> channel, final Path file) {
        if (!Files.isRegularFile(file)) {
            DriverFile.read(channel, file); // says what is wrong with it, which comes first
        }
        return Stream.iterate(file.getParent(), folder -> folder != null, Path::getParent)
                .limit(2)
                .map(folder -> folder.resolve(LIB))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() ->
                        channel.wrong(
                                ("there is no folder %s beside %s or its folder; give the one with the jars of the"
                                                + " driver as ?jars=FOLDER")
                                        .formatted(LIB, file)));
    }

    /** The channel as the other side has to write it, which may be in another folder. */
    private static BrokerChannel<OmbParameters> resolved(
            final BrokerChannel<OmbParameters> channel,
            final Path file,
            final List<Path> jars,
            final String prefix) {
        if (!isName(prefix)) {
            throw channel.failed(
                    "the driver's prefix '%s' cannot be used in a channel's URI; give ?prefix=NAME"
                            .formatted(prefix),
                    null);
        }
        final ChannelUri uri =
                new ChannelUri(
                                channel.uri().scheme(),
                                file.toString(),
                                channel.uri().parameters(),
                                true)
                        .with(
                                "jars",
                                jars.stream().map(Path::toString).collect(Collectors.joining(",")))
                        .with("prefix", prefix);
        if (!ChannelUri.parse(uri.toString()).equals(uri)) {
            throw channel.wrong(
                    ("the paths %s and %s cannot be used in a channel's URI; use folders without the characters ? & |"
                                    + " in their names")
                            .formatted(file, jars));
        }
        return new BrokerChannel<>(uri, List.of(), uri.read(OmbParameters.class));
    }

    /**
     * A driver to open ends with, each of which shares it; closed once they are open.
     *
     * @param asked the channel as the user wrote it, for errors
     * @param channel as the other side has to write it
     * @param driver shared by all ends
     */
    private record Opened(
            BrokerChannel<OmbParameters> asked,
            BrokerChannel<OmbParameters> channel,
            SharedDriver driver)
            implements AutoCloseable {
        String name(final Topic topic) {
            return driver.topicPrefix() + "-" + topic.name();
        }

        /** Cannot be the name of a topic, whatever that is; some servers refuse dots. */
        String replyName(final Topic topic) {
            return driver.topicPrefix() + "_reply-" + topic.name();
        }

        OmbPublication publication(final Topic topic) {
            final int partitions = channel.parameters().partitions();
            final Map<String, Object> facts = new TreeMap<>();
            facts.put("partitionsAskedFor", partitions);
            if (!driver.createTopic(asked, name(topic), partitions)) {
                facts.put("topicWasThere", true);
            }
            return publication(name(topic), channel.parameters().producers(), facts);
        }

        OmbSubscription subscription(final Topic topic) {
            return subscription(name(topic), channel.parameters().consumers());
        }

        OmbSubscription replies(final Topic topic) {
            driver.createTopic(asked, replyName(topic), 1);
            return subscription(replyName(topic), 1);
        }

        OmbPublication publication(
                final String name, final int producers, final Map<String, Object> topicFacts) {
            return sharing(shared ->
                    new OmbPublication(asked, channel, shared, name, producers, topicFacts));
        }

        private OmbSubscription subscription(final String name, final int consumers) {
            return sharing(shared -> new OmbSubscription(asked, channel, shared, name, consumers));
        }

        private <T> T sharing(final Function<SharedDriver, T> end) {
            final SharedDriver shared = driver.shared();
            try {
                return end.apply(shared);
            } catch (final RuntimeException e) {
                shared.close();
                throw e;
            }
        }

        /** Subscribes before it publishes, so that no answer is missed. */
        Exchange exchange(final Supplier<OmbSubscription> in, final Supplier<OmbPublication> out) {
            final OmbSubscription subscription = in.get();
            try {
                return Exchange.of(out.get(), subscription, channel.uri());
            } catch (final RuntimeException e) {
                subscription.close();
                throw e;
            }
        }

        @Override
        public void close() {
            driver.close();
        }
    }
}
