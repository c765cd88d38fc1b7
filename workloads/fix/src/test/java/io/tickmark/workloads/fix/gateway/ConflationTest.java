package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a consumer that did not read receives when it reads again. */
class ConflationTest {
    private static final int MESSAGES = 1000;
    private static final String LONG_TEXT = "x".repeat(10_000);

    private static String entry(final String type, final String symbol, final int price) {
        final String rest = "270=%d|58=%s|".formatted(price, LONG_TEXT);
        return "X".equals(type)
                ? "9700=Y|268=1|279=1|269=0|55=%s|%s".formatted(symbol, rest)
                : "9700=Y|55=%s|268=1|269=0|%s".formatted(symbol, rest);
    }

    /**
     * The newest of each symbol, under its own type: an incremental refresh (35=X) is not a full
     * one. A consumer that requested incremental updates of full ones receives the newest in full,
     * as it missed some. Older ones are sent before newer ones, in whatever order the symbols were
     * requested.
     */
    @ParameterizedTest
    @CsvSource({"X, 0, X, A, B", "X, 1, X, B, A", "W, 0, W, B, A", "W, 1, W, A, B"})
    void shouldEndWithTheNewestMessageOfEachSymbol(
            final String produced,
            final int updateType,
            final String last,
            final String first,
            final String second)
            throws Exception {
        try (Trial trial =
                        new Trial(Map.of())
                                .gateway(
                                        Map.of(
                                                "subscriptions",
                                                "symbol",
                                                "slow",
                                                "conflate",
                                                "slowBytes",
                                                65_536,
                                                "workers",
                                                1,
                                                "exitAtEnd",
                                                false))
                                .start();
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                RawClient consumer =
                        RawClient.withLittleRoom(trial.port("fixConsumers"), "CONSUMER1")) {
            consumer.say(
                    "V",
                    "262=me|263=1|264=0|265=%d|267=1|269=0|146=2|55=%s|55=%s|"
                            .formatted(updateType, first, second));
            assertThat(consumer.hear()).isEqualTo("W|262=me|55=%s|268=0|".formatted(first));
            assertThat(consumer.hear()).isEqualTo("W|262=me|55=%s|268=0|".formatted(second));
            for (int i = 0; i < MESSAGES; i++) {
                producer.say(produced, entry(produced, i % 2 == 0 ? "A" : "B", i));
            }
            producer.settle();
            final List<String> heard = heardUpTo(consumer, MESSAGES - 1);
            final String newestOfA = "270=%d|".formatted(MESSAGES - 2);
            assertThat(heard).hasSizeLessThan(MESSAGES);
            assertThat(heard).filteredOn(text -> text.contains(newestOfA)).singleElement();
            // where the kernel took something meanwhile, the last may follow the one before it
            final boolean isNext =
                    heard.stream()
                            .anyMatch(text -> text.contains("270=%d|".formatted(MESSAGES - 3)));
            final String type = isNext && updateType == 1 ? "X" : last;
            assertThat(heard.getLast())
                    .isEqualTo(type + "|262=me|" + entry(type, "B", MESSAGES - 1));
        }
    }

    /** A consumer that takes all sees it in its producers' numbers. */
    @ParameterizedTest
    @CsvSource({"symbol, drop", "symbol, conflate", "all, drop"})
    void shouldWarnOfWhatConsumersOfSymbolsCannotKnowToBeLeftOut(
            final String subscriptions, final String policy) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(
                                Map.of(
                                        "subscriptions",
                                        subscriptions,
                                        "slow",
                                        policy,
                                        "slowBytes",
                                        65_536,
                                        "workers",
                                        1))
                        .start()) {
            try (RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
                    RawClient consumer =
                            RawClient.withLittleRoom(trial.port("fixConsumers"), "CONSUMER1")) {
                if (subscriptions.equals("symbol")) {
                    consumer.say("V", "262=me|263=1|264=0|265=0|267=1|269=0|146=1|55=A|");
                    assertThat(consumer.hear()).isEqualTo("W|262=me|55=A|268=0|");
                }
                for (int i = 0; i < MESSAGES; i++) {
                    producer.say("W", entry("W", "A", i));
                }
                producer.settle();
            }
            final long leftOut =
                    trial.count("gateway", "dropped") + trial.count("gateway", "conflated");
            assertThat(leftOut).isPositive();
            assertThat(trial.result("gateway").warnings())
                    .contains(
                            "The gateway left out %d messages for slow consumers (dropped, conflated)."
                                    .formatted(leftOut));
            assertThat(
                            trial.result("gateway").warnings().stream()
                                    .anyMatch(line -> line.startsWith("Consumers that asked")))
                    .isEqualTo(subscriptions.equals("symbol"));
        }
    }

    private static List<String> heardUpTo(final RawClient consumer, final int price)
            throws Exception {
        final List<String> heard = new ArrayList<>();
        do {
            heard.add(consumer.hear());
        } while (!heard.getLast().contains("|270=%d|".formatted(price)));
        return heard;
    }
}
