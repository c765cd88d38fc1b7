package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages sent while a consumer is disconnected are numbered and kept for it. */
@Timeout(120)
class AwayConsumerTest {
    @TempDir Path folder;

    private static Trial gateway(final Map<String, Object> settings) {
        final Map<String, Object> all = new HashMap<>(settings);
        all.put("exitAtEnd", false); // producers connect and disconnect
        return new Trial(Map.of("fanOut", "all", "workers", 1)).gateway(all).start();
    }

    private static void produce(final Trial trial, final int from, final int to)
            throws IOException {
        produce(trial, from, to, "");
    }

    private static void produce(
            final Trial trial, final int from, final int to, final String filling)
            throws IOException {
        try (RawClient producer =
                new RawClient(trial.port("fixProducers"), "PRODUCER" + from + "-" + to)) {
            for (int i = from; i <= to; i++) {
                producer.say("W", "55=EURUSD|58=m" + i + filling + "|268=0|");
            }
            producer.settle();
        }
    }

    /** Sends a Logout, and receives the answer: the gateway knows that it is gone. */
    private static void logOut(final RawClient consumer) throws IOException {
        consumer.say("5", "");
        assertThat(consumer.hear()).startsWith("5|");
    }

    /** The messages that arrive until a TestRequest is answered, as their Text, or gap fills. */
    private static List<String> all(final RawClient consumer) throws IOException {
        consumer.say("1", "112=end|");
        final List<String> texts = new ArrayList<>();
        for (String heard = consumer.hear(); !heard.equals("0|112=end|"); heard = consumer.hear()) {
            texts.add(
                    heard.startsWith("W|")
                            ? heard.replaceAll(".*\\|58=(m\\d+).*", "$1")
                            : heard.replaceAll("4\\|.*\\|36=(\\d+)\\|.*", "fill $1"));
        }
        return texts;
    }

    private static String[] texts(final int from, final int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "m" + i).toArray(String[]::new);
    }

    /** Workers see messages at different times: some may have found it back already. */
    private static void await(final Trial trial, final long messages) throws Exception {
        while (count(trial, "keptForAbsent") + count(trial, "gatewayOut") < messages) {
            Thread.sleep(10);
        }
        assertThat(count(trial, "keptForAbsent") + count(trial, "gatewayOut")).isEqualTo(messages);
    }

    private static long count(final Trial trial, final String name) {
        return ((Gateway) trial.role("gateway")).engine().counts().get(name);
    }

    /**
     * A separate worker would lose or duplicate messages that the workers have seen at different
     * times.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldBringWhatWasSentMeanwhileInOrderAndOnce(final int workers) throws Exception {
        try (Trial trial = gateway(Map.of("workers", workers))) {
            int said = 0;
            int number = 2; // of the next message for it
            for (int round = 0; round < 6; round++) {
                try (RawClient consumer =
                        new RawClient(trial.port("fixConsumers"), "CONSUMER1", said)) {
                    final int missed = round * 10;
                    if (round > 0) {
                        consumer.say("2", "7=%d|16=0|".formatted(number));
                        final List<String> heard = all(consumer);
                        assertThat(heard).startsWith(texts(missed - 9, missed));
                        assertThat(heard.subList(10, heard.size()))
                                .as("nothing but the Logon is filled")
                                .allMatch(each -> each.startsWith("fill "));
                        number += 10 + 2; // the Logon and the answer to the TestRequest
                    }
                    logOut(consumer);
                    number++;
                    said = consumer.sequence();
                }
                produce(trial, round * 10 + 1, round * 10 + 10);
                if (round == 0) {
                    number = 3;
                }
            }
            await(trial, 60); // 10 for each time that it was away
            assertThat(count(trial, "notKeptForAbsent")).isZero();
        }
    }

    @Test
    void shouldKeepInFilesForWhomTheGatewayHasNotSeenSinceItBegan() throws Exception {
        final Map<String, Object> store = Map.of("store", "file", "storeDir", folder.toString());
        final int said;
        try (Trial trial = gateway(store);
                RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSÚMER/1")) {
            logOut(consumer);
            said = consumer.sequence();
            produce(trial, 1, 5);
        }
        try (Trial trial = gateway(store)) {
            assertThat(trial.context("gateway").lines())
                    .contains(
                            "1 consumer is known from before and away: messages are kept until they return.");
            produce(trial, 6, 9);
            try (RawClient consumer =
                    new RawClient(trial.port("fixConsumers"), "CONSÚMER/1", said)) {
                consumer.say("2", "7=3|16=0|");
                assertThat(all(consumer)).startsWith(texts(1, 9));
            }
        }
    }

    @Test
    void shouldFillTheGapOfWhoIsAwayLongestWhereMemoryEnds() throws Exception {
        final String kilobyte = "x".repeat(1000);
        try (Trial trial = gateway(Map.of("awayBytes", 200_000))) {
            final List<Integer> said = new ArrayList<>();
            for (final String id : List.of("FIRST", "SECOND")) {
                try (RawClient consumer = new RawClient(trial.port("fixConsumers"), id)) {
                    logOut(consumer);
                    said.add(consumer.sequence());
                }
            }
            produce(trial, 1, 100, kilobyte);
            assertThat(count(trial, "notKeptForAbsent")).isZero(); // not counted yet
            try (RawClient consumer =
                    new RawClient(trial.port("fixConsumers"), "FIRST", said.get(0))) {
                consumer.say("2", "7=3|16=0|");
                assertThat(all(consumer)).containsExactly("fill 104"); // 100 and the Logon
            }
            try (RawClient consumer =
                    new RawClient(trial.port("fixConsumers"), "SECOND", said.get(1))) {
                consumer.say("2", "7=3|16=0|");
                assertThat(all(consumer)).startsWith(texts(1, 100));
            }
            assertThat(trial.context("gateway").lines())
                    .anyMatch(line -> line.startsWith("--away-bytes 200000: reached"));
            trial.stop("gateway");
            assertThat(trial.count("gateway", "notKeptForAbsent")).isPositive();
            assertThat(trial.result("gateway").warnings())
                    .anyMatch(line -> line.contains("gets a gap fill"));
        }
    }

    @Test
    void shouldOnlyNumberWhereNoMessagesAreKept() throws Exception {
        try (Trial trial = gateway(Map.of("store", "none"))) {
            final int said;
            try (RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
                logOut(consumer);
                said = consumer.sequence();
            }
            produce(trial, 1, 5);
            try (RawClient consumer =
                    new RawClient(trial.port("fixConsumers"), "CONSUMER1", said)) {
                consumer.say("2", "7=3|16=0|");
                assertThat(all(consumer)).containsExactly("fill 9");
            }
        }
    }

    /** A consumer that is disconnected for being slow has a store, too. */
    @Test
    void shouldBringWhatFollowedToAConsumerThatWasCutOff() throws Exception {
        final int messages = 300;
        final String body = "x".repeat(30_000);
        try (Trial trial =
                gateway(
                        Map.of(
                                "slow",
                                "disconnect",
                                "slowBytes",
                                65_536,
                                "slowTime",
                                "60s",
                                "storeBytes",
                                1 << 24))) {
            final int said;
            try (RawClient consumer =
                    RawClient.withLittleRoom(trial.port("fixConsumers"), "CONSUMER1")) {
                said = consumer.sequence();
                produce(trial, 1, messages, body);
            }
            assertThat(count(trial, "cutOff")).isOne();
            try (RawClient consumer =
                    new RawClient(trial.port("fixConsumers"), "CONSUMER1", said)) {
                consumer.say("2", "7=2|16=0|");
                for (int i = 1; i <= messages; i++) { // the answer is longer than a write
                    assertThat(consumer.hear()).startsWith("W|43=Y|").contains("|58=m" + i + "x");
                }
            }
        }
    }

    /** Whoever is gone was given nothing, however much is kept. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPassOnlyWhereSomebodyFetchesWhatWasKept(final boolean isFetched) throws Exception {
        try (Trial trial = gateway(Map.of("workers", 2))) {
            final int said;
            try (RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
                logOut(consumer);
                said = consumer.sequence();
            }
            produce(trial, 1, 5);
            await(trial, 5);
            if (isFetched) {
                try (RawClient consumer =
                        new RawClient(trial.port("fixConsumers"), "CONSUMER1", said)) {
                    for (int i = 0; i < 2; i++) { // what is fetched twice counts once
                        consumer.say("2", "7=3|16=5|");
                        assertThat(all(consumer)).containsExactly(texts(1, 3));
                    }
                    logOut(consumer);
                }
            }
            trial.stop("gateway");
            assertThat(trial.count("gateway", "gatewayOut")).isZero();
            assertThat(trial.count("gateway", "keptForAbsent")).isEqualTo(5);
            assertThat(trial.count("gateway", "keptNotFetched")).isEqualTo(isFetched ? 2 : 5);
            assertThat(trial.result("gateway").failure())
                    .isEqualTo(
                            isFetched
                                    ? ""
                                    : "The gateway delivered nothing to any consumer: 5 messages came in, 5 were kept for"
                                            + " consumers that were away and not fetched, 0 consumers were connected"
                                            + " at the end.");
            assertThat(trial.result("gateway").warnings())
                    .contains(
                            "%d messages that were kept for consumers that were away had not been fetched by the end."
                                    .formatted(isFetched ? 2 : 5));
        }
    }

    /** Also of what is kept while a consumer that is back receives what it had missed. */
    @Test
    void shouldCountNothingAsNotFetchedThatFollowsAnAnswer() throws Exception {
        final String filling = "x".repeat(20_000);
        try (Trial trial = gateway(Map.of("storeBytes", 1 << 24))) {
            final int said;
            try (RawClient consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
                logOut(consumer);
                said = consumer.sequence();
            }
            produce(trial, 1, 500, filling);
            await(trial, 500);
            try (RawClient consumer =
                    new RawClient(trial.port("fixConsumers"), "CONSUMER1", said)) {
                consumer.say("2", "7=3|16=0|"); // the answer is longer than what it has room for
                produce(trial, 501, 550, filling);
                String heard = consumer.hear();
                while (!heard.contains("|58=m550x")) {
                    heard = consumer.hear();
                }
                logOut(consumer);
            }
            trial.stop("gateway");
            assertThat(trial.count("gateway", "keptForAbsent")).isGreaterThanOrEqualTo(500);
            assertThat(trial.count("gateway", "keptNotFetched")).isZero();
        }
    }
}
