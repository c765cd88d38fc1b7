package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers that reconnect for what they missed, to the same gateway and to a restarted one. */
class ComingBackTest {
    private static final int MESSAGES = 300;
    private static final String LONG_BODY = "55=EURUSD|58=" + "x".repeat(1000) + "|268=0|";

    @TempDir Path folder;

    private Trial gateway(final Map<String, Object> store) {
        return new Trial(Map.of("exitAtEnd", false, "fanOut", "all", "workers", 1))
                .gateway(store)
                .start();
    }

    private static void send(final RawClient producer, final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            producer.say("W", LONG_BODY);
        }
    }

    @Test
    void shouldSendAgainWhatWasSentBeforeTheGatewayEnded() throws Exception {
        final Map<String, Object> store = Map.of("store", "file", "storeDir", folder.toString());
        final int lastSaid;
        try (Trial trial = gateway(store);
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
            send(producer, 3);
            for (int i = 0; i < 3; i++) {
                assertThat(consumer.hear()).startsWith("W|");
            }
            lastSaid = consumer.sequence();
        }
        try (Trial trial = gateway(store);
                RawClient consumer =
                        new RawClient(trial.port("fixConsumers"), "CONSUMER1", lastSaid)) {
            consumer.say("2", "7=3|16=4|");
            for (int i = 0; i < 2; i++) {
                assertThat(consumer.hear()).startsWith("W|43=Y|122=").endsWith("|" + LONG_BODY);
            }
            consumer.settle();
        }
    }

    /** More is resent to it than may be pending, and new messages arrive meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"disconnect", "block", "drop"})
    void shouldNotTakeWhoIsSentMuchAgainForSlow(final String policy) throws Exception {
        try (Trial trial =
                        gateway(
                                Map.of(
                                        "slow",
                                        policy,
                                        "slowBytes",
                                        4096,
                                        "slowTime",
                                        "2s",
                                        "storeBytes",
                                        1 << 20));
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
            for (int i = 0; i < MESSAGES; i++) {
                send(producer, 1);
                assertThat(consumer.hear()).startsWith("W|");
            }
            consumer.say("2", "7=2|16=0|");
            assertThat(consumer.hear()).startsWith("W|43=Y|");
            send(producer, 20);
            for (int i = 1; i < MESSAGES; i++) {
                assertThat(consumer.hear()).startsWith("W|43=Y|");
            }
            for (int i = 0; i < 20; i++) {
                assertThat(consumer.hear()).as("the new ones come behind").startsWith("W|");
            }
            consumer.settle();
        }
    }

    /**
     * All of it is in the buffer, whose limit is that of the session with the most, but the socket
     * accepts it slowly.
     */
    @Test
    void shouldNotTakeWhoIsSentMuchAgainForSlowBeforeItIsWritten() throws Exception {
        final int messages = 140;
        final String body = "55=EURUSD|58=" + "x".repeat(60_000) + "|268=0|";
        try (Trial trial =
                        gateway(
                                Map.of(
                                        "slow", "disconnect",
                                        "slowBytes", 4096,
                                        "slowTime", "60s",
                                        "slowSessions", "OTHER=drop:16777216",
                                        "storeBytes", 1 << 24));
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                RawClient consumer =
                        RawClient.withLittleRoom(trial.port("fixConsumers"), "CONSUMER1")) {
            for (int i = 0; i < messages; i++) {
                producer.say("W", body);
                assertThat(consumer.hear()).startsWith("W|55=");
            }
            consumer.say("2", "7=2|16=0|");
            assertThat(consumer.hear()).startsWith("W|43=Y|");
            send(producer, 1);
            producer.settle();
            for (int i = 1; i < messages; i++) {
                assertThat(consumer.hear()).startsWith("W|43=Y|");
            }
            assertThat(consumer.hear()).as("what came meanwhile").startsWith("W|");
            consumer.settle();
        }
    }

    @Test
    void shouldSayAtOnceThatTheFolderOfTheStoreCannotBeUsed() throws Exception {
        final Path file = Files.createFile(folder.resolve("taken"));
        assertThatThrownBy(() -> gateway(Map.of("store", "file", "storeDir", file.toString())))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--store-dir " + file + ": cannot be used");
    }

    @Test
    void shouldNotShareTheFolderOfItsStore() throws Exception {
        final Map<String, Object> store = Map.of("store", "file", "storeDir", folder.toString());
        try (Trial trial = gateway(store)) {
            assertThatThrownBy(() -> gateway(store))
                    .isInstanceOf(UserError.class)
                    .hasMessage(
                            "--store-dir %s: another gateway uses it (process %d); name another folder, or end that one."
                                    .formatted(folder, ProcessHandle.current().pid()));
            try (RawClient client = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
                client.settle(); // the first is not affected
            }
        }
        gateway(store).close();
    }

    @Test
    void shouldRefuseASessionWhoseFilesCannotBeUsedAndServeTheOthers() throws Exception {
        try (Trial trial = gateway(Map.of("store", "file", "storeDir", folder.toString()))) {
            assertThatThrownBy(() -> new RawClient(trial.port("fixConsumers"), "C".repeat(300)))
                    .as("no file has so long a name")
                    .isInstanceOf(IOException.class);
            try (RawClient other = new RawClient(trial.port("fixConsumers"), "CONSUMER2")) {
                other.settle();
            }
            assertThat(trial.context("gateway").lines())
                    .anyMatch(line -> line.contains("CCC") && line.contains("--store-dir"));
        }
    }

    @Test
    void shouldKeepItsHoursAsAClient() {
        final java.time.LocalTime now = java.time.LocalTime.now(java.time.ZoneOffset.UTC);
        final String closed =
                "%tR-%tR".formatted(now.plusHours(2), now.plusHours(3)); // not at this hour
        try (Trial trial = gateway(Map.of())) {
            assertThatThrownBy(() -> trial.consumers(Map.of("schedule", closed)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("closed at this hour");
        }
    }
}
