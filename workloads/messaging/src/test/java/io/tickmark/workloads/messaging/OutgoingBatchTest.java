package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutgoingBatchTest {
    private static final int TRIAL_ID = 77;
    private static final int STEP = 3;
    private static final int SOURCE = 1;

    private static OutgoingBatch batch(final int length, final boolean verify) {
        final OutgoingBatch batch = new OutgoingMessage(length, TRIAL_ID, verify).batch(length, 1);
        batch.begin(0, STEP, SOURCE);
        return batch;
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 31, 32, 64, 700})
    void shouldFillTheSameMessagesAsOneByOne(final int length) {
        final OutgoingMessage single = new OutgoingMessage(length, TRIAL_ID, true);
        final OutgoingBatch batch = batch(length, true);
        batch.prepare(2, 5, 0); // another time, so that none of its content may be left
        batch.prepare(batch.capacity(), 1_000, 250);

        for (int i = 0; i < batch.capacity(); i++) {
            single.prepare(single.buffer(), length, 1_000, 250 + i, 0, STEP, SOURCE);
            single.stampSent(single.buffer(), length, 1_000);
            for (int at = 0; at < length; at++) {
                assertThat(batch.buffer().getByte(batch.offsetOf(i) + at))
                        .as("byte %d of message %d", at, i)
                        .isEqualTo(single.buffer().getByte(at));
            }
        }
    }

    @Test
    void shouldKeepTheChecksumWhenTheSendTimeChanges() {
        final OutgoingBatch batch = batch(64, true);
        final MutableDirectBuffer buffer = batch.buffer();
        batch.prepare(4, 1_000, 7);

        batch.stampSent(2, 4, 1_500);

        assertThat(Stamp.sentNs(buffer, batch.offsetOf(1))).isEqualTo(1_000);
        assertThat(Stamp.sentNs(buffer, batch.offsetOf(2))).isEqualTo(1_500);
        assertThat(Stamp.intendedNs(buffer, batch.offsetOf(3))).isEqualTo(1_000);
        assertThat(Stamp.checksum(buffer, batch.offsetOf(3)))
                .isEqualTo(new StampChecksum().of(buffer, batch.offsetOf(3), 64));
    }

    @Test
    void shouldCarryNoChecksumWhereNoneIsWanted() {
        final OutgoingBatch batch = batch(64, false);

        batch.prepare(1, 1_000, 7);

        assertThat(Stamp.checksum(batch.buffer(), 0)).isZero();
    }

    @Test
    void shouldHoldFewerOfLongMessages() {
        assertThat(batch(64, true).capacity()).isEqualTo(64);
        assertThat(batch(8192, true).capacity()).isEqualTo(8);
        assertThat(batch(1 << 20, true).capacity()).isEqualTo(1);
    }

    @Test
    void shouldHoldAMultipleOfWhatTheEngineSendsByOneCall() {
        final OutgoingMessage messages = new OutgoingMessage(700, TRIAL_ID, true);

        assertThat(messages.batch(64, 20).capacity()).isEqualTo(60);
        assertThat(messages.batch(64, 64).capacity()).isEqualTo(64);
        assertThat(messages.batch(64, 128).capacity()).isEqualTo(64);
    }
}
