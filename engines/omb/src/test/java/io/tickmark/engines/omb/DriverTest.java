package io.tickmark.engines.omb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the engine makes of a channel: names, topics, producers, consumers, and what it leaves. */
@Timeout(120)
class DriverTest {
    private static final int LENGTH = 64;
    private static final Topic SECOND = new Topic("second", 2);

    @TempDir private static Path folder;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private FanOutServer server;
    private Path configuration;

    @BeforeAll
    static void compile() throws IOException {
        DriverJars.in(folder);
    }

    @BeforeEach
    void start() throws IOException {
        server = new FanOutServer();
        configuration =
                Files.writeString(
                        Files.createDirectories(folder.resolve("driver-tcp")).resolve("tcp.yaml"),
                        "driverClass: lab.TcpDriver\nport: %d\n".formatted(server.port()));
    }

    @AfterEach
    void end() {
        server.close();
    }

    private ChannelUri channel(final String parameters) {
        return ChannelUri.parse("omb://" + configuration + parameters);
    }

    private static Publication publication(final ChannelUri channel) {
        return new OmbTransport().publication(channel, Topic.DEFAULT);
    }

    private static String prefix(final ChannelUri channel) {
        return channel.parameters().get("prefix");
    }

    @Test
    void shouldLoadWhatTheDriverBringsAndNothingOfOurs() {
        try (Publication publication = publication(channel(""))) {
            // Its prefix is said by a class that both have.
            assertThat(prefix(publication.channel())).matches("of-the-driver-[0-9a-f]{8}");
        }
    }

    @Test
    void shouldFindTheJarsBesideTheFolderOfAConfiguration() {
        try (Publication publication = publication(channel(""))) {
            assertThat(publication.channel().authority()).isEqualTo(configuration.toString());
            assertThat(publication.channel().parameters())
                    .containsEntry("jars", folder.resolve("lib").toString());
        }
        final String single =
                "?jars=%1$s/lib/api.jar,%1$s/lib/driver.jar&prefix=mine".formatted(folder);
        try (Publication publication = publication(channel(single))) {
            assertThat(prefix(publication.channel())).isEqualTo("mine");
        }
    }

    @Test
    void shouldMakeTopicsThatNoOtherRunHas() {
        try (Exchange bound =
                        new OmbTransport()
                                .exchange(
                                        channel("?partitions=3"),
                                        Topic.DEFAULT,
                                        ExchangeSide.BIND,
                                        0);
                Exchange second =
                        new OmbTransport().exchange(bound.channel(), SECOND, ExchangeSide.BIND, 0);
                Publication other = publication(channel(""))) {
            final String prefix = prefix(bound.channel());
            assertThat(prefix(second.channel())).isEqualTo(prefix);
            assertThat(prefix(other.channel())).isNotEqualTo(prefix);
            assertThat(server.topics())
                    .containsOnly(
                            Map.entry(prefix + "-tickmark", 3),
                            Map.entry(prefix + "_reply-tickmark", 1),
                            Map.entry(prefix + "-second", 3),
                            Map.entry(prefix + "_reply-second", 1),
                            Map.entry(prefix(other.channel()) + "-tickmark", 1));
        }
    }

    @Test
    void shouldTakeATopicThatIsThereAlreadyAndMakeNoneWhereItConnects() {
        try (Publication publication = publication(channel("?prefix=mine&partitions=2"));
                Publication again = publication(channel("?prefix=mine"));
                Subscription subscription =
                        new OmbTransport().subscription(publication.channel(), Topic.DEFAULT)) {
            assertThat(again.offer(message, 0, LENGTH)).isPositive();

            Waiting.until(
                    "a message", () -> subscription.poll((buffer, offset, length) -> {}, 1) == 1);
            assertThat(server.topics()).containsOnly(Map.entry("mine-tickmark", 2));
        }
        try (Subscription _ =
                new OmbTransport().subscription(channel("?prefix=none"), Topic.DEFAULT)) {
            assertThat(server.topics()).containsOnlyKeys("mine-tickmark");
        }
    }

    @Test
    void shouldSpreadMessagesOverProducersConsumersAndKeys() {
        try (Publication publication =
                        publication(channel("?prefix=mine&producers=3&consumers=2&keys=5"));
                Subscription subscription =
                        new OmbTransport().subscription(publication.channel(), Topic.DEFAULT)) {
            Waiting.until(
                    "both consumers are there",
                    () -> server.consumers("mine-tickmark").equals(List.of(2)));
            IntStream.range(0, 30).forEach(i -> publication.offer(message, 0, LENGTH));

            final int[] received = {0};
            Waiting.until(
                    "all messages, once",
                    () ->
                            (received[0] += subscription.poll((buffer, offset, length) -> {}, 100))
                                    == 30);
            assertThat(server.producers("mine-tickmark")).isEqualTo(3);
            assertThat(server.keys("mine-tickmark"))
                    .containsExactlyInAnyOrder("key-0", "key-1", "key-2", "key-3", "key-4");
            assertThat(publication.facts())
                    .containsEntry("producers", 3)
                    .containsEntry("sendFailures", 0L);
            assertThat(subscription.facts()).containsEntry("consumers", 2);
        }
    }

    @Test
    void shouldHandOverMessagesOfAllTopicsOnOneThread() {
        final List<Publication> publications =
                IntStream.range(0, 5)
                        .mapToObj(i -> new Topic("topic-" + i, i + 1))
                        .map(topic -> new OmbTransport().publication(channel("?prefix=all"), topic))
                        .toList();
        publications.forEach(each -> assertThat(each.offer(message, 0, LENGTH)).isPositive());
        Waiting.until(
                "all are answered",
                () ->
                        publications.stream()
                                .allMatch(each -> each.facts().get("unanswered").equals(0L)));

        publications.getFirst().close();
        assertThat(publications.getFirst().offer(message, 0, LENGTH)).isEqualTo(Publication.CLOSED);
        assertThat(publications.getLast().offer(message, 0, LENGTH)).isPositive();

        Waiting.until(
                "the others go on",
                () -> publications.getLast().facts().get("unanswered").equals(0L));
        publications.forEach(Publication::close);
        assertThat(publications.getLast().facts()).containsEntry("sendFailures", 0L);
    }

    @Test
    void shouldReportFactsOfTheEndsOwnChannelAndNothingThatDidNotHappen() {
        try (Exchange one = exchange("?prefix=mine");
                Exchange several = exchange("?prefix=more&partitions=3&producers=2&consumers=2")) {
            assertThat(one.publication().facts())
                    .containsEntry("partitionsAskedFor", 1)
                    .doesNotContainKey("topicWasThere")
                    .containsEntry("producers", 1);
            assertThat(several.publication().facts())
                    .containsEntry("partitionsAskedFor", 3)
                    .containsEntry("producers", 2);
            assertThat(several.subscription().facts())
                    .containsEntry("consumers", 1)
                    .containsEntry("clientThreads", 2);
            assertThat(one.note()).isEmpty();
            assertThat(several.note()).isEmpty();
        }
    }

    /** The result told how many were asked for, which an earlier run had made otherwise. */
    @Test
    void shouldNotClaimToKnowThePartitionsOfATopicThatItDidNotMake() {
        publication(channel("?prefix=mine&partitions=2")).close();
        try (Exchange bound = exchange("?prefix=mine&partitions=3")) {
            assertThat(server.topics()).containsEntry("mine-tickmark", 2);
            assertThat(bound.publication().facts())
                    .containsEntry("partitionsAskedFor", 3)
                    .containsEntry("topicWasThere", true);
            assertThat(bound.subscription().facts())
                    .doesNotContainKeys("partitionsAskedFor", "topicWasThere");
        }
    }

    private Exchange exchange(final String parameters) {
        return new OmbTransport()
                .exchange(channel(parameters), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    @Test
    void shouldSendMessagesWithoutAKeyWhereNoneAreWanted() {
        try (Publication publication = publication(channel("?prefix=mine"))) {
            publication.offer(message, 0, LENGTH);

            Waiting.until("it is answered", () -> publication.facts().get("unanswered").equals(0L));
            assertThat(server.keys("mine-tickmark")).containsExactly("");
        }
    }

    @Test
    void shouldCountWhatASlowSubscriberHasNoRoomFor() {
        try (Publication publication = publication(channel("?receivePendingBytes=1024"));
                Subscription subscription =
                        new OmbTransport().subscription(publication.channel(), Topic.DEFAULT)) {
            Waiting.until(
                    "the consumer is there",
                    () ->
                            server.consumers(prefix(publication.channel()) + "-tickmark")
                                    .equals(List.of(1)));
            IntStream.range(0, 20).forEach(i -> publication.offer(message, 0, LENGTH));

            Waiting.until("four are dropped", () -> subscription.lost() == 4);
            assertThat(subscription.facts()).containsEntry("droppedHere", 4L);
            assertThat(subscription.poll((buffer, offset, length) -> {}, 100)).isEqualTo(16);
        }
    }

    @Test
    void shouldNotLetADriverDeleteTopicsWhenItBegins() throws IOException {
        final String text =
                "reset: true # as in the distribution\ndriverClass: lab.TcpDriver\nport: %d\n"
                        .formatted(server.port());
        Files.writeString(configuration, text);
        final Path given;
        try (Publication publication = publication(channel(""))) {
            // The driver of the tests refuses a configuration with reset.
            assertThat(publication.facts())
                    .containsEntry("resetTurnedOff", true)
                    .containsEntry("configuration", configuration.toString());
            given = Path.of(System.getProperty("lab.configuration." + server.port()));
            assertThat(given).isNotEqualTo(configuration).exists();
        }

        assertThat(configuration).hasContent(text.strip());
        assertThat(given).doesNotExist();
    }

    @Test
    void shouldPromiseNothingThatADriverDoesNotReport() {
        assertThat(new OmbTransport().traits(channel("?maxPayloadBytes=2000")))
                .isEqualTo(TransportTraits.upTo(2000).fansOut(true));
    }

    @Test
    void shouldCloseAllThatWasOpenedWithTheLastEnd() {
        final Exchange bound =
                new OmbTransport().exchange(channel(""), Topic.DEFAULT, ExchangeSide.BIND, 0);
        final Subscription subscription =
                new OmbTransport().subscription(bound.channel(), Topic.DEFAULT);
        Waiting.until("producer and consumers are there", () -> server.connections() == 3);

        bound.close();
        Waiting.until("one consumer is left", () -> server.connections() == 1);
        subscription.close();

        Waiting.until("nothing is left", () -> server.connections() == 0);
    }
}
