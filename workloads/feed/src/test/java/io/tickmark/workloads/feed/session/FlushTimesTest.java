package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.tick.Tick;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** When sessions that begin together flush, on a clock of the test's. */
class FlushTimesTest {
    private static final long FLUSH_NS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int SESSIONS = 50;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);

    private static Session session(final int number) {
        return TakenSession.connected(
                "session-" + number, "buffer", Map.of("flush", "4ms", "conflation", "buffer"));
    }

    private long[] nextTimes(final List<Session> sessions, final long nowNs) {
        return sessions.stream()
                .mapToLong(session -> {
                    session.offer(0, message, 0, nowNs);
                    return session.wakeNs();
                })
                .toArray();
    }

    @Test
    void shouldKeepToTheirOwnTimesAfterAStallOfTheirThread() throws IOException {
        final List<Session> sessions =
                IntStream.range(0, SESSIONS).mapToObj(FlushTimesTest::session).toList();
        final long[] first = nextTimes(sessions, 0);
        assertThat(first).as("spread over the interval").doesNotHaveDuplicates();

        final long stalledNs = 25 * FLUSH_NS + FLUSH_NS / 3;
        for (final Session session : sessions) {
            assertThat(session.pump(stalledNs)).isTrue();
        }

        final long[] later = nextTimes(sessions, stalledNs);
        for (int i = 0; i < SESSIONS; i++) {
            assertThat(later[i]).isBetween(stalledNs + 1, stalledNs + FLUSH_NS);
            assertThat((later[i] - first[i]) % FLUSH_NS).as("the same phase").isZero();
        }
    }
}
