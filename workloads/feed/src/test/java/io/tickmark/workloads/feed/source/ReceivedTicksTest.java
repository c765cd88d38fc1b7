package io.tickmark.workloads.feed.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** How messages of a channel are converted. */
class ReceivedTicksTest {
    private static final long NOW_NS = 5_000;
    private static final long EPOCH_NS = 1_000;

    private final FeedCounts counts = new FeedCounts();
    private final TickRing ring = new TickRing(Tick.LENGTH);
    private final ReceivedTicks ticks =
            new ReceivedTicks(
                    Settings.read(
                            FeedSettings.class,
                            Map.of("symbols", 3, "source", "shm://x"),
                            key -> key),
                    new FeedClock(() -> NOW_NS, EPOCH_NS),
                    new TickSink[] {ring},
                    counts,
                    () -> false);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);

    private void stream(final int source, final int sequence, final int length) {
        Stamp.write(message, 0, 4_000, sequence, 0, 0, source);
        Stamp.writeSentNs(message, 0, 4_300);
        ticks.onData(message, 0, length, true);
    }

    private int taken() {
        return ring.read((_, _, _, _) -> {}, 100);
    }

    @Test
    void shouldTakeAStreamsTopicAsASymbolAndItsNumberAsPrice() {
        stream(2, 7, 64);
        final int read =
                ring.read(
                        (_, buffer, offset, _) -> {
                            assertThat(Tick.symbol(buffer, offset)).isEqualTo(1);
                            assertThat(Tick.last(buffer, offset)).isEqualTo(7);
                            assertThat(Tick.size(buffer, offset)).isEqualTo(64);
                            assertThat(Tick.intendedNs(buffer, offset)).isEqualTo(3_000);
                            assertThat(Tick.lagNs(buffer, offset)).isEqualTo(300);
                        },
                        1);
        assertThat(read).isEqualTo(1);
        assertThat(counts.figures().maxLagNs().get()).isEqualTo(300);
        assertThat(counts.figures().fromArrival().get()).isZero();
    }

    @Test
    void shouldTimeAMessageOfAnotherClockFromItsArrival() {
        Stamp.write(message, 0, 999_999, 0, 0, 0, 1);
        ticks.onData(message, 0, 64, false);
        ring.read(
                (_, buffer, offset, _) -> {
                    assertThat(Tick.intendedNs(buffer, offset)).isEqualTo(NOW_NS - EPOCH_NS);
                    assertThat(Tick.lagNs(buffer, offset)).isEqualTo(Tick.NO_LAG);
                },
                1);
        assertThat(counts.figures().fromArrival().get()).isEqualTo(1);
    }

    @Test
    void shouldCountWhatIsMissingButNotWhatWasBeforeItCame() {
        stream(1, 100, 16);
        stream(1, 101, 16);
        stream(1, 105, 16);
        stream(2, 9, 16);
        assertThat(taken()).isEqualTo(4);
        assertThat(counts.figures().lost().get()).isEqualTo(3);
    }

    @Test
    void shouldSkipTopicsBeyondItsSymbolsAndTicksThatAreDamaged() {
        stream(4, 0, 16);
        final FeedMessages messages = new FeedMessages();
        Tick.identity(message, FeedMessages.TICK_AT, 1, 1);
        messages.stamp(message, FeedMessages.TICK_AT + Tick.LENGTH, 4_000, 0, 1);
        ticks.onData(message, 0, FeedMessages.TICK_AT + Tick.LENGTH, true);
        message.putByte(FeedMessages.TICK_AT + 20, (byte) 99);
        ticks.onData(message, 0, FeedMessages.TICK_AT + Tick.LENGTH, true);
        ticks.onData(message, 0, 20, true);
        assertThat(taken()).isEqualTo(1);
        assertThat(counts.figures().skipped().get()).isEqualTo(3);
    }
}
