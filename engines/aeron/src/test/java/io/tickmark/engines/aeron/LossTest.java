package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Exchange;
import io.tickmark.transport.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossTest {
    private static final int MESSAGES = 2000;

    private static Object driver(final Pair pair) {
        return pair.bound().publication().facts().get("driverDirectory");
    }

    private static long retransmits(final Pair pair) {
        return (Long) pair.bound().publication().facts().get("retransmitsSent");
    }

    private static long naks(final Pair pair) {
        return (Long) pair.connected(1).subscription().facts().get("naksSent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aeron:udp?endpoint=127.0.0.1:0",
                "aeron:udp?endpoint=224.0.1.1:0|interface=127.0.0.1"
            })
    void shouldDeliverAllToTheLastMessageThoughDatagramsAreLost(final String channel) {
        try (Pair pair = new Pair(channel + "|term-length=64k|lossPart=0.2|lossSeed=7", 2)) {
            pair.sendAndReceiveAll(MESSAGES, 200);

            assertThat(pair.bound().publication().facts())
                    .containsEntry("lossPart", 0.2)
                    .containsEntry("lossSeed", 7L);
            assertThat(retransmits(pair)).isPositive();
            assertThat(naks(pair)).isPositive();
        }
    }

    /** The driver is kept from repeat to repeat of a test, and so are its counts. */
    @Test
    void shouldNotReportTheRepairsOfAnEarlierTestAgain() {
        final String channel =
                "aeron:udp?endpoint=127.0.0.1:0|term-length=64k|lossPart=0.2|lossSeed=9";
        try (Pair earlier = new Pair(channel, 1)) {
            earlier.sendAndReceiveAll(MESSAGES, 200);

            try (Pair pair = new Pair(channel, 1)) {
                assertThat(driver(pair)).isEqualTo(driver(earlier));
                assertThat(retransmits(pair)).isLessThan(retransmits(earlier));
                assertThat(naks(pair)).isLessThan(naks(earlier));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aeron:udp?endpoint=127.0.0.1:0|term-length=64k|lossPart=0.2"})
    void shouldServeTheTailThatWasLostAfterThePublisherHasClosed(final String channel) {
        final Pair pair = new Pair(channel, 1);
        final Exchange reader = pair.connected(1);
        pair.sendAndReceiveAll(1, 200);
        final var buffer = new org.agrona.concurrent.UnsafeBuffer(new byte[200]);
        final int[] received = {0};
        int sent = 0;
        while (sent < 50) {
            sent += pair.bound().publication().offer(buffer, 0, 200) > 0 ? 1 : 0;
        }

        pair.bound().close();

        Waiting.until(
                "the tail has come",
                () -> {
                    reader.subscription().poll((message, offset, length) -> received[0]++, 10);
                    return received[0] == 50;
                });
        reader.close();
    }
}
