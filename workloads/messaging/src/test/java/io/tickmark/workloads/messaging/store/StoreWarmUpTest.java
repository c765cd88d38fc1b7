package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.TestContext;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class StoreWarmUpTest extends StoredTrial {
    private static final long MS = 1_000_000;

    /** After the settling before the warm-up, and in the middle of the warm-up. */
    private static final long STALL_AT_NS = 125 * MS;

    private static final long STALL_NS = 40 * MS;

    /**
     * A clock that advances by a microsecond with each read, and once jumps for its publisher: the
     * warm-up then has more to send at once than may be in flight, and the measurement never has.
     */
    private static NanoClock stallingInTheWarmUp() {
        final long startNs = System.nanoTime();
        final long[] goneNs = {0};
        return () -> {
            final boolean isStalling = goneNs[0] == STALL_AT_NS;
            goneNs[0] += isStalling ? STALL_NS : 1_000;
            return startNs + goneNs[0];
        };
    }

    @Test
    void shouldCountTheWarmUpOfAStoreButNotHowItFared() throws Exception {
        publisherContext = new TestContext(1, 1, stallingInTheWarmUp());

        final Results results =
                run(
                        Map.of(
                                "messages",
                                100,
                                "jvmWarmUp",
                                "0",
                                "storeWarmUp",
                                "100ms",
                                "flightSize",
                                3,
                                "channel",
                                "filestore:?syncEvery=1000",
                                "sendHistogram",
                                List.of(10, 1000)),
                        nothing(),
                        data -> {});

        final long warmUp = (long) results.publisher().metrics().get("storeWarmUpSent");
        assertThat(warmUp).isEqualTo(40);
        assertThat(results.sent().counts())
                .containsEntry(Counts.SENT, 140L)
                .containsEntry(Counts.ACKNOWLEDGED, 140L)
                .containsEntry(Counts.WOULD_BLOCK, 0L)
                .hasEntrySatisfying(
                        Counts.MAX_STABLE_GAP_NS, gap -> assertThat(gap).isLessThan(STALL_NS));
        assertThat(results.sent().latencies().get(Latencies.SEND_NS).getTotalCount())
                .isEqualTo(100);
        assertThat(results.kept().counts()).containsEntry(Counts.STORED, 140L);
    }
}
