package io.tickmark.engines.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users are shown when jars, a configuration, a driver or its servers are wrong. */
@Timeout(120)
class DriverFaultsTest {
    private static final int LENGTH = 64;

    @TempDir private static Path shared;

    @TempDir private Path folder;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private FanOutServer server;

    @BeforeAll
    static void compile() throws IOException {
        DriverJars.in(shared);
    }

    @BeforeEach
    void start() throws IOException {
        server = new FanOutServer();
    }

    @AfterEach
    void end() {
        server.close();
    }

    private ChannelUri channel(final String text, final String parameters) throws IOException {
        final Path file = Files.writeString(folder.resolve("driver.yaml"), text);
        return ChannelUri.parse("omb://%s?jars=%s/lib%s".formatted(file, shared, parameters));
    }

    private ChannelUri faulty(final String fault, final String parameters) throws IOException {
        return channel(
                "driverClass: lab.TcpDriver\nport: %d\nfault: %s\n".formatted(server.port(), fault),
                parameters);
    }

    private static Publication publication(final ChannelUri channel) {
        return new OmbTransport().publication(channel, Topic.DEFAULT);
    }

    private static Subscription subscription(final ChannelUri channel) {
        return new OmbTransport().subscription(channel, Topic.DEFAULT);
    }

    private static UserError refused(final ChannelUri channel) {
        final UserError error =
                catchThrowableOfType(UserError.class, () -> publication(channel).close());
        assertThat(error).as("%s is refused", channel).isNotNull();
        assertThat(error)
                .hasMessageStartingWith("--channel " + channel + ": ")
                .hasMessageEndingWith(".");
        assertThat(error.getMessage()).doesNotContain("\n");
        return error;
    }

    @Test
    void shouldSayThatAConfigurationIsNotThere() {
        final UserError error =
                refused(
                        ChannelUri.parse(
                                "omb://%s/none.yaml?jars=%s/lib".formatted(folder, shared)));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error)
                .hasMessageEndingWith(
                        "none.yaml is not a file; give the path of a driver's configuration.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: Mine                  | names no driverClass",
                "driverClass: [              | is not YAML (",
                "driverClass: com.acme.None  | the driver com.acme.None is in none of the 2 jars;",
                "driverClass: lab.NoDriver   | lab.NoDriver is not a driver (it does not implement io.openmessaging.",
                "'{driverClass: lab.TcpDriver, reset: true}' | has reset set, with which each side would delete",
            })
    void shouldSayWhatIsWrongWithAConfiguration(final String text, final String sentence)
            throws IOException {
        final UserError error = refused(channel(text + "\n", ""));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error).hasMessageContaining(sentence);
    }

    /** Before a trial: it opens nothing. */
    @Test
    void shouldFindAWrongConfigurationWithoutOpeningIt() throws IOException {
        final OmbTransport transport = new OmbTransport();
        final ChannelUri none =
                ChannelUri.parse("omb://%s/none.yaml?jars=%s/lib".formatted(folder, shared));

        assertThatThrownBy(() -> transport.checkFiles(none))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none.yaml is not a file");
        final ChannelUri broken = channel("driverClass: [\n", "");
        assertThatThrownBy(() -> transport.checkFiles(broken))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not YAML (");
        final ChannelUri whole = channel("driverClass: lab.TcpDriver\n", "");
        transport.checkFiles(whole);
        final ChannelUri withoutJars = whole.with("jars", folder + "/none");
        assertThatThrownBy(() -> transport.checkFiles(withoutJars))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("?jars: ");
    }

    @Test
    void shouldSayWhichJarsAreMissing() throws IOException {
        final Path file =
                Files.writeString(folder.resolve("driver.yaml"), "driverClass: lab.TcpDriver\n");
        final Path empty = Files.createDirectory(folder.resolve("empty"));

        assertThat(refused(ChannelUri.parse("omb://" + file)))
                .hasMessageContaining("there is no folder lib beside " + file);
        assertThat(refused(ChannelUri.parse("omb://%s?jars=%s".formatted(file, empty))))
                .hasMessageContaining("there is no jar in " + empty);
        assertThat(refused(ChannelUri.parse("omb://%s?jars=%s/x".formatted(file, empty))))
                .hasMessageContaining("empty/x cannot be listed (");
        assertThat(
                        refused(
                                ChannelUri.parse(
                                        "omb://%s?jars=%s/lib/driver.jar".formatted(file, shared))))
                .hasMessageContaining(
                        "io.openmessaging.benchmark.driver.BenchmarkDriver is in none of the jars")
                .hasMessageContaining("add the framework's driver-api jar");
    }

    @Test
    void shouldSayWhatAnInterfaceOfAnotherVersionLacks() throws IOException {
        final Path other = Files.createDirectory(folder.resolve("other"));
        DriverJars.ofOtherVersion(other);
        final Path file =
                Files.writeString(folder.resolve("driver.yaml"), "driverClass: lab.TcpDriver\n");

        assertThat(refused(ChannelUri.parse("omb://%s?jars=%s/lib".formatted(file, other))))
                .hasMessageContaining(
                        "the BenchmarkProducer of these jars has no sendAsync(Optional, byte[]), so it is of a version that");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "initialize     | could not initialize (IOException: no server at amqp://***@this-address)",
                "createTopic    | (IllegalStateException: no right to make topics)",
                "createProducer | (IllegalStateException: it returned null; see what the driver logged)",
            })
    void shouldSayWhatADriverCouldNotDo(final String fault, final String sentence)
            throws Exception {
        final UserError error = refused(faulty(fault, ""));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error)
                .hasMessageContaining("the driver lab.TcpDriver could not ")
                .hasMessageContaining(sentence)
                .hasMessageContaining("driver.yaml, and that its servers run");
        Waiting.until("nothing is left open", () -> server.connections() == 0);
    }

    @Test
    void shouldSayThatADriverMakesNoConsumer() throws Exception {
        final ChannelUri channel = faulty("createConsumer", "&prefix=mine");

        final UserError error =
                catchThrowableOfType(UserError.class, () -> subscription(channel).close());

        assertThat(error)
                .hasMessageContaining(
                        "could not create a consumer of topic mine-tickmark (IllegalArgumentException: no such subscription)");
    }

    @Test
    void shouldNotWaitForEverForADriver() throws Exception {
        try (Publication publication = publication(faulty("createConsumerHangs", ""))) {
            // The driver has begun, so that its consumer is all that has to be made in a second.
            final ChannelUri channel = publication.channel().with("openTimeout", "1s");

            final UserError error =
                    catchThrowableOfType(UserError.class, () -> subscription(channel).close());

            assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
            assertThat(error)
                    .hasMessageStartingWith("--channel " + channel + ": ")
                    .hasMessageContaining(
                            "the driver lab.TcpDriver did not create a consumer of topic ")
                    .hasMessageContaining(" within 1s; see that its servers run");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://guest:secret@localhost:5672/?exchange=test",
                "amqp://guest@localhost",
                "amqp://guest:se/cret@localhost",
                "guest:secret@localhost",
            })
    void shouldNotShowAUserThatADriverPutsIntoTheNamesOfTopics(final String prefix)
            throws Exception {
        final String text =
                "driverClass: lab.TcpDriver\nport: %d\nprefix: %s\n"
                        .formatted(server.port(), prefix);

        try (Publication publication = publication(channel(text, ""));
                Subscription _ = subscription(publication.channel())) {
            final String shown = publication.channel().parameters().get("prefix");
            assertThat(shown).matches("\\*-[0-9a-f]{8}");
            assertThat(publication.facts().toString()).doesNotContain("guest");
            final String topic = prefix + shown.substring(1) + "-tickmark";
            Waiting.until(
                    "the consumer is there", () -> server.consumers(topic).equals(List.of(1)));
            assertThat(server.topics()).containsOnlyKeys(topic);
        }
        final ChannelUri explicit = channel(text, "&prefix=" + prefix);
        final UserError refused =
                catchThrowableOfType(UserError.class, () -> publication(explicit).close());
        assertThat(refused)
                .hasMessageContaining("the prefix holds an address with a user")
                .hasMessageEndingWith("write * in place of the driver's own.");
        assertThat(refused.getMessage()).doesNotContain("guest");
    }

    @Test
    void shouldReportErrorsWithoutUsers() throws Exception {
        final String text =
                "driverClass: lab.TcpDriver\nport: %d\nfault: createTopic\nprefix: amqp://guest:secret@localhost\n"
                        .formatted(server.port());

        assertThat(refused(channel(text, "&prefix=*-mine")))
                .hasMessageContaining(
                        "could not create topic amqp://***@localhost-mine-tickmark (");
    }

    @Test
    void shouldSayWhichLibraryOfTheInterfaceIsMissing() throws IOException {
        final Path lacking = Files.createDirectory(folder.resolve("lacking"));
        DriverJars.withoutStatistics(lacking);
        final Path file =
                Files.writeString(folder.resolve("driver.yaml"), "driverClass: lab.TcpDriver\n");

        final UserError error =
                refused(ChannelUri.parse("omb://%s?jars=%s/lib".formatted(file, lacking)));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error)
                .hasMessageContaining("org/apache/bookkeeper/stats/StatsLogger")
                .hasMessageContaining("put the jars of all");
    }

    @Test
    void shouldNotGuessTheNamesOfTopicsWhereItConnects() throws Exception {
        final ChannelUri channel = faulty("", "");

        final UserError error =
                catchThrowableOfType(UserError.class, () -> subscription(channel).close());

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error).hasMessageEndingWith("give both sides the same ?prefix=NAME.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sendFails  | true  | 5  | not enough replicas",
                "sendThrows | true  | 10 | the producer is fenced",
                "sendNull   | false | 10 | sendAsync returned null",
            })
    void shouldCountMessagesThatTheDriverDidNotPublish(
            final String fault, final boolean hasThread, final long failures, final String words)
            throws Exception {
        try (Publication publication =
                publication(faulty(fault, "&maxFlight=4&sendThread=" + hasThread))) {
            for (int i = 0; i < 10; i++) {
                Waiting.until("it is taken", () -> publication.offer(message, 0, LENGTH) >= 0);
            }

            Waiting.until(
                    "all are answered", () -> publication.facts().get("unanswered").equals(0L));
            assertThat(publication.engineErrors())
                    .contains(
                            ("%d messages that were handed to the driver were not published, the first: IllegalStateException:"
                                            + " %s; see what the driver logged.")
                                    .formatted(failures, words));
            assertThat(publication.facts()).containsEntry("sendFailures", failures);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sendBlocks", "sendSilent"})
    void shouldPushBackWhereTheDriverAnswersNothing(final String fault) throws Exception {
        final Publication publication = publication(faulty(fault, "&maxFlight=4"));
        try {
            for (int i = 0; i < 4; i++) {
                assertThat(publication.offer(message, 0, LENGTH)).isPositive();
            }

            assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(Publication.BACK_PRESSURED);
            assertThat(publication.facts()).containsEntry("unanswered", 4L);
        } finally {
            Thread.currentThread().interrupt(); // closes without waiting for answers
            publication.close();
            assertThat(Thread.interrupted()).isTrue();
        }
        Waiting.until("its producer is closed all the same", () -> server.connections() == 0);
    }

    @Test
    void shouldReportThatADriverCarriesNoBinaryPayloads() throws Exception {
        Stamp.write(message, 0, 0x8182_8384_8586_8788L, 0, 0, 0, 0);

        assertThat(received("none")).isEmpty();
        assertThat(received("asText"))
                .hasValueSatisfying(said ->
                        assertThat(said)
                                .startsWith("A message arrived without our stamp (")
                                .contains(
                                        "the driver changes messages, for example by converting them to text")
                                .endsWith("see that the driver carries binary payloads."));
    }

    /** What an end says that was sent a message. */
    private Optional<String> received(final String fault) throws Exception {
        try (Publication publication = publication(faulty(fault, ""));
                Subscription subscription = subscription(publication.channel())) {
            Waiting.until(
                    "the consumer is there",
                    () ->
                            server.consumers(
                                            publication.channel().parameters().get("prefix")
                                                    + "-tickmark")
                                    .equals(List.of(1)));
            publication.offer(message, 0, LENGTH);
            Waiting.until(
                    "a message", () -> subscription.poll((buffer, offset, length) -> {}, 1) == 1);
            return subscription.engineErrors();
        }
    }

    @Test
    void shouldNotWaitForEachProducerThatDoesNotClose() throws Exception {
        final ChannelUri channel = faulty("closeHangs", "&prefix=mine&producers=40");

        assertTimeoutPreemptively(
                Duration.ofSeconds(100), // each after the other would take 400
                () -> publication(channel).close());
    }

    @Test
    void shouldReportThatAConsumerStopped() throws Exception {
        try (Publication publication = publication(faulty("consumerDies", ""));
                Subscription subscription = subscription(publication.channel())) {
            assertThat(subscription.engineErrors()).isEmpty();

            publication.offer(message, 0, LENGTH);

            Waiting.until("it is told", () -> subscription.engineErrors().isPresent());
            assertThat(subscription.engineErrors())
                    .contains(
                            "A thread of the driver ended with an error (lab-consumer, IllegalStateException: cannot decode),"
                                    + " and its work is no longer done; see what the driver logged.");
            assertThat(subscription.facts()).containsEntry("driverThreadsFailed", 1L);
        }
    }
}
