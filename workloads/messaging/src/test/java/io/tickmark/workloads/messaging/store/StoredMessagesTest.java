package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.messaging.store.ReadBack.StoredMessages;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredMessagesTest {
    private static final int BY_HAND = 0;
    private static final int EARLIER = 6;
    private static final int TRIAL = 7;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Stamp.FULL_LENGTH]);

    private void announce(final StoredMessages messages, final int trialId) {
        Stamp.write(buffer, 0, 0, 0, Stamp.HELLO, 0, 0);
        Stamp.writeTrialId(buffer, 0, trialId);
        Stamp.writeChecksum(buffer, 0, 0);
        messages.onMessage(buffer, 0, Stamp.FULL_LENGTH);
    }

    /** Sequences from 0. */
    private void store(
            final StoredMessages messages, final int trialId, final int length, final int count) {
        for (int sequence = 0; sequence < count; sequence++) {
            Stamp.write(buffer, 0, 1, sequence, 0, 0, 1);
            if (length >= Stamp.FULL_LENGTH) {
                Stamp.writeTrialId(buffer, 0, trialId);
            }
            messages.onMessage(buffer, 0, length);
        }
    }

    private void run(
            final StoredMessages messages, final int trialId, final int length, final int count) {
        announce(messages, trialId);
        store(messages, trialId, length, count);
    }

    @ParameterizedTest
    @ValueSource(ints = {Stamp.SHORT_LENGTH, Stamp.FULL_LENGTH})
    void shouldCountTheMessagesOfAllRunsByHand(final int length) {
        final StoredMessages messages = new StoredMessages(1, BY_HAND);

        run(messages, EARLIER, length, 600);
        run(messages, TRIAL, length, 500);

        assertThat(messages.distinct()).isEqualTo(1100);
        assertThat(messages.twice()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {Stamp.SHORT_LENGTH, Stamp.FULL_LENGTH})
    void shouldNotTakeMessagesOfAnEarlierRunForThoseThatAreMissing(final int length) {
        final StoredMessages messages = new StoredMessages(1, TRIAL);

        run(messages, EARLIER, length, 600);
        run(messages, TRIAL, length, 500);

        assertThat(messages.distinct()).isEqualTo(500);
        assertThat(messages.twice()).isZero();
        assertThat(messages.missingRanges(0, 600)).isEqualTo("500-599");
    }

    @ParameterizedTest
    @ValueSource(ints = {Stamp.SHORT_LENGTH, Stamp.FULL_LENGTH})
    void shouldGoOnWithARunThatAnnouncedItselfTwice(final int length) {
        final StoredMessages messages = new StoredMessages(1, TRIAL);

        run(messages, TRIAL, length, 10);
        run(messages, TRIAL, length, 3);

        assertThat(messages.distinct()).isEqualTo(10);
        assertThat(messages.twice()).isEqualTo(3);
    }

    @Test
    void shouldSayHowManyRangesItDoesNotName() {
        final StoredMessages messages = new StoredMessages(1, BY_HAND);
        for (int sequence = 0; sequence < 30; sequence += 2) {
            Stamp.write(buffer, 0, 1, sequence, 0, 0, 1);
            messages.onMessage(buffer, 0, Stamp.FULL_LENGTH);
        }

        assertThat(messages.missingRanges(0, 20)).isEqualTo("1, 3, 5, 7, 9, 11, 13, 15, 17, 19");
        assertThat(messages.missingRanges(0, 32))
                .isEqualTo("1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 5 more");
    }

    @Test
    void shouldTakeShortMessagesOfAStoreThatHasDeletedTheirAnnouncement() {
        final StoredMessages messages = new StoredMessages(1, TRIAL);

        store(messages, TRIAL, Stamp.SHORT_LENGTH, 10);

        assertThat(messages.distinct()).isEqualTo(10);
    }
}
