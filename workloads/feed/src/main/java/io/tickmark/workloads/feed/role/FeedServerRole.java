package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedFigures;
import io.undertow.server.handlers.PathHandler;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Runs a feed and its server for the measured time, and stays until the clients have ended. */
final class FeedServerRole implements Role {
    private static final int MAX_CLIENTS = 20_000;

    /** Before the measured time, for the pause of a collection to be over. */
    private static final long SETTLE_NS = 300_000_000;

    /** After it, for the last messages to be there; the sessions still stand. */
    private static final long LAST_NS = 5_000_000;

    private static final long NAP_NS = 1_000_000;
    private static final long LINGER_NS = 15_000_000_000L;

    private final FeedServerSettings settings;
    private final RoleContext context;
    private SessionHub hub;
    private FeedServer server;

    FeedServerRole(final FeedServerSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        hub =
                new SessionHub(
                        settings.feed(),
                        settings.sessionThreads(),
                        FeedClock.from(context.clock()),
                        () -> context.idleStrategy(FeedServerFactory.SESSIONS));
        final ChannelList channels = ChannelList.of(settings.channelFile());
        server =
                new FeedServer(
                        settings.host(),
                        settings.port(),
                        settings.ioThreads(),
                        MAX_CLIENTS,
                        new PathHandler()
                                .addPrefixPath(
                                        "/feed",
                                        new FeedHandler(() -> hub, channels, MAX_CLIENTS)));
        hub.open();
        return Endpoints.of(Map.of("server", server.address()));
    }

    @Override
    public void connect(final Endpoints endpoints) {
        context.tell("Serving at " + server.address());
    }

    @Override
    public RoleResult run(final long startAtNs) {
        hub.start(startAtNs);
        final long fromNs = settings.time().fromNs(startAtNs);
        final long toNs = settings.time().toNs(startAtNs);
        napUntil(fromNs - SETTLE_NS);
        final long liveBefore = liveHeapBytes();
        napUntil(fromNs);
        context.recording().beginStep(0, "feed");
        final FeedFigures before = hub.feedFigures();
        final HubFigures hubBefore = hub.figures();
        final long beganNs = context.clock().nanoTime();
        napUntil(toNs);
        final FeedFigures after = hub.feedFigures();
        final HubFigures hubAfter = hub.figures();
        final long durationNs = context.clock().nanoTime() - beganNs;
        final StepRecording recorded = context.recording().endStep();
        napUntil(toNs + LAST_NS);
        final long liveAfter = liveHeapBytes();
        hub.stopFeed();
        linger();
        return new RoleResult(
                List.of(step(before, after, durationNs, recorded)),
                metrics(hubBefore, hubAfter, durationNs, liveBefore, liveAfter),
                List.of(),
                "");
    }

    private StepResult step(
            final FeedFigures before,
            final FeedFigures after,
            final long durationNs,
            final StepRecording recorded) {
        final long sent = after.sent() - before.sent();
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.SENT, sent);
        counts.put(Counts.MAX_TIGHT_SENDS, after.maxTightSends());
        counts.put(Counts.MAX_LAG_NS, after.maxLagNs());
        counts.put(Counts.BACK_PRESSURED, after.backPressured() - before.backPressured());
        return new StepResult(
                0,
                "",
                settings.feed().messageBytes(),
                counts,
                durationNs,
                settings.feed().rate(),
                sent * 1e9 / durationNs,
                recorded.latencies(),
                List.of());
    }

    private Map<String, Object> metrics(
            final HubFigures before,
            final HubFigures after,
            final long durationNs,
            final long liveBefore,
            final long liveAfter) {
        final HubFigures end = hub.figures();
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("pushedPerSecond", (after.sent() - before.sent()) * 1e9 / durationNs);
        metrics.put("sessions", after.sessions());
        metrics.put("symbols", settings.feed().symbols());
        metrics.put("feedThreads", settings.feed().threads());
        metrics.put("pace", settings.feed().rate() > 0 ? "rate" : "sleep");
        metrics.put("merged", end.merged());
        metrics.put("dropped", end.dropped());
        metrics.put("overLimit", end.overLimit());
        metrics.put("liveHeapBytesBefore", liveBefore);
        metrics.put("liveHeapBytesAfter", liveAfter);
        return metrics;
    }

    /** What is left when all that nobody needs is collected; while nothing is measured. */
    private static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void napUntil(final long ns) {
        while (context.clock().nanoTime() - ns < 0 && !context.isStopped()) {
            LockSupport.parkNanos(NAP_NS);
        }
    }

    private void linger() {
        final long endNs = context.clock().nanoTime() + LINGER_NS;
        while (hub.figures().sessions() > 0
                && context.clock().nanoTime() - endNs < 0
                && !context.isStopped()) {
            LockSupport.parkNanos(NAP_NS);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        if (hub != null) {
            hub.close();
        }
    }
}
