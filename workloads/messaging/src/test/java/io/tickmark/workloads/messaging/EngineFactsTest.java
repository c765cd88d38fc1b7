package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

final class EngineFactsTest {
    private static final ChannelUri CHANNEL = ChannelUri.parse("null:facts");

    private record Sending(Map<String, Object> facts) implements Publication {
        @Override
        public boolean isCount(final String fact) {
            return fact.equals("unanswered");
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            return BACK_PRESSURED;
        }

        @Override
        public int subscriberCount() {
            return UNKNOWN_COUNT;
        }

        @Override
        public ChannelUri channel() {
            return CHANNEL;
        }

        @Override
        public void close() {}
    }

    private record Receiving(Map<String, Object> facts) implements Subscription {
        @Override
        public boolean isCount(final String fact) {
            return fact.equals("closedByServer");
        }

        @Override
        public int poll(final MessageHandler handler, final int limit) {
            return 0;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public ChannelUri channel() {
            return CHANNEL;
        }

        @Override
        public void close() {}
    }

    private static Exchange topic(
            final Map<String, Object> sending, final Map<String, Object> receiving) {
        return Exchange.of(new Sending(sending), new Receiving(receiving), CHANNEL);
    }

    /** Only those of the first topic were reported. */
    @Test
    void shouldAddUpWhatTheEndsOfSeveralTopicsCount() {
        final List<Exchange> exchanges =
                List.of(
                        topic(Map.of("unanswered", 1L, "batch", 8), Map.of("prefetch", 10)),
                        topic(
                                Map.of("unanswered", 2L, "batch", 8),
                                Map.of("prefetch", 10, "closedByServer", 3L)),
                        topic(
                                Map.of("unanswered", 0L, "batch", 8),
                                Map.of("prefetch", 10, "closedByServer", 4L)));

        assertThat(EngineFacts.of(exchanges))
                .containsOnly(
                        Map.entry("unanswered", 3L),
                        Map.entry("batch", 8),
                        Map.entry("prefetch", 10),
                        Map.entry("closedByServer", 7L));
    }

    /** Each end knows what it counts: to the other one the name may be that of a setting. */
    @Test
    void shouldNotAddUpWhatAnotherEndCounts() {
        final Exchange each = topic(Map.of("closedByServer", 5), Map.of("unanswered", 6));

        assertThat(EngineFacts.of(List.of(each, each)))
                .containsOnly(Map.entry("closedByServer", 5), Map.entry("unanswered", 6));
    }
}
