package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Claim;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Waiting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimTest {
    private static final int MESSAGES = 300;

    /** Lengths around a datagram's payload, and the longest of a term of 64 KiB. */
    @ParameterizedTest
    @ValueSource(ints = {1376, 1377, 5000, 8192})
    void shouldCarryClaimsOfAnyLengthWholeAndInOrder(final int length) {
        try (Pair pair = new Pair("aeron:ipc?term-length=64k", 1)) {
            final Publication publication = pair.bound().publication();
            final Claim claim = new Claim();
            final int[] sent = {0};
            final int[] received = {0};
            Waiting.until(
                    "all claims have arrived",
                    () -> {
                        if (sent[0] < MESSAGES && publication.tryClaim(length, claim) > 0) {
                            claim.buffer().setMemory(0, length, (byte) sent[0]);
                            sent[0]++;
                            claim.commit();
                            abandonOne(publication, claim, length);
                        }
                        pair.connected(1)
                                .subscription()
                                .poll(
                                        (buffer, offset, size) -> {
                                            assertThat(size).isEqualTo(length);
                                            final byte number = (byte) received[0]++;
                                            assertThat(buffer.getByte(offset)).isEqualTo(number);
                                            assertThat(buffer.getByte(offset + size - 1))
                                                    .isEqualTo(number);
                                        },
                                        10);
                        return received[0] == MESSAGES;
                    });
        }
    }

    private static void abandonOne(
            final Publication publication, final Claim claim, final int length) {
        if (publication.tryClaim(length, claim) > 0) {
            claim.abort();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8193, Integer.MAX_VALUE})
    void shouldRefuseAClaimLongerThanTheLargestMessage(final int length) {
        try (Pair pair = new Pair("aeron:ipc?term-length=64k", 1)) {
            assertThat(pair.bound().publication().tryClaim(length, new Claim()))
                    .isEqualTo(Publication.TOO_LONG);
        }
    }
}
