package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.session.HubFigures.SessionHubCounts;
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

    @Test
    void shouldCountAFlushThatIsLateByIntervalsThoughAClientWaited() throws IOException {
        final Session session = session(1);
        final long first = nextTimes(List.of(session), 0)[0];
        assertThat(session.pump(first)).isTrue();
        session.offer(0, message, 0, first + 1);
        assertThat(session.pump(first + FLUSH_NS)).isTrue();
        assertThat(session.figures().lateFlushes()).as("on its grid").isZero();
        session.offer(0, message, 0, first + FLUSH_NS + 1);
        assertThat(session.pump(first + 5 * FLUSH_NS + 1)).as("three intervals late").isTrue();
        assertThat(session.figures().lateFlushes()).isEqualTo(1);
        assertThat(session.figures().json()).contains("\"flushes\":3,\"lateFlushes\":1");
        final SessionHubCounts counts = new SessionHubCounts();
        session.count(counts.live());
        session.count(counts.live());
        assertThat(counts.figures().counts().lateFlushes().get()).isEqualTo(1);
        assertThat(counts.figures().counts().flushes().get()).isEqualTo(3);
    }

    /** Each time of the grid that it missed had counted, and failed the row: 3 of 203. */
    @Test
    void shouldCountOnceOfASlowFeedWhatIsLateByThreeIntervals() throws IOException {
        final Session session = session(1);
        final long first = nextTimes(List.of(session), 0)[0];
        for (int i = 0; i < 200; i++) {
            final long dueNs = first + 25 * i * FLUSH_NS;
            session.offer(0, message, 0, dueNs - 1);
            assertThat(session.pump(i == 100 ? dueNs + 3 * FLUSH_NS : dueNs)).isTrue();
            session.acknowledge(i + 1, i + 1);
        }
        assertThat(session.figures().flushes()).isEqualTo(200);
        assertThat(session.figures().lateFlushes()).isEqualTo(1);
    }

    @Test
    void shouldNotCountTimesAtWhichNothingWaitedOrTheClientTookNothing() throws IOException {
        final Session idle = session(1);
        nextTimes(List.of(idle), 0);
        assertThat(idle.pump(FLUSH_NS)).isTrue();
        idle.offer(0, message, 0, 50 * FLUSH_NS);
        assertThat(idle.pump(50 * FLUSH_NS + 1)).isTrue();
        assertThat(idle.figures().lateFlushes()).as("nothing waited").isZero();

        final Session slow =
                TakenSession.connected(
                        "slow",
                        "buffer",
                        Map.of("flush", "4ms", "conflation", "buffer", "windowFrames", 1));
        slow.offer(0, message, 0, 0);
        assertThat(slow.pump(FLUSH_NS)).isTrue();
        slow.offer(0, message, 0, FLUSH_NS + 1);
        for (long atNs = 2 * FLUSH_NS; atNs < 30 * FLUSH_NS; atNs += FLUSH_NS) {
            assertThat(slow.pump(atNs)).as("its window is closed").isFalse();
        }
        slow.acknowledge(1, 1);
        assertThat(slow.pump(30 * FLUSH_NS)).isTrue();
        assertThat(slow.figures().lateFlushes()).isZero();
    }
}
