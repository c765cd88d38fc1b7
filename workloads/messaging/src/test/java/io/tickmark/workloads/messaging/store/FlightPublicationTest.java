package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.workloads.messaging.OutgoingMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class FlightPublicationTest {
    private static final int BYTES = 64;

    private final TestContext context = new TestContext(1, 1);

    /** A store that takes no message of any length. */
    private static class TakesNone implements DurablePublication {
        private int offers;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            offers++;
            return TOO_LONG;
        }

        @Override
        public long nextOrdinal() {
            return 0;
        }

        @Override
        public long stablePosition() {
            return NONE_STABLE;
        }

        @Override
        public boolean isLost() {
            return false;
        }

        @Override
        public int subscriberCount() {
            return UNKNOWN_COUNT;
        }

        @Override
        public ChannelUri channel() {
            return ChannelUri.parse("filestore:");
        }

        @Override
        public void close() {}
    }

    /** A store that is gone, and had an alarm before. */
    private static class IsLost extends TakesNone {
        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length) {
            return NOT_CONNECTED;
        }

        @Override
        public boolean isLost() {
            return true;
        }

        @Override
        public Map<String, Object> facts() {
            return Map.of("alarms", 1L, "batch", 8);
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("alarms");
        }
    }

    private FlightPublication flight(final Supplier<DurablePublication> opener) {
        return flight(opener, context.clock());
    }

    private FlightPublication flight(
            final Supplier<DurablePublication> opener, final NanoClock clock) {
        return new FlightPublication(
                opener,
                new OutgoingMessage(BYTES, 1, true),
                BYTES,
                1,
                new FlightSettings(10, 0, Duration.ZERO),
                new FlightPublication.FlightTools(
                        clock,
                        context.recording().latency(Latencies.STABLE_NS).ofStreams(1),
                        Optional.empty()));
    }

    /** They were those of the last one alone. */
    @Test
    void shouldAddUpTheCountsOfPublicationsThatWereOpenedOneAfterTheOther() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[BYTES]);
        try (FlightPublication flight = flight(IsLost::new)) {
            assertThat(flight.offer(message, 0, BYTES)).isEqualTo(Publication.BACK_PRESSURED);
            assertThat(flight.doWork()).as("it was opened again").isOne();

            assertThat(flight.facts()).containsOnly(Map.entry("alarms", 2L), Map.entry("batch", 8));
        }
    }

    @Test
    void shouldCountWhatItWasReopenedForBeyondTheReasonsThatItNames() {
        final AtomicInteger opened = new AtomicInteger();
        final Supplier<DurablePublication> opener =
                () -> {
                    final int number = opened.incrementAndGet();
                    return new IsLost() {
                        @Override
                        public String trouble() {
                            return "reason " + number;
                        }
                    };
                };
        final AtomicLong nowNs = new AtomicLong(); // a pause before each attempt is over at once
        try (FlightPublication flight = flight(opener, () -> nowNs.addAndGet(1_000_000_000))) {
            flight.offer(new UnsafeBuffer(new byte[BYTES]), 0, BYTES);
            while (opened.get() <= 5) {
                flight.doWork();
            }

            assertThat(flight.reasons()).containsExactly("reason 1", "reason 2", "reason 3");
            assertThat(flight.forOtherReasons()).isEqualTo(2);
        }
    }

    /** It was offered for as long as a lost store is waited for, which was then called lost. */
    @Test
    void shouldEndAtTheFirstMessageThatIsTooLong() {
        final TakesNone store = new TakesNone();
        final UnsafeBuffer message = new UnsafeBuffer(new byte[BYTES]);
        try (FlightPublication flight = flight(() -> store)) {
            assertThat(flight.offer(message, 0, BYTES)).isEqualTo(Publication.TOO_LONG);
            assertThat(flight.offer(message, 0, BYTES)).isEqualTo(Publication.CLOSED);

            assertThat(flight.end())
                    .isEqualTo("it accepts no messages of this length; send shorter ones");
            assertThat(store.offers).isOne();
        }
    }
}
