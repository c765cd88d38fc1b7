package io.tickmark.workloads.feed.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.feed.source.FeedFigures.FeedCounts;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** How messages of a channel are converted. */
class ReceivedTicksTest {
    private static final long EPOCH_NS = 1_000;

    private long nowNs = 5_000;
    private final FeedCounts counts = new FeedCounts();
    private final TickRing ring = new TickRing(Tick.LENGTH);
    private final ReceivedTicks ticks = ticks(true);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);

    private ReceivedTicks ticks(final boolean keepsOrder) {
        return new ReceivedTicks(
                Settings.read(
                        FeedSettings.class, Map.of("symbols", 3, "source", "shm://x"), key -> key),
                keepsOrder,
                new FeedClock(() -> nowNs, EPOCH_NS),
                new TickSink[] {ring},
                counts,
                () -> false);
    }

    private void stream(final int source, final int sequence, final int length) {
        stream(0, source, sequence, length);
    }

    private void stream(final int step, final int source, final int sequence, final int length) {
        Stamp.write(message, 0, 4_000, sequence, 0, step, source);
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
                    assertThat(Tick.intendedNs(buffer, offset)).isEqualTo(nowNs - EPOCH_NS);
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

    /** A publisher that was killed was nowhere to be seen. */
    @Test
    void shouldKnowThatAPublisherIsGoneOnceItIsSilentForLongerThanItMayBe() {
        assertThat(ticks.source(60_000_000_000L)).isEqualTo(SourceState.NONE);
        ticks.heard(EPOCH_NS);
        ticks.heard(1_000_000_000L);
        assertThat(ticks.source(4_000_000_000L)).isEqualTo(new SourceState(true, false, 0));
        assertThat(ticks.source(4_000_000_002L).isLost()).isTrue();
        ticks.heard(5_000_000_000L);
        assertThat(ticks.source(13_000_000_000L).isLost()).as("it paused for 4 s before").isFalse();
        assertThat(ticks.source(13_000_000_002L).silentNs())
                .isBetween(8_000_000_000L, 8_000_001_002L);
        ticks.onWelcome(7);
        ticks.heard(60_000_000_000L);
        assertThat(ticks.source(63_000_000_002L).isLost()).as("another one").isTrue();
    }

    @Test
    void shouldNotMissAPublisherThatHasEnded() {
        stream(0xff, 1, 0, 16);
        ticks.heard(nowNs);
        ticks.onEnd(0, 0xff, 1, 1);
        assertThat(ticks.source(9_000_000_000L).isLost()).as("after its warm-up").isTrue();
        ticks.onEnd(0, 0xff, FeedMessages.SOURCE, 0);
        assertThat(ticks.source(9_000_000_000L).isLost()).as("after that of a feed").isTrue();
        stream(1, 0, 16);
        ticks.onEnd(0, 0, 1, 1);
        assertThat(ticks.source(9_000_000_000L).hasEnded()).isTrue();
        assertThat(ticks.source(9_000_000_000L).isLost()).isFalse();
        stream(1, 1, 0, 16);
        assertThat(ticks.source(9_000_000_000L).isLost()).as("it went on").isTrue();
    }

    /** Receivers of a feed come and go; those of a stream are waited for. */
    @Test
    void shouldAnswerTheEndOfAFeedAlsoWhereItCameLate() {
        feed(5);
        feed(7);
        assertThat(ticks.onEnd(0, 0, FeedMessages.SOURCE, 10)).as("6, 8 and 9").isEqualTo(3);
        assertThat(lost()).isEqualTo(3);
    }

    private void feed(final int sequence) {
        Tick.identity(message, FeedMessages.TICK_AT, 1, 1);
        new FeedMessages()
                .stamp(message, FeedMessages.TICK_AT + Tick.LENGTH, 4_000, sequence, 0, 0);
        ticks.onData(message, 0, FeedMessages.TICK_AT + Tick.LENGTH, true);
    }

    private long lost() {
        return counts.figures().lost().get();
    }

    /** The end was acknowledged with nothing lost, and nobody counted what it told. */
    @Test
    void shouldCountTheTailOnceHoweverOftenItsEndIsRepeated() {
        stream(1, 0, 16);
        stream(1, 2, 16);
        for (int times = 0; times < 3; times++) {
            assertThat(ticks.onEnd(0, 0, 1, 6)).isEqualTo(4);
        }
        assertThat(lost()).isEqualTo(4);
        stream(1, 5, 16); // overtaken by the end
        assertThat(lost()).isEqualTo(3);
        assertThat(ticks.onEnd(0, 0, 1, 6)).isEqualTo(3);
    }

    @Test
    void shouldForgiveTheHeadOfTheFirstStepAlone() {
        stream(0xff, 1, 2, 16);
        assertThat(lost()).isZero();
        stream(1, 4, 16);
        assertThat(lost()).isEqualTo(4);
        assertThat(ticks.onEnd(0, 0, 1, 5)).isEqualTo(4);
        assertThat(ticks.onEnd(0, 1, 1, 7)).as("nothing of it came").isEqualTo(7);
        assertThat(lost()).isEqualTo(4 + 7);
    }

    /** The publisher then reports that it does not know what this received. */
    @Test
    void shouldNotAnswerWhereItMayHaveComeLate() {
        stream(1, 3, 16);
        assertThat(ticks.onEnd(0, 0, 1, 6)).isEqualTo(ReceivedTicks.UNKNOWN);
        assertThat(lost()).as("the tail").isEqualTo(2);
        assertThat(ticks.onEnd(0, 0, 2, 6)).isEqualTo(ReceivedTicks.UNKNOWN);
        assertThat(lost()).as("nothing of that topic came").isEqualTo(2);
        assertThat(ticks.onEnd(0, 0, 3, 0)).as("nothing was sent").isZero();
    }

    @Test
    void shouldForgiveTheHeadOfAnotherTrial() {
        stream(1, 0, 16);
        ticks.onWelcome(7);
        stream(1, 5, 16);
        assertThat(ticks.onEnd(7, 0, 1, 6)).isEqualTo(ReceivedTicks.UNKNOWN);
        assertThat(lost()).isZero();
    }

    @Test
    void shouldNotTakeALateMessageOfTheStepBeforeForAnotherRun() {
        stream(0, 1, 0, 16);
        stream(1, 1, 0, 16);
        stream(0, 1, 1, 16);
        assertThat(ticks.onEnd(0, 0, 1, 2)).isEqualTo(ReceivedTicks.UNKNOWN);
        assertThat(ticks.onEnd(0, 1, 1, 1)).isZero();
        assertThat(taken()).isEqualTo(3);
    }

    @Test
    void shouldAnswerThatWhatItSkippedIsInNoFeed() {
        assertThat(ticks.onEnd(0, 0, 4, 7)).as("a topic beyond its symbols").isEqualTo(7);
        final FeedMessages messages = new FeedMessages();
        for (int number = 0; number < 2; number++) {
            Tick.identity(message, FeedMessages.TICK_AT, number == 0 ? 1 : 3, 1);
            messages.stamp(message, FeedMessages.TICK_AT + Tick.LENGTH, 4_000, number, 0, 0);
            ticks.onData(message, 0, FeedMessages.TICK_AT + Tick.LENGTH, true);
        }
        assertThat(ticks.onEnd(0, 0, FeedMessages.SOURCE, 2)).isEqualTo(1);
        assertThat(counts.figures().skipped().get()).isEqualTo(1);
        assertThat(lost()).as("it came").isZero();
    }

    @Test
    void shouldWaitForWhatMayStillBeUnderWay() {
        final ReceivedTicks unordered = ticks(false);
        for (final int number : new int[] {0, 3}) {
            Stamp.write(message, 0, 4_000, number, 0, 0, 1);
            unordered.onData(message, 0, 16, true);
        }
        assertThat(unordered.onEnd(0, 0, 1, 4)).isEqualTo(ReceivedTicks.UNKNOWN);
        Stamp.write(message, 0, 4_000, 1, 0, 0, 1);
        unordered.onData(message, 0, 16, true);
        assertThat(lost()).isEqualTo(1);
        nowNs += 199_999_999;
        assertThat(unordered.onEnd(0, 0, 1, 4)).isEqualTo(ReceivedTicks.UNKNOWN);
        nowNs++;
        assertThat(unordered.onEnd(0, 0, 1, 4)).isEqualTo(1);
    }

    @Test
    void shouldSkipTopicsBeyondItsSymbolsAndTicksThatAreDamaged() {
        stream(4, 0, 16);
        final FeedMessages messages = new FeedMessages();
        Tick.identity(message, FeedMessages.TICK_AT, 1, 1);
        messages.stamp(message, FeedMessages.TICK_AT + Tick.LENGTH, 4_000, 0, 0, 1);
        ticks.onData(message, 0, FeedMessages.TICK_AT + Tick.LENGTH, true);
        message.putByte(FeedMessages.TICK_AT + 20, (byte) 99);
        ticks.onData(message, 0, FeedMessages.TICK_AT + Tick.LENGTH, true);
        ticks.onData(message, 0, 20, true);
        assertThat(taken()).isEqualTo(1);
        assertThat(counts.figures().skipped().get()).isEqualTo(3);
    }
}
