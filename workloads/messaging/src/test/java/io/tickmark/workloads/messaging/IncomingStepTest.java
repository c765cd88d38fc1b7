package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.messaging.StepReceiver.IncomingStep;
import java.util.Arrays;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

final class IncomingStepTest {
    private static final int TRIAL = 7;
    private static final int LENGTH = 64;

    private final OutgoingMessage message = new OutgoingMessage(LENGTH, TRIAL, true);
    private final IncomingStep step = new IncomingStep(2, 2, TRIAL, true);
    private long nowNs = 100;

    private MutableDirectBuffer prepared(
            final int sequence, final int stepNumber, final int source) {
        message.prepare(message.buffer(), LENGTH, 1, sequence, 0, stepNumber, source);
        return message.buffer();
    }

    private boolean receive(final int sequence, final int source) {
        return step.onMessage(prepared(sequence, 2, source), 0, LENGTH, nowNs++);
    }

    @Test
    void shouldCountHeadMiddleAndTailOfWhatIsLost() {
        receive(2, 1);
        receive(3, 1);
        receive(6, 1);
        step.onEnd(1, 9);
        step.onEnd(2, 0);

        assertThat(step.isEnded()).isTrue();
        assertThat(step.counts())
                .containsEntry(Counts.RECEIVED, 3L)
                .containsEntry(Counts.LOST, 6L)
                .containsEntry(Counts.LOST_HEAD, 2L)
                .containsEntry(Counts.LOST_TAIL, 2L);
    }

    @Test
    void shouldCountAllAsLostWhenNothingCame() {
        step.onEnd(1, 5);
        step.onEnd(2, 4);

        assertThat(step.isStarted()).isTrue();
        assertThat(step.counts()).containsEntry(Counts.RECEIVED, 0L).containsEntry(Counts.LOST, 9L);
    }

    @Test
    void shouldNotKnowTheTailWithoutAnEnd() {
        receive(0, 1);
        receive(2, 1);

        assertThat(step.counts())
                .containsEntry(Counts.LOST, 1L)
                .doesNotContainKey(Counts.LOST_TAIL);
    }

    @Test
    void shouldTrackEachTopicByItself() {
        receive(0, 1);
        receive(0, 2);
        receive(1, 1);

        assertThat(step.received()).isEqualTo(3);
        assertThat(step.counts()).containsEntry(Counts.DUPLICATED, 0L);
    }

    @Test
    void shouldSetCorruptedMessagesApart() {
        final MutableDirectBuffer damaged = prepared(0, 2, 1);
        damaged.putByte(40, (byte) ~damaged.getByte(40));

        assertThat(step.onMessage(damaged, 0, LENGTH, 1)).isFalse();
        assertThat(step.counts())
                .containsEntry(Counts.CORRUPTED, 1L)
                .containsEntry(Counts.RECEIVED, 0L);
    }

    @Test
    void shouldDisownMessagesOfAnotherStepTrialOrTopic() {
        assertThat(step.isOwn(prepared(0, 2, 1), 0, LENGTH)).isTrue();
        assertThat(step.isOwn(prepared(0, 3, 1), 0, LENGTH)).isFalse();
        assertThat(step.isOwn(prepared(0, 2, 3), 0, LENGTH)).isFalse();
        assertThat(step.isOwn(prepared(0, 2, 0), 0, LENGTH)).isFalse();
        final OutgoingMessage other = new OutgoingMessage(LENGTH, TRIAL + 1, true);
        other.prepare(other.buffer(), LENGTH, 1, 0, 0, 2, 1);
        assertThat(step.isOwn(other.buffer(), 0, LENGTH)).isFalse();
    }

    @Test
    void shouldLoseNothingThatAnEndOvertook() {
        receive(0, 1);
        step.onEnd(1, 1);
        receive(1, 1);

        assertThat(step.counts())
                .containsEntry(Counts.LOST, 0L)
                .containsEntry(Counts.LOST_TAIL, 0L);
    }

    @Test
    void shouldTakeAnEndOnce() {
        step.onEnd(1, 5);
        step.onEnd(1, 50);
        step.onEnd(9, 50);

        assertThat(step.isEnded()).isFalse();
        assertThat(step.counts()).containsEntry(Counts.LOST, 5L);
    }

    /** What it knows of the next message must not hide what is wrong with another one. */
    @Test
    void shouldKnowTheNextMessageOfTheTopicThatWasHeardLast() {
        assertThat(step.isNext(prepared(0, 2, 1), 0, LENGTH)).isFalse();
        receive(0, 1);

        assertThat(step.isNext(prepared(1, 2, 1), 0, LENGTH)).isTrue();
        assertThat(step.isNext(prepared(1, 2, 1), 0, Stamp.SHORT_LENGTH)).isTrue();
        assertThat(step.isNext(prepared(1, 2, 1), 0, Stamp.SHORT_LENGTH - 1)).isFalse();
        assertThat(step.isNext(prepared(0, 2, 1), 0, LENGTH)).isFalse();
        assertThat(step.isNext(prepared(2, 2, 1), 0, LENGTH)).isFalse();
        assertThat(step.isNext(prepared(1, 3, 1), 0, LENGTH)).isFalse();
        assertThat(step.isNext(prepared(1, 2, 2), 0, LENGTH)).isFalse();
        final MutableDirectBuffer foreign = prepared(1, 2, 1);
        Stamp.writeTrialId(foreign, 0, TRIAL + 1);
        assertThat(step.isNext(foreign, 0, LENGTH)).isFalse();
        final MutableDirectBuffer control = prepared(1, 2, 1);
        Stamp.write(control, 0, 1, 1, Stamp.END, 2, 1);
        assertThat(step.isNext(control, 0, LENGTH)).isFalse();
    }

    /** One more than the last sequence would change the flags behind it. */
    @Test
    void shouldKnowNoNextMessageWhereSequencesBeginAgain() {
        receive(-2, 1);
        receive(-1, 1);

        final MutableDirectBuffer hello = prepared(0, 2, 1);
        Stamp.write(hello, 0, 1, 0, Stamp.HELLO, 2, 1);
        assertThat(step.isNext(hello, 0, LENGTH)).isFalse();
        assertThat(receive(0, 1)).isTrue();
    }

    @Test
    void shouldCountTheSameInWhicheverOrderMessagesCome() {
        final Random random = new Random(5);
        final SequenceTracker[] expected = {new SequenceTracker(), new SequenceTracker()};
        final int[] next = new int[2];
        for (int i = 0; i < 100_000; i++) {
            final int topic = random.nextInt(10) == 0 ? 1 : 0;
            final int skipped = random.nextInt(10) == 0 ? random.nextInt(-3, 4) : 0;
            final int sequence = Math.max(0, next[topic] + skipped);
            next[topic] = Math.max(next[topic], sequence + 1);
            assertThat(receive(sequence, topic + 1)).isEqualTo(expected[topic].onMessage(sequence));
        }

        assertThat(step.counts())
                .containsEntry(Counts.RECEIVED, sum(expected, SequenceTracker::received))
                .containsEntry(Counts.DUPLICATED, sum(expected, SequenceTracker::duplicated))
                .containsEntry(Counts.REORDERED, sum(expected, SequenceTracker::reordered));
    }

    private static long sum(
            final SequenceTracker[] trackers, final ToLongFunction<SequenceTracker> count) {
        return Arrays.stream(trackers).mapToLong(count).sum();
    }
}
