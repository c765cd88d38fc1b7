package io.tickmark.engines.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.QueueFaultTests;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Messages to the user where a server does not match a channel, and servers that stop and restart.
 */
@ExtendWith(SharedPulsar.class)
@Timeout(300)
class PulsarFaultsTest extends QueueFaultTests {
    private final PulsarTransport pulsar = new PulsarTransport();

    @Override
    protected BrokerStoreTransport<?> transport() {
        return pulsar;
    }

    /** Asks the administration of the shared server. */
    private static String admin(final String method, final String path, final String body)
            throws IOException, InterruptedException {
        final String port =
                Files.readString(SharedPulsar.folder().resolve("standalone.conf"))
                        .replaceAll("(?s).*webServicePort=(\\d+).*", "$1");
        try (HttpClient client = HttpClient.newHttpClient()) {
            final HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "http://127.0.0.1:%s/admin/v2/%s"
                                                            .formatted(port, path)))
                                    .header("Content-Type", "application/json")
                                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
            return answer.body();
        }
    }

    private static String prefix(final ChannelUri channel) {
        return channel.parameters().get("prefix");
    }

    @Test
    void shouldSayThatNobodyAnswers() throws IOException {
        final int port = FreePort.tcp(InetAddress.getLoopbackAddress());

        assertThat(refused(ChannelUri.parse("pulsar://127.0.0.1:" + port)))
                .hasMessageContaining("no Pulsar server answers there")
                .hasMessageContaining("start one, or let it be started with ?start.");
    }

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayThatNobodyAnswersWhereSomethingElseListens() throws IOException {
        final Consumer<UserError> sentence =
                said -> assertThat(said).hasMessageContaining("no Pulsar server answers there");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(pulsar, "", folder, sentence);
        }
    }

    @Test
    void shouldSayThatTheServerHasNoSuchNamespace() {
        assertThat(refused(SharedPulsar.given().with("namespace", "public/nowhere")))
                .hasMessageContaining("Namespace not found")
                .hasMessageContaining("?namespace=");
    }

    @Test
    void shouldSayThatTheServerRefusesAToken() throws Exception {
        final Path wrong = Files.writeString(folder.resolve("wrong"), "a.guessed.token\n");
        try (GivenPulsar server = GivenPulsar.askingForTokens(folder)) {
            final Path right = Files.writeString(folder.resolve("right"), server.token() + "\n");

            assertThat(refused(server.channel("tokenFile=" + wrong)))
                    .hasMessageContaining("the server refuses the token")
                    .hasMessageContaining("give ?tokenFile= with a token of a role that may")
                    .message()
                    .doesNotContain("guessed");
            assertThat(refused(server.channel("prefix=any")))
                    .hasMessageContaining("the server refuses clients without a token");
            pulsar.publication(server.channel("tokenFile=" + right), Topic.DEFAULT).close();
        }
    }

    /** The server ends the producer a moment after it was exceeded, and refuses the next. */
    @Test
    void shouldSayThatATopicExceedsItsQuota() throws Exception {
        try (GivenPulsar server = GivenPulsar.withAQuota(folder)) {
            final ChannelUri channel = server.channel("deletion=kept");
            try (DurablePublication publication =
                    pulsar.durablePublication(channel, Topic.DEFAULT)) {
                until(() -> {
                    publication.offer(message, 0, 10_000);
                    return publication.isLost();
                });
                assertThat(publication.trouble()).as("only that it broke is known").isEmpty();
            }
            assertThat(checked(() -> pulsar.durablePublication(channel, Topic.DEFAULT).close()))
                    .hasMessageContaining(
                            "the topic is full: what nobody has acknowledged exceeds its backlog quota")
                    .hasMessageContaining("raise the quota, or give ?prefix=");
        }
    }

    /** It takes five MiB. */
    @Test
    void shouldSayThatAMessageIsAboveTheLimitOfTheServer() {
        final ChannelUri channel = SharedPulsar.given().with("maxPayloadBytes", "6291456");
        try (Publication publication = pulsar.publication(channel, Topic.DEFAULT)) {
            for (int offers = 0; offers < 3; offers++) {
                assertThat(publication.offer(message, 0, 6 << 20)).isEqualTo(Publication.TOO_LONG);
            }
            assertThat(publication.engineErrors().orElseThrow())
                    .contains("accepts no message of this length", "raise maxMessageSize");
            assertThat(publication.facts()).containsEntry("sendFailures", 0L);
        }
        try (DurablePublication publication = pulsar.durablePublication(channel, Topic.DEFAULT)) {
            publication.offer(message, 0, 6 << 20);

            assertThat(publication.failure())
                    .contains("accepts no message of this length", "raise maxMessageSize");
            assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(Publication.CLOSED);
            assertThat(((PulsarStorePublication) publication).mayBeAnswered())
                    .as("whether closing waits for an answer")
                    .isFalse();
        }
    }

    @Test
    void shouldReportThatTheServerWasKilledAndFindItAgain() {
        final ChannelUri channel = SharedPulsar.given().with("persistent", "true");
        try (Publication publication = pulsar.publication(channel, Topic.DEFAULT);
                Subscription subscription = pulsar.subscription(channel, Topic.DEFAULT)) {
            SharedPulsar.store().kill(1);
            until(() -> !subscription.isConnected());
            until(() -> publication.offer(message, 0, LENGTH) == Publication.NOT_CONNECTED);
            until(() -> subscription.engineErrors().isPresent());
            assertThat(subscription.engineErrors())
                    .contains(
                            "The connection to the server broke and is not back; see whether it runs.");
            SharedPulsar.store().restart(1);

            until(() -> {
                publication.offer(message, 0, LENGTH);
                return subscription.poll((buffer, offset, length) -> {}, 1) > 0;
            });
            until(() ->
                    publication
                            .engineErrors()
                            .filter(said -> said.contains(" and was made again"))
                            .isPresent());
            assertThat((long) publication.facts().get("reconnects")).isPositive();
            assertThat((long) subscription.facts().get("reconnects")).isPositive();
        }
    }

    /** Its client would connect again, and send again what may be stored already. */
    @Test
    void shouldEndAStoredPublicationWhoseConnectionBrokeThoughNobodyLooks() {
        final BrokerChannel<PulsarParameters> channel = pulsar.channel(SharedPulsar.given());
        try (PulsarStorePublication publication =
                PulsarStorePublication.open(channel, new StoredTopic(channel, Topic.DEFAULT))) {
            write(publication, LENGTH);

            SharedPulsar.store().kill(1);

            until(publication::isBroken);
        } finally {
            SharedPulsar.store().restart(1);
        }
    }

    /** A slow subscriber's client has a limit, and its server keeps the rest. */
    @Test
    void shouldLoseNothingWhereASubscriberOfAPersistentTopicIsSlow() {
        final ChannelUri channel =
                SharedPulsar.given()
                        .with("persistent", "true")
                        .with("subscription", "shared")
                        .with("receivePendingBytes", "1024")
                        .with("receiverQueue", "10");
        try (Publication publication = pulsar.publication(channel, Topic.DEFAULT);
                Subscription subscription = pulsar.subscription(channel, Topic.DEFAULT)) {
            for (int sent = 0; sent < 1000; sent++) {
                until(() -> publication.offer(message, 0, LENGTH) > 0);
            }
            final long[] received = {0};
            until(() -> {
                received[0] += subscription.poll((buffer, offset, length) -> {}, 100);
                return received[0] == 1000;
            });
        }
    }

    @Test
    void shouldSayThatAnotherProgramWrites() throws PulsarClientException {
        final ChannelUri channel = SharedPulsar.given();
        try (DurablePublication publication = pulsar.durablePublication(channel, Topic.DEFAULT)) {
            assertThat(checked(() -> pulsar.durablePublication(channel, Topic.DEFAULT).close()))
                    .hasMessageContaining("another program writes to the topic");
            write(publication, LENGTH);
        }
        try (PulsarClient other = client(channel);
                Producer<byte[]> shared = other.newProducer().topic(stored(channel)).create()) {
            assertThat(shared.isConnected()).isTrue();
            assertThat(checked(() -> pulsar.durablePublication(channel, Topic.DEFAULT).close()))
                    .hasMessageContaining("another program writes to the topic");
        }
    }

    @SuppressWarnings("deprecation") // its statistics need one more library
    private static PulsarClient client(final ChannelUri channel) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl("pulsar://" + channel.authority())
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }

    private static String stored(final ChannelUri channel) {
        return "persistent://public/default/%s.tickmark.stored".formatted(prefix(channel));
    }

    /** One was written before our publication was there, and one after it. */
    @Test
    void shouldTellThatSomebodyElseHasWritten() throws PulsarClientException {
        final ChannelUri channel = SharedPulsar.given();
        try (DurablePublication publication = pulsar.durablePublication(channel, Topic.DEFAULT)) {
            write(publication, LENGTH);
        }
        try (PulsarClient other = client(channel);
                Producer<byte[]> shared = other.newProducer().topic(stored(channel)).create();
                DurableSubscription subscription =
                        pulsar.durableSubscription(channel, Topic.DEFAULT, 0)) {
            shared.newMessage().sequenceId(0).value(new byte[LENGTH]).send();
            until(() -> {
                subscription.poll((buffer, offset, length) -> {}, 10);
                return subscription.engineErrors().isPresent();
            });

            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("message 0 after message 0", "another program writes to the queue");
        }
    }

    /** Its bookie ends then, and the broker goes on without it. */
    @Test
    void shouldSayThatTheDiskOfAServerIsFull() throws Exception {
        try (GivenPulsar server = GivenPulsar.onADiskOf("150m", folder)) {
            final ChannelUri channel = server.channel("prefix=full");
            try (DurablePublication publication =
                    pulsar.durablePublication(channel, Topic.DEFAULT)) {
                write(publication, LENGTH);
                until(() -> {
                    publication.offer(message, 0, 65_536);
                    return !server.complaints().isEmpty();
                });
                assertThat(server.complaints()).containsExactly("No space left on device");
                until(() -> publication.offer(message, 0, 65_536) == Publication.BACK_PRESSURED);
                assertThat(publication.stablePosition()).isNotNegative();
            }
        }
    }

    @Test
    void shouldSayThatATopicHasPartitions() throws Exception {
        final ChannelUri channel = SharedPulsar.given().with("persistent", "true");
        admin(
                "PUT",
                "persistent/public/default/%s.tickmark/partitions".formatted(prefix(channel)),
                "3");

        assertThat(refused(channel))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining("has 3 partitions, which keep no order between them");
    }

    @Test
    void shouldSayThatATopicHasASchema() throws Exception {
        final ChannelUri channel = SharedPulsar.given().with("namespace", "public/strict");
        admin("PUT", "namespaces/public/strict", "{}");
        admin("POST", "namespaces/public/strict/schemaValidationEnforced", "true");
        try (PulsarClient other = client(channel)) {
            other.newProducer(Schema.INT64)
                    .topic(
                            "persistent://public/strict/%s.tickmark.stored"
                                    .formatted(prefix(channel)))
                    .create()
                    .close();
        }

        assertThat(checked(() -> pulsar.durablePublication(channel, Topic.DEFAULT).close()))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining("the topic has a schema, and messages here are plain bytes");
    }

    @Test
    void shouldLeaveNothingThatKeepsMessagesAtAServerThatIsNotOurs() throws Exception {
        final StoreServer store =
                pulsar.store(SharedPulsar.given().with("deletion", "kept"), folder);
        store.start();
        final String stats =
                "persistent/public/default/%s.tickmark.stored/stats"
                        .formatted(prefix(store.endpoint()));
        try (DurablePublication publication =
                pulsar.durablePublication(store.endpoint(), Topic.DEFAULT)) {
            write(publication, LENGTH);
            assertThat(publication.facts()).containsEntry("durability", "D2 synced, claimed");
        }
        assertThat(store.verify(Topic.DEFAULT).messages()).isOne();
        assertThat(admin("GET", stats, "")).contains("\"tickmark-kept\"");

        store.close();

        assertThat(admin("GET", stats, "")).doesNotContain("\"tickmark-kept\"");
    }

    @Test
    void shouldRefuseASharedSubscriptionOfAStore() {
        final UserError error =
                catchThrowableOfType(
                        UserError.class,
                        () -> pulsar.guarantees(ChannelUri.parse("pulsar:?subscription=shared")));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error).hasMessageContaining("give exclusive or failover");
    }
}
