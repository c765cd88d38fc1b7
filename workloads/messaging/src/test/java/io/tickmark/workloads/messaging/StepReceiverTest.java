package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.session.SubscriberSession;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StepReceiverTest {
    private static final int LENGTH = 64;

    private final VirtualClock clock = new VirtualClock(1);
    private final TestContext context = new TestContext(1, 1, clock);
    private final NullTransport transport = new NullTransport(clock);
    private final Exchange publishing =
            transport.exchange(ChannelUri.parse("null:steps"), Topic.DEFAULT, ExchangeSide.BIND, 0);
    private final Exchange receiving =
            transport.exchange(publishing.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1);
    private final OutgoingMessage message = new OutgoingMessage(LENGTH, 0, true);
    private StepReceiver receiver = receiver(true);

    private StepReceiver receiver(final boolean keepsOrder) {
        return new StepReceiver(
                context,
                new SubscriberSession(List.of(receiving), List.of(Topic.DEFAULT), null, 1, context),
                true,
                keepsOrder);
    }

    @BeforeEach
    void begin() {
        receiver.begin();
    }

    @AfterEach
    void close() {
        receiving.close();
        publishing.close();
    }

    private boolean data(final int step, final int sequence) {
        message.prepare(message.buffer(), LENGTH, 1, sequence, 0, step, 1);
        return receiver.onMessage(message.buffer(), 0, LENGTH, clock.nanoTime());
    }

    private void end(final int step, final int sent, final boolean last) {
        end(step, sent, last, 1);
    }

    private void end(final int step, final int sent, final boolean last, final int source) {
        final int flags = Stamp.END | (last ? Stamp.WELCOME : 0);
        Stamp.write(message.buffer(), 0, 0, sent, flags, step, source);
        Stamp.writeTrialId(message.buffer(), 0, 0);
        receiver.onMessage(message.buffer(), 0, Stamp.FULL_LENGTH, clock.nanoTime());
    }

    private int acknowledged() {
        final int[] ends = {0};
        publishing
                .subscription()
                .poll(
                        (buffer, offset, length) -> {
                            if (Stamp.flags(buffer, offset) == (Stamp.END | Stamp.REPLY)) {
                                ends[0]++;
                            }
                        },
                        100);
        return ends[0];
    }

    @Test
    void shouldCloseAStepAtItsEndAndAcknowledge() {
        data(0, 0);
        data(0, 1);
        end(0, 3, false);
        data(1, 0);
        end(1, 1, true);

        assertThat(receiver.isOver()).isTrue();
        assertThat(receiver.finish()).extracting(StepResult::step).containsExactly(0, 1);
        assertThat(receiver.finish())
                .first()
                .satisfies(step ->
                        assertThat(step.counts())
                                .containsEntry(Counts.RECEIVED, 2L)
                                .containsEntry(Counts.LOST, 1L));
        assertThat(acknowledged()).isEqualTo(2);
    }

    /** Data that its step's end, and then the end of the test, has overtaken. */
    @Test
    void shouldLoseNothingOfAStepWhoseEndOvertookItsDataWhereOrderIsNotKept() {
        receiver = receiver(false);
        receiver.begin();
        data(0, 2);
        end(0, 4, true);
        assertThat(receiver.isOver()).isFalse();
        assertThat(data(0, 0)).isTrue();
        assertThat(data(0, 3)).isTrue();
        assertThat(data(0, 1)).isTrue();
        assertThat(acknowledged()).isZero();
        end(0, 4, true);

        assertThat(receiver.isOver()).isTrue();
        assertThat(acknowledged()).isOne();
        assertThat(receiver.finish())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts())
                                .containsEntry(Counts.RECEIVED, 4L)
                                .containsEntry(Counts.LOST, 0L)
                                .containsEntry(Counts.STALE, 0L));
    }

    /** The publisher repeats its end while the step is open, and gives up at some time. */
    @Test
    void shouldCountWhatIsMissingWhenAllIsQuietWhereOrderIsNotKept() {
        receiver = receiver(false);
        receiver.begin();
        data(0, 0);
        end(0, 3, true);
        clock.advance(StepReceiver.QUIET_NS - 1);
        end(0, 3, true);
        assertThat(receiver.isOver()).isFalse();
        data(0, 2);
        clock.advance(StepReceiver.QUIET_NS - 1);
        receiver.closeWhenEnded(clock.nanoTime());
        assertThat(receiver.isOver()).isFalse();
        clock.advance(1);
        receiver.closeWhenEnded(clock.nanoTime());

        assertThat(receiver.isOver()).isTrue();
        assertThat(receiver.finish())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts())
                                .containsEntry(Counts.RECEIVED, 2L)
                                .containsEntry(Counts.LOST, 1L));
    }

    /** They were counted for a step that never came. */
    @Test
    void shouldCountWhatComesAfterTheLastEndInTheLastStep() {
        data(0, 0);
        end(0, 1, true);
        assertThat(data(0, 0)).isFalse();

        assertThat(receiver.finish())
                .singleElement()
                .satisfies(step -> assertThat(step.counts()).containsEntry(Counts.STALE, 1L));
    }

    @Test
    void shouldAcknowledgeAnEndThatComesAgain() {
        data(0, 0);
        end(0, 1, true);
        end(0, 1, true);

        assertThat(acknowledged()).isEqualTo(2);
        assertThat(receiver.finish()).hasSize(1);
    }

    /**
     * The publisher was stopped after it had sent the end of a step that announced further ones.
     */
    @Test
    void shouldTakeItsWordThatNothingFollowsTheStepThatEnded() {
        data(0, 0);
        end(0, 1, false);
        assertThat(receiver.isOver()).isFalse();
        end(0, 1, true);

        assertThat(receiver.isOver()).isTrue();
        assertThat(acknowledged()).isEqualTo(2);
        assertThat(receiver.finish()).extracting(StepResult::step).containsExactly(0);
    }

    @Test
    void shouldCloseAStepWhoseEndWasLostByTheNextOne() {
        data(0, 0);
        data(1, 0);
        end(1, 1, true);

        assertThat(receiver.finish()).extracting(StepResult::step).containsExactly(0, 1);
    }

    @Test
    void shouldCountLateMessagesOfAnEarlierStepAsStale() {
        data(0, 0);
        end(0, 2, false);

        assertThat(data(0, 1)).isFalse();
        data(1, 0);
        end(1, 1, true);
        assertThat(receiver.finish().get(1).counts())
                .containsEntry(Counts.STALE, 1L)
                .containsEntry(Counts.RECEIVED, 1L);
    }

    @Test
    void shouldIgnoreTheEndOfATopicThatIsNotThere() {
        data(0, 0);
        end(0, 1, true, 0);
        end(0, 1, true, 2);

        assertThat(receiver.isOver()).isFalse();
        assertThat(acknowledged()).isZero();
        end(0, 1, true);
        assertThat(receiver.finish().getFirst().counts()).containsEntry(Counts.STALE, 2L);
    }

    private boolean warmUp(final int sequence) {
        return warmUp(StepReceiver.WARM_UP_STEP, sequence);
    }

    private boolean warmUp(final int step, final int sequence) {
        message.prepare(message.buffer(), LENGTH, 1, sequence, Stamp.WARM_UP, step, 1);
        return receiver.onMessage(message.buffer(), 0, LENGTH, 1);
    }

    @Test
    void shouldBeginAndEndEachStepOfAWarmUpLikeAMeasuredOne() {
        final List<Integer> begun = new ArrayList<>();
        receiver.whenBegun(begun::add);
        for (int step = StepReceiver.FIRST_WARM_UP_STEP;
                step <= StepReceiver.WARM_UP_STEP;
                step++) {
            assertThat(warmUp(step, 0)).isTrue();
            end(step, 1, false);
        }
        assertThat(data(0, 0)).isTrue();
        end(0, 1, true);

        assertThat(begun).startsWith(-2, -1, 0);
        assertThat(acknowledged()).isEqualTo(4);
        assertThat(receiver.warmUps()).isEqualTo(3);
        assertThat(receiver.finish())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts())
                                .containsEntry(Counts.RECEIVED, 1L)
                                .containsEntry(Counts.STALE, 0L));
    }

    @Test
    void shouldGiveTheStepsOfAWarmUpEqualParts() {
        assertThat(StepReceiver.warmUpEndNs(StepReceiver.FIRST_WARM_UP_STEP, 100, 300))
                .isEqualTo(200);
        assertThat(StepReceiver.warmUpEndNs(StepReceiver.WARM_UP_STEP, 100, 300)).isEqualTo(400);
    }

    @Test
    void shouldTakeWarmUpTheWayOfMeasuredMessagesAndForgetIt() {
        final Counter received = context.recording().counter(Counts.RECEIVED);
        for (int sequence = 0; sequence < 3; sequence++) {
            assertThat(warmUp(sequence)).isTrue();
            received.increment();
        }
        end(StepReceiver.WARM_UP_STEP, 3, false);

        assertThat(acknowledged()).isEqualTo(1);
        assertThat(receiver.warmUps()).isEqualTo(3);
        assertThat(received.get()).isZero();
        assertThat(data(0, 0)).isTrue();
        end(0, 1, true);
        assertThat(receiver.finish())
                .singleElement()
                .satisfies(step -> {
                    assertThat(step.step()).isZero();
                    assertThat(step.counts())
                            .containsEntry(Counts.RECEIVED, 1L)
                            .containsEntry(Counts.LOST, 0L)
                            .containsEntry(Counts.STALE, 0L);
                });
    }

    @Test
    void shouldEndTheWarmUpWithTheFirstMeasuredMessage() {
        warmUp(0);

        assertThat(data(0, 0)).isTrue();
        assertThat(warmUp(1)).isFalse();
        assertThat(receiver.warmUps()).isEqualTo(2);
        end(0, 1, true);
        assertThat(receiver.finish())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts())
                                .containsEntry(Counts.RECEIVED, 1L)
                                .containsEntry(Counts.STALE, 0L));
    }

    @Test
    void shouldSurviveWhateverBytesArrive() {
        final SplittableRandom random = new SplittableRandom(42);
        final byte[] bytes = new byte[96];
        for (int i = 0; i < 200_000; i++) {
            random.nextBytes(bytes);
            // Half of them look like valid messages, so that they pass the first check.
            if ((i & 1) == 0) {
                bytes[12] = (byte) (Stamp.VERSION << 5 | random.nextInt(32));
                bytes[13] = (byte) random.nextInt(4);
                bytes[14] = (byte) random.nextInt(3);
                bytes[15] = 0;
            }
            receiver.onMessage(new UnsafeBuffer(bytes), 0, random.nextInt(bytes.length + 1), i);
        }

        assertThat(receiver.finish()).isNotEmpty();
    }
}
