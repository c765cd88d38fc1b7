package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subscriptions as a client asks for them (35=V), byte by byte. */
class MarketDataRequestsTest {
    private static final String SNAPSHOT = "0";
    private static final String UPDATES = "1";
    private static final String NO_MORE = "2";

    private Trial trial;
    private RawClient producer;
    private RawClient consumer;

    @BeforeEach
    void logOn() throws IOException {
        trial =
                new Trial(Map.of())
                        .gateway(
                                Map.of(
                                        "subscriptions",
                                        "symbol",
                                        "workers",
                                        1,
                                        "maxMessageBytes",
                                        1 << 18,
                                        "exitAtEnd",
                                        false))
                        .start();
        producer = new RawClient(trial.port("fixProducers"), "PRODUCER1");
        consumer = new RawClient(trial.port("fixConsumers"), "CONSUMER1");
    }

    @AfterEach
    void end() throws IOException {
        producer.close();
        consumer.close();
        trial.close();
    }

    private void ask(final String type, final String id, final String... symbols)
            throws IOException {
        final String group =
                IntStream.range(0, symbols.length)
                        .mapToObj(i -> "55=" + symbols[i] + "|")
                        .collect(Collectors.joining());
        consumer.say(
                "V",
                "262=%s|263=%s|264=0|265=0|267=1|269=0|146=%d|%s"
                        .formatted(id, type, symbols.length, group));
    }

    private void price(final String symbol, final String price) throws IOException {
        producer.say("W", "9700=Y|262=p|55=%s|268=1|269=0|270=%s|".formatted(symbol, price));
        producer.settle();
    }

    private static String update(final String id, final String symbol, final String price) {
        return "W|262=%s|9700=Y|55=%s|268=1|269=0|270=%s|".formatted(id, symbol, price);
    }

    @Test
    void shouldGiveASnapshotOnceWhereOnlyThatIsAskedFor() throws IOException {
        ask(SNAPSHOT, "none-yet", "EURUSD");
        assertThat(consumer.hear()).isEqualTo("W|262=none-yet|55=EURUSD|268=0|");
        price("EURUSD", "1.1");
        ask(SNAPSHOT, "once", "EURUSD");
        assertThat(consumer.hear()).isEqualTo(update("once", "EURUSD", "1.1"));

        price("EURUSD", "1.2");
        consumer.settle();
    }

    @Test
    void shouldGiveASnapshotAndThenUpdatesUntilTheyAreTakenBack() throws IOException {
        price("EURUSD", "1.1");
        ask(UPDATES, "live", "EURUSD", "GBPUSD");
        assertThat(consumer.hear()).isEqualTo(update("live", "EURUSD", "1.1"));
        assertThat(consumer.hear()).isEqualTo("W|262=live|55=GBPUSD|268=0|");
        price("EURUSD", "1.2");
        assertThat(consumer.hear()).isEqualTo(update("live", "EURUSD", "1.2"));

        ask(NO_MORE, "live", "EURUSD", "GBPUSD");
        consumer.settle();
        price("EURUSD", "1.3");
        price("GBPUSD", "1.4");
        consumer.settle();
        ask(UPDATES, "live", "EURUSD");
        assertThat(consumer.hear()).as("the id is free").isEqualTo(update("live", "EURUSD", "1.3"));
    }

    @ParameterizedTest
    @CsvSource({
        "1, in-use, 281=1, this MDReqID is in use",
        "2, unknown, 281=4, there is no request with this MDReqID",
        "7, any, 281=4, 'SubscriptionRequestType must be 0, 1 or 2'"
    })
    void shouldRefuseWhatItCannotAnswer(
            final String type, final String id, final String reason, final String text)
            throws IOException {
        ask(UPDATES, "in-use", "EURUSD");
        consumer.hear();
        ask(type, id, "GBPUSD");

        assertThat(consumer.hear()).isEqualTo("Y|262=%s|%s|58=%s|".formatted(id, reason, text));
        price("GBPUSD", "1.1");
        price("EURUSD", "1.2");
        assertThat(consumer.hear()).isEqualTo(update("in-use", "EURUSD", "1.2"));
    }

    @Test
    void shouldRefuseARequestForTooManySymbolsAsAWhole() throws IOException {
        final String[] symbols =
                IntStream.rangeClosed(0, MarketDataRequests.MOST_SYMBOLS)
                        .mapToObj(i -> "S" + i)
                        .toArray(String[]::new);
        ask(UPDATES, "many", symbols);

        assertThat(consumer.hear())
                .isEqualTo("Y|262=many|281=2|58=more than 10000 symbols in one request|");
        price("S0", "1.1");
        consumer.settle();
    }

    @Test
    void shouldRefuseOneRequestTooMany() throws IOException {
        for (int i = 0; i < SubscriptionList.MOST_REQUESTS; i++) {
            ask(UPDATES, "r" + i, "EURUSD");
            assertThat(consumer.hear()).startsWith("W|262=r" + i);
        }
        ask(UPDATES, "last", "GBPUSD");

        assertThat(consumer.hear()).isEqualTo("Y|262=last|281=2|58=too many requests|");
    }
}
