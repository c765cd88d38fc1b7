package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.TestContext;
import io.tickmark.workloads.messaging.stream.StreamPubFactory;
import io.tickmark.workloads.messaging.stream.StreamSubFactory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class StoredStreamTest {
    private static final Map<String, Object> SHORT =
            Map.of("jvmWarmUp", "20ms", "storeWarmUp", "50ms", "payloadBytes", 100, "rate", 4000);

    @TempDir Path folder;
    private final TestContext storeContext = new TestContext(1, 1);
    private Role store;

    /** What the three roles told. */
    private record Results(RoleResult publisher, RoleResult subscriber, RoleResult store) {
        StepResult sent() {
            return publisher.steps().getFirst();
        }

        StepResult received() {
            return subscriber.steps().getFirst();
        }

        StepResult kept() {
            return store.steps().getFirst();
        }
    }

    /** Done once publisher and subscriber have ended, before the store is read back. */
    private interface Meddling {
        void with(Path data) throws Exception;
    }

    private Results play(
            final Map<String, Object> settings, final Thread meanwhile, final Meddling meddling)
            throws Exception {
        final Map<String, Object> all = new HashMap<>(SHORT);
        all.put("channel", "filestore:?syncEvery=10");
        all.put("storeDirectory", folder.toString());
        all.putAll(settings);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            store = role(new StoreFactory(), all, storeContext);
            final Endpoints endpoints = store.prepare().boundBy("store", 1);
            final Future<RoleResult> kept = threads.submit(() -> store.run(System.nanoTime()));
            final Role publisher = role(new StreamPubFactory(), all, new TestContext(1, 1));
            final Role subscriber = role(new StreamSubFactory(), all, new TestContext(1, 1));
            final Future<RoleResult> received = threads.submit(() -> acting(subscriber, endpoints));
            final Future<RoleResult> sent = threads.submit(() -> acting(publisher, endpoints));
            meanwhile.start();
            final RoleResult publisherResult = sent.get(60, TimeUnit.SECONDS);
            final RoleResult subscriberResult = received.get(60, TimeUnit.SECONDS);
            meanwhile.join();
            meddling.with(folder.resolve("store-1").resolve("data"));
            storeContext.stop();
            return new Results(publisherResult, subscriberResult, kept.get(60, TimeUnit.SECONDS));
        } finally {
            storeContext.stop();
            store.close();
        }
    }

    private static <S extends Record> Role role(
            final RoleFactory<S> factory,
            final Map<String, Object> all,
            final TestContext context) {
        final Map<String, Object> known = new HashMap<>(all);
        known.keySet()
                .retainAll(
                        io.tickmark.kernel.settings.SettingDescriptor.of(factory.settings())
                                .stream()
                                .map(io.tickmark.kernel.settings.SettingDescriptor::key)
                                .toList());
        return factory.create(Settings.read(factory.settings(), known, key -> key), context);
    }

    private static RoleResult acting(final Role role, final Endpoints endpoints) {
        try (role) {
            role.prepare();
            role.connect(endpoints);
            return role.run(System.nanoTime());
        }
    }

    private static Thread nothing() {
        return new Thread(() -> {});
    }

    @Test
    void shouldFindAllThatWasAcknowledged() throws Exception {
        final Results results = play(Map.of("messages", 2000), nothing(), data -> {});

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
    void shouldFailWithTheMissingRangesWhenAcknowledgedMessagesAreGone() throws Exception {
        final Results results =
                play(
                        Map.of("messages", 1000, "storeWarmUp", "0", "jvmWarmUp", "0"),
                        nothing(),
                        data -> {
                            loseASegment(data);
                        });

        assertThat(results.kept().counts()).containsEntry(Counts.NOT_FOUND, 16L);
        assertThat(results.kept().reasons())
                .singleElement()
                .asString()
                .contains("16 of 1000 messages of topic tickmark")
                .contains("sequences 31-46.");
    }

    /** A segment of 16 messages behind the first two: the announcement is ordinal 0. */
    private void loseASegment(final Path data) throws Exception {
        final List<Path> segments = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(data, "tickmark-*.log")) {
            found.forEach(segments::add);
        }
        segments.sort(null);
        Files.delete(segments.get(2));
        store.inflict(new MemberFault(1, MemberFault.Kind.KILL)); // it reads anew what is on disk
    }

    @Test
    void shouldSendAgainWhatWasNotStableWhenTheStoreIsKilledAndRestarted() throws Exception {
        final Thread crash =
                new Thread(() -> {
                    awaitSegments();
                    store.inflict(new MemberFault(1, MemberFault.Kind.KILL));
                    pause(300);
                    store.inflict(new MemberFault(1, MemberFault.Kind.RESTART));
                });

        final Results results = play(Map.of("messages", 4000), crash, data -> {});

        final long sent = results.sent().counts().get(Counts.SENT);
        assertThat(sent).isGreaterThanOrEqualTo(4000);
        assertThat(results.sent().reasons()).isEmpty();
        assertThat(results.sent().counts()).containsEntry(Counts.ACKNOWLEDGED, sent);
        assertThat(results.publisher().metrics()).containsEntry("timesReopened", 1L);
        assertThat(results.received().counts())
                .containsEntry(Counts.RECEIVED, sent)
                .containsEntry(Counts.LOST, 0L);
        assertThat(results.kept().counts())
                .containsEntry(Counts.STORED, sent)
                .containsEntry(Counts.NOT_FOUND, 0L);
        assertThat(results.store().metrics().get("faults").toString())
                .contains("member 1 killed at")
                .contains("back at");
        assertThat(results.sent().counts().get(Counts.MAX_STABLE_GAP_NS))
                .isGreaterThan(100_000_000);
    }

    /** More than the warm-ups fill, so that measured messages are among them. */
    private void awaitSegments() {
        final Path data = folder.resolve("store-1").resolve("data");
        long found = 0;
        while (found < 12) {
            pause(5);
            try (Stream<Path> segments = Files.list(data)) {
                found = segments.filter(Files::isRegularFile).count();
            } catch (final IOException e) {
                found = 0; // not there yet
            }
        }
    }

    private static void pause(final long ms) {
        try {
            Thread.sleep(ms);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldFailWhenTheStoreDoesNotComeBack() throws Exception {
        final Thread crash =
                new Thread(() -> {
                    awaitSegments();
                    store.inflict(new MemberFault(1, MemberFault.Kind.KILL));
                });

        final Results results =
                play(
                        Map.of("messages", 4000, "storeTimeout", "500ms", "idleTimeout", "10m"),
                        crash,
                        data -> {});

        assertThat(results.sent().reasons().getFirst()).contains("the store is lost");
        assertThat(results.subscriber().failure()).as("it ends with the publisher").isEmpty();
        assertThat(results.kept().reasons())
                .anyMatch(reason ->
                        reason.matches("The disk of .* has \\d+ KiB of \\d+ KiB left\\."));
        // It may have acknowledged all it was sent when it dies.
        assertThat(results.sent().counts().get(Counts.ACKNOWLEDGED))
                .isLessThanOrEqualTo(results.sent().counts().get(Counts.SENT));
        assertThat(results.sent().counts().get(Counts.SENT)).isLessThan(4000);
        assertThat(results.kept().counts()).containsEntry(Counts.NOT_FOUND, 0L);
    }

    @Test
    void shouldTellThatASubscriberFellBehindItsStore() throws Exception {
        final Results results =
                play(
                        Map.of("messages", 300, "rate", 500, "spinCount", 2_000_000),
                        nothing(),
                        data -> {});

        assertThat(results.received().counts()).containsEntry(Counts.LOST, 0L);
        assertThat((long) results.subscriber().metrics().get("fellBehindNs")).isPositive();
        assertThat(results.publisher().metrics()).containsKey("fellBehindNs");
    }

    @Test
    void shouldSayThatAStoreHasNoSuchMember() throws Exception {
        assertThatThrownBy(() ->
                        play(
                                Map.of("messages", 100),
                                nothing(),
                                data -> store.inflict(new MemberFault(2, MemberFault.Kind.KILL))))
                .hasRootCauseInstanceOf(UserError.class)
                .hasMessageContaining("there is no member 2 of filestore:");
    }

    @Test
    void shouldCountMessagesThatHadToWait() throws Exception {
        final Results results =
                play(
                        Map.of(
                                "messages",
                                500,
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
                .hasEntrySatisfying(
                        Counts.MAX_FLIGHT_SIZE, most -> assertThat(most).isBetween(1L, 3L));
    }

    @Test
    void shouldAskForWhatTheReceiverHasNotDealtWithWhereTheStoreDeletes() throws Exception {
        final Results results =
                play(
                        Map.of("messages", 1000, "channel", "filestore:?deletion=acknowledged"),
                        nothing(),
                        data -> {});

        assertThat(results.kept().counts())
                .containsEntry(Counts.NOT_FOUND, 0L)
                .hasEntrySatisfying(Counts.STORED, found -> assertThat(found).isLessThan(1000));
        assertThat(results.store().metrics()).containsEntry("deletion", "acknowledged");
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
        try (Role first = role(new StoreFactory(), settings, storeContext)) {
            first.prepare();
            assertThatThrownBy(() -> prepare(settings))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("another store uses it");
        }
    }

    private void prepare(final Map<String, Object> settings) {
        try (Role role = role(new StoreFactory(), settings, storeContext)) {
            role.prepare();
        }
    }

    @Test
    void shouldRefuseAChannelWithoutAStore() {
        assertThatThrownBy(() ->
                        role(
                                new StoreFactory(),
                                Map.of("channel", "udp://127.0.0.1:0"),
                                storeContext))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("udp keeps no messages");
    }
}
