package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.tickmark.workloads.feed.source.ThreadPlacement;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What all sessions of a hub may keep together, and what is reported about a thread that ended. */
class HubLimitsTest {
    private static final long WAIT_NS = 120_000_000_000L;
    private static final long ALL_BYTES = 1_000_000;

    private static SessionHub hub(final ThreadPlacement placing) {
        return new SessionHub(
                Settings.read(
                        FeedSettings.class, Map.of("symbols", 10, "rate", 50_000), key -> key),
                1,
                FeedClock.from(SystemNanoClock.INSTANCE),
                placing,
                new KeptMemory(ALL_BYTES));
    }

    private static SessionHub hub() {
        return hub(_ -> IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE));
    }

    private static Session open(final SessionHub hub, final Map<String, Object> wishes) {
        return hub.open(
                RunningServer.session(wishes),
                new TakenSession.Taker(),
                new BinaryFrame(FeedFraming.NONE, Tick.LENGTH));
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException {
        final long endNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("in time").isNegative();
            Thread.sleep(1);
        }
    }

    /**
     * Nothing is acknowledged: with guaranteed delivery everything is kept, otherwise everything
     * beyond the window.
     */
    @ParameterizedTest
    @CsvSource({"buffer, false", "buffer, true", "merge, true"})
    void shouldEndWhoKeepsMoreThanAllMayThoughItsOwnLimitIsFar(
            final String conflation, final boolean guaranteed) throws Exception {
        try (SessionHub hub = hub()) {
            hub.open();
            open(
                    hub,
                    Map.of(
                            "conflation",
                            conflation,
                            "guaranteed",
                            guaranteed,
                            "flush",
                            "0ms",
                            "windowFrames",
                            20_000,
                            "limitBytes",
                            "1G"));
            hub.start(System.nanoTime());
            await(() -> hub.figures().counts().overLimit().get() == 1);
            assertThat(hub.figures().sessions()).isZero();
            assertThat(hub.figures().counts().notSent().get()).isPositive();
            assertThat(open(hub, Map.of("windowFrames", 60_000)).id())
                    .as("what it kept is free for others")
                    .isNotEmpty();
        }
    }

    @Test
    void shouldLetNobodyInForWhomThereIsNoRoom() throws Exception {
        final Map<String, Object> large = Map.of("windowFrames", 65_536);
        try (SessionHub hub = hub()) {
            hub.open();
            final Session first = open(hub, large);
            await(() -> hub.figures().sessions() == 1);
            assertThatThrownBy(() -> open(hub, large))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("session memory of this server (1 MB) is exhausted");
            first.finish();
            await(() -> hub.figures().sessions() == 0);
            assertThat(open(hub, large).id()).isNotEmpty();
        }
    }

    @Test
    void shouldNotifyAClientThatConnectsWhileTheServerEnds() {
        final List<Ending> endings = new CopyOnWriteArrayList<>();
        final SessionHub hub = hub();
        hub.open(
                RunningServer.session(Map.of()),
                new TakenSession.Taker() {
                    @Override
                    public void close(final Ending ending) {
                        endings.add(ending);
                    }
                },
                new BinaryFrame(FeedFraming.NONE, Tick.LENGTH));
        hub.open();
        hub.close();

        assertThat(endings).containsExactly(Ending.SERVER_ENDS);
        assertThat(hub.isOver()).isTrue();
        assertThatThrownBy(() -> open(hub, Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessage("The server is ending; connect again when it is back.");
    }

    /** Throws as soon as there is nothing to do. */
    private static final class Broken implements Idle {
        @Override
        public IdleMode mode() {
            return IdleMode.SPIN;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            throw new IllegalStateException("a fault");
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            throw new IllegalStateException("a fault");
        }

        @Override
        public void reset() {
            // it has no state
        }
    }

    /** The first strategy is that of the sessions, the second that of the feed. */
    @ParameterizedTest
    @CsvSource({"1, sessions-1", "2, feed-1"})
    void shouldReportWhichThreadEndedAndWhy(final int broken, final String name) throws Exception {
        final AtomicInteger made = new AtomicInteger();
        try (SessionHub hub =
                hub(_ ->
                        made.incrementAndGet() == broken
                                ? new Broken()
                                : IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE))) {
            hub.open();
            hub.start(System.nanoTime());
            await(() -> !hub.failure().isEmpty());
            assertThat(hub.failure())
                    .isEqualTo(name + " failed: java.lang.IllegalStateException: a fault");
        }
    }

    @Test
    void shouldLetNobodyInWhereNobodyWouldServeHim() throws Exception {
        try (SessionHub hub = hub(_ -> new Broken())) {
            hub.open();
            await(() -> !hub.failure().isEmpty());
            assertThatThrownBy(() -> open(hub, Map.of()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("The server cannot continue (sessions-1 failed: ");
        }
    }

    /** A thread can be given a core by itself alone. */
    @Test
    void shouldLetEachThreadPlaceItselfBeforeItWorks() throws Exception {
        final Map<String, String> placed = new ConcurrentHashMap<>();
        final ThreadPlacement placing =
                new ThreadPlacement() {
                    @Override
                    public Idle idle(final String thread) {
                        return IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE);
                    }

                    @Override
                    public void begin(final String thread) {
                        placed.put(thread, Thread.currentThread().getName());
                    }
                };
        try (SessionHub hub = hub(placing)) {
            hub.open();
            hub.start(System.nanoTime());
            await(() -> placed.size() == 2);
        }
        assertThat(placed)
                .containsOnly(entry("sessions-1", "sessions-1"), entry("feed-1", "feed-1"));
    }
}
