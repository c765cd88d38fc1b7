package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.stream.StreamPublisher;
import io.tickmark.workloads.messaging.stream.StreamSubscriber;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class StoredStreamTest extends StoredTrial {
    @Test
    void shouldFindAllThatWasAcknowledged() throws Exception {
        final Results results = run(Map.of("messages", 2000), nothing(), data -> {});

        final long warmUp = (long) results.publisher().metrics().get("storeWarmUpSent");
        assertThat(warmUp).isPositive();
        assertThat(results.sent().counts())
                .containsEntry(Counts.SENT, 2000 + warmUp)
                .containsEntry(Counts.ACKNOWLEDGED, 2000 + warmUp)
                .containsEntry(Counts.RESENT, 0L);
        assertThat(results.sent().latencies().get(Latencies.STABLE_NS).getTotalCount())
                .isEqualTo(2000);
        assertThat(results.received().counts())
                .containsEntry(Counts.RECEIVED, 2000 + warmUp)
                .containsEntry(Counts.DUPLICATED, 0L);
        assertThat(results.received().latencies().get(Latencies.RESPONSE_NS).getTotalCount())
                .isEqualTo(2000);
        assertThat(results.kept().counts())
                .containsEntry(Counts.STORED, 2000 + warmUp)
                .containsEntry(Counts.NOT_FOUND, 0L);
        assertThat(results.kept().reasons()).isEmpty();
        assertThat((long) results.publisher().metrics().get("maxFlightSize")).isPositive();
        assertThat(results.store().metrics()).containsEntry("durability", "D2 synced");
        assertThat(folder.resolve("store-1")).doesNotExist();
    }

    @Test
    void shouldReportAcknowledgementsThatAreRefusedOnlyInTheEnd() throws Exception {
        final RoleResult subscriber =
                run(
                                Map.of(
                                        "messages",
                                        100,
                                        "channel",
                                        "filestore:?refusedAcknowledgements=3"),
                                nothing(),
                                data -> {})
                        .subscriber();

        assertThat(subscriber.metrics()).containsEntry("acknowledgementsRefused", 3L);
        assertThat(subscriber.warnings()).contains("3 acknowledgements were refused.");
    }

    /** Those of the first topic stood for all. */
    @Test
    void shouldReportWhatWasRefusedOfAllTopics() throws Exception {
        final RoleResult subscriber =
                run(
                                Map.of(
                                        "messages",
                                        100,
                                        "topics",
                                        "one,two",
                                        "channel",
                                        "filestore:?refusedAcknowledgements=3"),
                                nothing(),
                                data -> {})
                        .subscriber();

        assertThat(subscriber.metrics()).containsEntry("acknowledgementsRefused", 6L);
    }

    @Test
    void shouldReceiveAllAlsoWhereItComesWhenAllIsStored() {
        final Map<String, Object> settings =
                all(Map.of("messages", 500, "jvmWarmUp", "0", "storeWarmUp", "0"));
        try (Role running = role(new StoreRole.Factory(), settings, storeContext)) {
            final Endpoints endpoints = running.prepare().boundBy("store", 1);
            acting(new StreamPublisher.Factory(), settings, publisherContext, endpoints);

            final RoleResult late =
                    acting(new StreamSubscriber.Factory(), settings, subscriberContext, endpoints);

            assertThat(late.steps().getFirst().counts())
                    .containsEntry(Counts.RECEIVED, 500L)
                    .containsEntry(Counts.LOST, 0L);
        }
    }

    @Test
    void shouldReportThatASubscriberFellBehindItsStore() throws Exception {
        final Results results =
                run(
                        Map.of("messages", 300, "rate", 500, "spinCount", 2_000_000),
                        nothing(),
                        data -> {});

        assertThat(results.received().counts()).containsEntry(Counts.LOST, 0L);
        assertThat((long) results.subscriber().metrics().get("fellBehindNs")).isPositive();
        assertThat(results.publisher().metrics()).containsKey("fellBehindNs");
    }

    @Test
    void shouldCountMessagesThatHadToWait() throws Exception {
        final Results results =
                run(
                        Map.of(
                                "messages",
                                500,
                                "rate",
                                0,
                                "flightSize",
                                3,
                                "storeWarmUp",
                                "0",
                                "channel",
                                "filestore:?syncEvery=1000"),
                        nothing(),
                        data -> {});

        assertThat(results.sent().counts())
                .containsEntry(Counts.SENT, 500L)
                .containsEntry(Counts.MAX_FLIGHT_SIZE, 3L)
                .hasEntrySatisfying(
                        Counts.WOULD_BLOCK, waited -> assertThat(waited).isBetween(1L, 497L));
    }

    @Test
    void shouldAskForWhatTheReceiverHasNotDealtWithWhereTheStoreDeletes() throws Exception {
        final Results results =
                run(
                        Map.of("messages", 1000, "channel", "filestore:?deletion=acknowledged"),
                        nothing(),
                        data -> {});

        assertThat(results.kept().counts())
                .containsEntry(Counts.NOT_FOUND, 0L)
                .hasEntrySatisfying(Counts.STORED, found -> assertThat(found).isLessThan(1000));
        assertThat(results.store().metrics()).containsEntry("deletion", "acknowledged");
    }

    private static Endpoints withItsFileOnAnotherHost(final Endpoints bound) {
        return new Endpoints(
                bound.values().stream()
                        .map(each ->
                                each.name().equals(Stores.ACKNOWLEDGED)
                                        ? new Endpoints.Endpoint(
                                                each.role(),
                                                each.index(),
                                                each.name(),
                                                each.value() + "-elsewhere")
                                        : each)
                        .toList());
    }

    @Test
    void shouldSayThatNumbersAloneAreComparedWhereTheStoreIsOnAnotherHost() throws Exception {
        changing = StoredStreamTest::withItsFileOnAnotherHost;

        final Results results = run(Map.of("messages", 100), nothing(), data -> {});

        assertThat(results.publisher().warnings())
                .singleElement()
                .asString()
                .contains("by message counts alone")
                .contains("acknowledged-elsewhere: run both on one host");
        assertThat(results.sent().counts().get(Counts.ACKNOWLEDGED))
                .isEqualTo(results.kept().counts().get(Counts.STORED));
    }

    @Test
    void shouldRefuseAStoreOnAnotherHostThatDeletes() {
        changing = StoredStreamTest::withItsFileOnAnotherHost;

        assertThatThrownBy(() ->
                        run(
                                Map.of(
                                        "messages",
                                        100,
                                        "channel",
                                        "filestore:?deletion=acknowledged"),
                                nothing(),
                                data -> {}))
                .hasRootCauseInstanceOf(UserError.class)
                .hasMessageContaining("run them on one host, or let the store keep");
    }

    @Test
    void shouldRefuseAFolderOfAnotherRunOrWithOtherFiles() throws Exception {
        final Path other = folder.resolve("store-1");
        Files.createDirectories(other);
        Files.writeString(other.resolve("letter.txt"), "dear");
        final Map<String, Object> settings =
                Map.of("channel", "filestore:", "storeDirectory", folder.toString());

        assertThatThrownBy(() -> prepare(settings))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("it holds other files");
        assertThat(other.resolve("letter.txt")).exists();

        Files.delete(other.resolve("letter.txt"));
        Files.writeString(other.resolve("tickmark-store.txt"), "kafka\n");
        assertThatThrownBy(() -> prepare(settings))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("it holds the store of another run (kafka)");

        Files.delete(other.resolve("tickmark-store.txt"));
        try (Role first = role(new StoreRole.Factory(), settings, storeContext)) {
            first.prepare();
            assertThatThrownBy(() -> prepare(settings))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("another store uses it");
        }
    }

    private void prepare(final Map<String, Object> settings) {
        try (Role role = role(new StoreRole.Factory(), settings, storeContext)) {
            role.prepare();
        }
    }

    @Test
    void shouldRefuseAChannelWithoutAStore() {
        assertThatThrownBy(() ->
                        role(
                                new StoreRole.Factory(),
                                Map.of("channel", "udp://127.0.0.1:0"),
                                storeContext))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("udp keeps no messages");
    }
}
