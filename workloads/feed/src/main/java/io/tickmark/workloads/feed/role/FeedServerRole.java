package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.FlushInterval;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.session.HubFigures.SessionCounts;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedFigures;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.tickmark.workloads.feed.source.SourceState;
import io.tickmark.workloads.feed.source.ThreadPlacement;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a feed and its server for the measured time, and stays until the clients have ended. */
public final class FeedServerRole implements Role {
    /** Endpoint of the server's address. */
    static final String SERVER = "server";

    /** Endpoint of the token that clients must know. */
    static final String TOKEN = "token";

    /** Endpoint with the messages a second, which clients need before the start. */
    static final String RATE = "feedRate";

    private static final int MAX_CLIENTS = 20_000;

    /** Time before the measurement for the pause of a garbage collection to end. */
    private static final long SETTLE_NS = 300_000_000;

    /** Time after it for the last messages to arrive; the sessions are still open. */
    private static final long LAST_NS = 5_000_000;

    /**
     * Time for a source that is measured at the same time to say that it ends, and then to hear the
     * answer.
     */
    private static final long SOURCE_END_NS = 1_000_000_000;

    private static final long SOURCE_ANSWER_NS = 300_000_000;

    private static final long NAP_NS = 1_000_000;
    private static final long LINGER_NS = 15_000_000_000L;

    private final FeedServerSettings settings;
    private final RoleContext context;
    private final FeedStep step;
    private final String token;
    private SessionHub hub;
    private FeedHandler handler;
    private FeedServer server;

    FeedServerRole(final FeedServerSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        step = new FeedStep(context);
        token = AccessToken.of(settings.token());
    }

    @Override
    public Endpoints prepare() {
        hub =
                new SessionHub(
                        settings.feed(),
                        settings.sessionThreads(),
                        FeedClock.from(context.clock()),
                        placed());
        final ChannelList channels = ChannelList.of(settings.channelFile());
        handler = new FeedHandler(() -> hub, channels, MAX_CLIENTS);
        server =
                new FeedServer(
                        settings.host(),
                        settings.port(),
                        settings.ioThreads(),
                        MAX_CLIENTS,
                        handler.guarded(
                                token, AccessToken.isExposed(settings.host()), context.clock()));
        hub.open();
        return Endpoints.of(
                Map.of(
                        SERVER,
                        server.address(),
                        TOKEN,
                        token,
                        RATE,
                        Double.toString(settings.feed().rate())));
    }

    /** As its plan says, which knows the threads by their names. */
    private ThreadPlacement placed() {
        return new ThreadPlacement() {
            @Override
            public Idle idle(final String thread) {
                return context.idleStrategy(new HotThread(thread));
            }

            @Override
            public StallWatch watch(final String thread, final StallWatch.Part part) {
                return context.recording()
                        .stalls()
                        .watch(thread, part, context.idleMode(new HotThread(thread)).notWatched());
            }

            @Override
            public void begin(final String thread) {
                Affinity.unpin(); // another thread starts it, whose core is not for it
                context.pin(new HotThread(thread));
            }
        };
    }

    @Override
    public void connect(final Endpoints endpoints) {
        context.log("Serving at " + server.address() + "; clients need --token " + token);
    }

    @Override
    public RoleResult run(final long startAtNs) {
        hub.start(startAtNs);
        final long fromNs = settings.time().fromNs(startAtNs);
        final long toNs = settings.time().toNs(startAtNs);
        napUntil(fromNs - SETTLE_NS);
        final OptionalLong liveBefore = liveHeapBytes();
        napUntil(fromNs);
        context.recording().beginStep(0, "feed");
        hub.forgetMaxima();
        final FeedFigures before = hub.feedFigures();
        final HubFigures hubBefore = hub.figures();
        step.begin(before);
        napUntil(toNs);
        final FeedFigures after = hub.feedFigures();
        final StepResult sent = step.end(after, settings.feed());
        final HubFigures hubAfter = hub.figures();
        final SourceState source = hub.source();
        napUntil(toNs + LAST_NS);
        final OptionalLong liveAfter = liveHeapBytes();
        awaitEndOfSource(after);
        hub.stopFeed();
        linger();
        final ServedVerdict verdict =
                new ServedVerdict(
                        FeedFigures.COLUMNS.minus(after, before),
                        hubBefore,
                        hubAfter,
                        hub.figures());
        return new RoleResult(
                List.of(sent),
                metrics(hubBefore, hubAfter, sent.durationNs(), liveBefore, liveAfter, verdict),
                warnings(verdict, source),
                hub.failure().isEmpty() ? failure(verdict, source) : hub.failure());
    }

    /** What it says then of the messages that were lost last belongs to the measured time. */
    private void awaitEndOfSource(final FeedFigures after) {
        final long endNs = context.clock().nanoTime() + SOURCE_END_NS;
        final SourceState atOnce = hub.source();
        if (!atOnce.isThere() || atOnce.silentNs() > 0) {
            return;
        }
        while (!hub.source().hasEnded()
                && context.clock().nanoTime() - endNs < 0
                && !context.isStopped()) {
            LockSupport.parkNanos(NAP_NS);
        }
        if (hub.source().hasEnded()) {
            final long answeredNs = context.clock().nanoTime() + SOURCE_ANSWER_NS;
            while (context.clock().nanoTime() - answeredNs < 0) {
                LockSupport.parkNanos(NAP_NS);
            }
            after.lost().set(hub.feedFigures().lost().get());
        }
    }

    private static String failure(final ServedVerdict verdict, final SourceState source) {
        final String served = verdict.failure();
        return source.isLost()
                ? String.format(
                        Locale.ROOT,
                        "The source fell silent %.1f s before the end, without announcing its end.%s%s",
                        source.silentNs() / 1e9,
                        served.isEmpty() ? "" : " ",
                        served)
                : served;
    }

    private static List<String> warnings(final ServedVerdict verdict, final SourceState source) {
        final List<String> warnings = new ArrayList<>(verdict.warnings());
        if (source.hasEnded() && source.silentNs() > 0) {
            warnings.add(
                    String.format(
                            Locale.ROOT,
                            "The source ended %.1f s before the end of the measured time.",
                            source.silentNs() / 1e9));
        }
        return warnings;
    }

    private Map<String, Object> metrics(
            final HubFigures before,
            final HubFigures after,
            final long durationNs,
            final OptionalLong liveBefore,
            final OptionalLong liveAfter,
            final ServedVerdict verdict) {
        final long sent = after.counts().sent().get() - before.counts().sent().get();
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("pushedPerSecond", sent * 1e9 / durationNs);
        metrics.put("sessions", after.sessions());
        metrics.put("symbols", settings.feed().symbols());
        metrics.put("feedThreads", settings.feed().threads());
        metrics.put("pace", settings.feed().pace());
        metrics.putAll(verdict.metrics());
        liveBefore.ifPresent(bytes -> metrics.put("liveHeapBytesBefore", bytes));
        liveAfter.ifPresent(bytes -> metrics.put("liveHeapBytesAfter", bytes));
        return metrics;
    }

    /**
     * The heap in use after a garbage collection, while nothing is measured. Empty where the
     * warm-up is too short for the pause to be over when it ends.
     */
    private OptionalLong liveHeapBytes() {
        if (settings.time().warmUp().toNanos() < SETTLE_NS) {
            return OptionalLong.empty();
        }
        System.gc();
        return OptionalLong.of(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    private void napUntil(final long ns) {
        while (context.clock().nanoTime() - ns < 0
                && !context.isStopped()
                && hub.failure().isEmpty()) {
            final FeedFigures now = hub.feedFigures();
            step.update(now.sent().get(), now.lagNs().get());
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
        if (hub != null) {
            hub.close(); // its clients are notified why their sessions end, while there is a
            // connection
        }
        if (server != null) {
            handler.close();
            server.close();
        }
    }

    /**
     * Judges a measurement by the server's own counts: each that is not zero is reported. Messages
     * of the source that were lost, sessions that failed in the server, and clients that were
     * missing, or of which no session lasted, fail it; what else ended sessions is a warning, with
     * what they were not sent.
     */
    static final class ServedVerdict {
        private final FeedFigures feed;
        private final HubFigures before;
        private final HubFigures after;
        private final HubFigures end;
        private final SessionCounts measured;

        /** Until the end; of flushes only those of the measured time. */
        private final SessionCounts counts;

        /**
         * Of what was counted.
         *
         * @param feed in the measured time
         * @param before the sessions when the measured time began
         * @param after and when it ended
         * @param end the sessions once all have ended
         */
        ServedVerdict(
                final FeedFigures feed,
                final HubFigures before,
                final HubFigures after,
                final HubFigures end) {
            this.feed = feed;
            this.before = before;
            this.after = after;
            this.end = end;
            measured = SessionCounts.COLUMNS.minus(after.counts(), before.counts());
            counts = SessionCounts.COLUMNS.sum(List.of(end.counts()));
            counts.flushes().set(measured.flushes().get());
            counts.lateFlushes().set(measured.lateFlushes().get());
        }

        /** Sessions of the measured time, also those that had begun before it. */
        private long sessions() {
            return before.sessions() + measured.opened().get();
        }

        /** Of these, those that were still there at its end, or had ended as they should. */
        private long lasting() {
            return after.sessions() + after.endedRegularly() - before.endedRegularly();
        }

        private static Stream<Ending.Kind> irregular() {
            return Stream.of(Ending.Kind.values()).filter(kind -> !kind.isRegular());
        }

        /** Why the measurement failed; empty where it passed. */
        String failure() {
            final List<String> failures = new ArrayList<>();
            if (measured.sent().get() == 0) {
                failures.add(
                        sessions() == 0
                                ? "Nothing was served: no client had a session in the measured time."
                                : CountSentence.of(
                                        "Nothing was served: %d client{|s} had a session, but no message was sent to {it|them}.",
                                        sessions()));
            }
            if (sessions() > 0 && lasting() == 0) {
                failures.add(
                        CountSentence.of(
                                "No session lasted: {the only one|all %1$d} of the measured time ended unexpectedly (%2$s).",
                                sessions(), words(kind -> after.ended(kind) - before.ended(kind))));
                failures.add(
                        CountSentence.of(
                                "%d message{ that was|s that were} waiting {was|were} never sent.",
                                measured.notSent().get()));
            }
            failures.addAll(SessionCounts.COLUMNS.failures(counts, Map.of()));
            failures.addAll(FeedFigures.COLUMNS.failures(feed, Map.of()));
            return String.join(" ", failures);
        }

        /** Unexpected ends, by how, with their numbers. */
        private static String words(final ToLongFunction<Ending.Kind> ended) {
            return irregular()
                    .filter(kind -> ended.applyAsLong(kind) > 0)
                    .map(kind -> "%s %d".formatted(kind.words(), ended.applyAsLong(kind)))
                    .collect(Collectors.joining(", "));
        }

        List<String> warnings() {
            final long late = counts.lateFlushes().get();
            final long flushes = counts.flushes().get();
            final SessionCounts told = SessionCounts.COLUMNS.sum(List.of(counts));
            if (FlushInterval.isHeld(flushes, late)) {
                told.lateFlushes().set(0);
            }
            final List<String> warnings = new ArrayList<>();
            warnings.addAll(
                    SessionCounts.COLUMNS.warnings(
                            told,
                            Map.of(
                                    told.endedIrregularly(),
                                    List.of(words(end::ended)),
                                    told.lateFlushes(),
                                    List.of(flushes, 100.0 * late / flushes))));
            warnings.addAll(FeedFigures.COLUMNS.warnings(feed));
            return warnings;
        }

        /** Counts for the result. */
        Map<String, Object> metrics() {
            final Map<String, Object> metrics =
                    SessionCounts.COLUMNS.metrics(counts, counts, 0, Set.of(), Map.of());
            metrics.putAll(FeedFigures.COLUMNS.metrics(feed, feed, 0, Set.of(), Map.of()));
            return metrics;
        }
    }

    /** Creates fan-out servers. */
    public static final class Factory extends RoleFactory.Declared<FeedServerSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "feed-server",
                    "Makes a price feed and pushes it to browsers or clients.",
                    FeedServerSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final FeedServerSettings settings, final int index, final int count) {
            final List<HotThread> threads =
                    new ArrayList<>(
                            HotThread.numbered("feed", settings.feed().threads(), IdleMode.AUTO));
            threads.addAll(
                    HotThread.numbered("sessions", settings.sessionThreads(), IdleMode.AUTO));
            return threads;
        }

        @Override
        public long expectedDurationNs(final FeedServerSettings settings) {
            return settings.time().wholeNs();
        }

        @Override
        public void checkGiven(
                final Map<String, Object> values,
                final Set<String> later,
                final UnaryOperator<String> naming) {
            FeedSettings.checkGiven(values, naming);
        }

        @Override
        public void check(final FeedServerSettings settings) {
            ChannelList.of(settings.channelFile());
        }

        @Override
        public void checkHere(final FeedServerSettings settings) {
            settings.feed().checkHere();
        }

        @Override
        public Role create(final FeedServerSettings settings, final RoleContext context) {
            return new FeedServerRole(settings, context);
        }
    }

    /**
     * Settings of the fan-out server.
     *
     * @param feed what it makes
     * @param host to bind
     * @param port to bind
     * @param token that clients must know; made up where it is not given
     * @param sessionThreads that own the clients' sessions
     * @param ioThreads of the HTTP server
     * @param channelFile that defines the channels
     * @param time when to measure
     */
    public record FeedServerSettings(
            FeedSettings feed,
            @Setting(
                            help =
                                    "Address to bind; on any but 127.0.0.1 other machines can reach it.",
                            byDefault = "127.0.0.1")
                    String host,
            @Setting(help = "Port to bind; 0: any.", byDefault = "0", min = 0, max = 65_535)
                    int port,
            @Setting(help = AccessToken.HELP, label = "TOKEN") String token,
            @Setting(
                            help = "Threads that own the clients' sessions.",
                            byDefault = "1",
                            min = 1,
                            max = 64)
                    int sessionThreads,
            @Setting(help = "Threads of the HTTP server.", byDefault = "1", min = 1, max = 64)
                    int ioThreads,
            @Setting(
                            help = "File that defines the channels (default: the shipped ones).",
                            label = "FILE")
                    String channelFile,
            MeasuredTime time) {

        /** Checks conditions between settings. */
        public FeedServerSettings {
            AccessToken.check(token);
        }
    }
}
