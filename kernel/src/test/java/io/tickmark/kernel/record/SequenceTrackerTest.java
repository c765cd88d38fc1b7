package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SequenceTrackerTest {
    private final SequenceTracker tracker = new SequenceTracker();

    private void receive(final int... sequences) {
        for (final int sequence : sequences) {
            tracker.onMessage(sequence);
        }
    }

    private void assertFigures(final long received, final long duplicated, final long reordered) {
        assertThat(tracker.received()).as("received").isEqualTo(received);
        assertThat(tracker.duplicated()).as("duplicated").isEqualTo(duplicated);
        assertThat(tracker.reordered()).as("reordered").isEqualTo(reordered);
    }

    @Test
    void shouldFindNothingWrongWithAnOrderlyStream() {
        receive(0, 1, 2, 3);

        assertFigures(4, 0, 0);
        assertThat(tracker.lost(4)).isZero();
        assertThat(tracker.lostHead()).isZero();
        assertThat(tracker.lostTail(4)).isZero();
    }

    @Test
    void shouldTellHeadMiddleAndTailLossApart() {
        receive(2, 3, 5, 6);

        assertThat(tracker.lost(10)).isEqualTo(6);
        assertThat(tracker.lostHead()).isEqualTo(2);
        assertThat(tracker.lostTail(10)).isEqualTo(3);
    }

    @Test
    void shouldCallAllOfItTailWhenNothingCame() {
        assertThat(tracker.lost(10)).isEqualTo(10);
        assertThat(tracker.lostHead()).isZero();
        assertThat(tracker.lostTail(10)).isEqualTo(10);
    }

    @Test
    void shouldTellDuplicatesFromNewMessages() {
        assertThat(tracker.onMessage(0)).isTrue();
        assertThat(tracker.onMessage(0)).isFalse();
        assertThat(tracker.onMessage(1)).isTrue();
        assertThat(tracker.onMessage(0)).isFalse();

        assertFigures(2, 2, 0);
    }

    @Test
    void shouldCountALateMessageAsReorderedAndNotAsLost() {
        receive(1, 0, 2);

        assertFigures(3, 0, 1);
        assertThat(tracker.lost(3)).isZero();
        assertThat(tracker.lostHead()).isZero();
    }

    @Test
    void shouldCountALateDuplicateOnce() {
        receive(1, 0, 0, 1);

        assertFigures(2, 2, 1);
    }

    @Test
    void shouldKnowTheWholeWindowAndNoMore() {
        final int window = SequenceTracker.WINDOW;
        receive(window);
        assertThat(tracker.onMessage(1)).as("late by WINDOW - 1").isTrue();
        assertThat(tracker.onMessage(1)).isFalse();

        receive(window + 10);
        assertThat(tracker.onMessage(10)).as("late by more than the window").isFalse();
        assertFigures(3, 2, 1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                1,
                63,
                64,
                65,
                SequenceTracker.WINDOW - 1,
                SequenceTracker.WINDOW,
                SequenceTracker.WINDOW + 1,
                10 * SequenceTracker.WINDOW
            })
    void shouldTakeLateMessagesAfterAGapOfAnyLength(final int gap) {
        receive(0, gap);
        final int late = Math.max(1, gap - SequenceTracker.WINDOW + 2);

        for (int sequence = late; sequence < gap; sequence++) {
            assertThat(tracker.onMessage(sequence)).isTrue();
            assertThat(tracker.onMessage(sequence)).isFalse();
        }
    }

    @Test
    void shouldForgetEverythingForTheNextStep() {
        receive(5, 6, 6, 3);
        tracker.reset();

        assertFigures(0, 0, 0);
        assertThat(tracker.onMessage(5)).isTrue();
        assertThat(tracker.lostHead()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 50, (1L << 32) - 50, (1L << 33) - 50})
    void shouldCountOnWhereTheSequenceWrapsAround(final long around) {
        // jumps of just below 2^31 take the tracker there without 2^32 messages
        long sequence = 0;
        long received = 0;
        while (sequence < around) {
            tracker.onMessage((int) sequence);
            received++;
            sequence = Math.min(around, sequence + (1L << 30));
        }
        for (long next = around; next < around + 100; next++) {
            if (next % 10 != 0) {
                assertThat(tracker.onMessage((int) next)).isTrue();
                received++;
            }
        }
        final long lateOne = around + 49 - (around + 49) % 10;
        assertThat(tracker.onMessage((int) lateOne)).isTrue();
        assertThat(tracker.onMessage((int) lateOne)).isFalse();

        assertFigures(received + 1, 1, 1);
        assertThat(tracker.lost(around + 100)).isEqualTo(around + 100 - received - 1);
        assertThat(tracker.lostTail(around + 105)).isEqualTo((around + 99) % 10 == 0 ? 6 : 5);
        assertThat(tracker.lostHead()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAgreeWithANaiveModel(final long seed) {
        final Random random = new Random(seed);
        final int sent = 200_000;
        final NaiveSequences model = new NaiveSequences(sent);
        final int jitter = random.nextBoolean() ? 50 : SequenceTracker.WINDOW / 2;
        final int[] arrivals = arrivals(random, sent, jitter);

        for (final int sequence : arrivals) {
            assertThat(tracker.onMessage(sequence)).isEqualTo(model.onMessage(sequence));
        }

        assertFigures(model.received, model.duplicated, model.reordered);
        assertThat(tracker.lost(sent)).isEqualTo(model.lost());
        assertThat(tracker.lostHead()).isEqualTo(model.lostHead());
        assertThat(tracker.lostTail(sent)).isEqualTo(model.lostTail());
    }

    /** Sequences in order of arrival: some lost, some twice, some late by up to jitter. */
    private static int[] arrivals(final Random random, final int sent, final int jitter) {
        final java.util.List<long[]> arriving = new java.util.ArrayList<>();
        final int head = random.nextInt(500);
        final int tail = sent - random.nextInt(500);
        for (int sequence = head; sequence < tail; sequence++) {
            final int copies = random.nextInt(100) < 10 ? random.nextInt(3) : 1;
            for (int copy = 0; copy < copies; copy++) {
                final boolean isLate = random.nextInt(100) < 5;
                final int delay = isLate ? random.nextInt(jitter) : 0;
                arriving.add(new long[] {(long) sequence + delay, sequence});
            }
        }
        arriving.sort(java.util.Comparator.comparingLong(arrival -> arrival[0]));
        return arriving.stream().mapToInt(arrival -> (int) arrival[1]).toArray();
    }

    /** Remembers every message. */
    private static final class NaiveSequences {
        private final boolean[] seen;
        private int highest = -1;
        private long received;
        private long duplicated;
        private long reordered;

        NaiveSequences(final int sent) {
            seen = new boolean[sent];
        }

        boolean onMessage(final int sequence) {
            if (seen[sequence]) {
                duplicated++;
                return false;
            }
            seen[sequence] = true;
            received++;
            reordered += sequence < highest ? 1 : 0;
            highest = Math.max(highest, sequence);
            return true;
        }

        long lost() {
            return seen.length - received;
        }

        long lostHead() {
            int head = 0;
            while (!seen[head]) {
                head++;
            }
            return head;
        }

        long lostTail() {
            return seen.length - 1 - highest;
        }
    }
}
