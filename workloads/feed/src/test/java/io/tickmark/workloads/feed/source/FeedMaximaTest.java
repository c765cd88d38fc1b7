package io.tickmark.workloads.feed.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The maxima of a feed, on a clock that only the test moves. */
class FeedMaximaTest {
    private static final long LATE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LITTLE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int RATE = 1000;
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(120);

    private final AtomicLong nowNs = new AtomicLong();

    /** How often the thread of the feed has found nothing due. */
    private final AtomicLong waits = new AtomicLong();

    private final class Waiting implements Idle {
        @Override
        public IdleMode mode() {
            return IdleMode.PARK;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            awaitDue(untilDueNs);
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            waits.incrementAndGet();
            LockSupport.parkNanos(100_000);
        }

        @Override
        public void reset() {
            // it has no state
        }
    }

    private static void await(final Feed feed, final long sent) throws InterruptedException {
        final long endNs = System.nanoTime() + WAIT_NS;
        while (feed.figures().sent().get() < sent && System.nanoTime() < endNs) {
            Thread.sleep(1);
        }
        assertThat(feed.figures().sent().get()).isEqualTo(sent);
    }

    /** The turn that is under way may have begun before: only the next one does it all. */
    private void awaitTwoTurns() throws InterruptedException {
        final long before = waits.get();
        final long endNs = System.nanoTime() + WAIT_NS;
        while (waits.get() < before + 2 && System.nanoTime() < endNs) {
            Thread.sleep(1);
        }
    }

    @Test
    void shouldForgetWhatWasBeforeTheMeasurement() throws Exception {
        final FeedPlan plan =
                FeedPlan.of(
                        Settings.read(
                                FeedSettings.class,
                                Map.of("symbols", 10, "rate", RATE),
                                key -> key));
        try (Feed feed =
                plan.feed(
                        new FeedClock(nowNs::get, 0),
                        List.of(List.of(new TickRing(Tick.LENGTH))),
                        _ -> new Waiting())) {
            nowNs.set(LATE_NS);
            feed.start(0);
            await(feed, 5 * RATE + 1);
            assertThat(feed.figures().maxLagNs().get()).as("the first message").isEqualTo(LATE_NS);
            assertThat(feed.figures().maxTightSends().get()).isEqualTo(5 * RATE + 1);

            feed.forgetMaxima();
            awaitTwoTurns();
            assertThat(feed.figures().maxLagNs().get()).isZero();

            nowNs.set(LATE_NS + LITTLE_NS);
            await(feed, 5 * RATE + 11);
            assertThat(feed.figures().maxLagNs().get()).isBetween(1L, LITTLE_NS);
            assertThat(feed.figures().maxTightSends().get()).isBetween(1L, 10L);
        }
    }
}
