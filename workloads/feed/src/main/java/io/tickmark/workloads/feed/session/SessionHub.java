package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.session.HubFigures.SessionHubCounts;
import io.tickmark.workloads.feed.source.Failure;
import io.tickmark.workloads.feed.source.Feed;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedFigures;
import io.tickmark.workloads.feed.source.FeedPlan;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.tickmark.workloads.feed.source.SourceState;
import io.tickmark.workloads.feed.source.ThreadPlacement;
import io.tickmark.workloads.feed.source.Threads;
import io.tickmark.workloads.feed.source.TickRing;
import io.tickmark.workloads.feed.tick.LastValues;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One feed, and the threads that own its sessions. Any thread; changes of sessions are passed to
 * their owners.
 */
public final class SessionHub implements AutoCloseable {
    private static final int ID_BYTES = 16;

    private final FeedClock time;
    private final FeedSettings settings;
    private final SessionHubCounts counts = new SessionHubCounts();
    private final SessionMaker maker;
    private final List<SessionThread> owners = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final SecureRandom random = new SecureRandom();
    private final Feed feed;
    private int next;

    /**
     * A hub whose feed has not begun.
     *
     * @param wanted of the feed
     * @param ownerThreads how many threads share the sessions
     * @param time the feed's clock
     * @param placing where each of its threads runs, and what it waits with
     */
    public SessionHub(
            final FeedSettings wanted,
            final int ownerThreads,
            final FeedClock time,
            final ThreadPlacement placing) {
        this(wanted, ownerThreads, time, placing, KeptMemory.ofHeap());
    }

    /** The same, with a limit of what its sessions may keep together. */
    SessionHub(
            final FeedSettings wanted,
            final int ownerThreads,
            final FeedClock time,
            final ThreadPlacement placing,
            final KeptMemory kept) {
        final FeedPlan plan = FeedPlan.of(wanted);
        settings = plan.settings();
        maker = new SessionMaker(settings, kept);
        this.time = time;
        final List<List<TickRing>> ringsByFeedThread = new ArrayList<>();
        for (int i = 0; i < settings.threads(); i++) {
            ringsByFeedThread.add(new ArrayList<>());
        }
        for (int i = 0; i < ownerThreads; i++) {
            final LastValues values = new LastValues(settings.symbols(), settings.messageBytes());
            final SessionThread owner =
                    new SessionThread(
                            time, placing, name(i), counts, values, settings.messageBytes(), kept);
            final List<TickRing> rings = new ArrayList<>();
            for (final List<TickRing> sinks : ringsByFeedThread) {
                final TickRing ring = new TickRing(settings.messageBytes());
                sinks.add(ring);
                rings.add(ring);
            }
            owner.read(rings);
            owners.add(owner);
        }
        feed = plan.feed(time, ringsByFeedThread, placing);
        owners.forEach(owner -> owner.source(feed::source));
    }

    private static String name(final int index) {
        return "sessions-" + (index + 1);
    }

    /** Admits clients; messages arrive once the feed is started. */
    public void open() {
        for (final SessionThread owner : owners) {
            threads.add(Thread.ofPlatform().name(name(threads.size())).daemon().start(owner));
        }
    }

    /**
     * Begins the feed.
     *
     * @param startNs when the first message is wanted
     */
    public void start(final long startNs) {
        feed.start(startNs);
    }

    /** Ends the feed; sessions stay. */
    public void stopFeed() {
        feed.close();
    }

    /**
     * Checks a client's request.
     *
     * @param wanted by the client
     * @throws UserError if it cannot be opened
     */
    public void check(final SessionSettings wanted) {
        maker.check(wanted);
    }

    /**
     * Opens a session. The outlet belongs to the owner from then on.
     *
     * @param wanted by the client
     * @param outlet to it
     * @param encoder of its frames
     * @return the session
     * @throws UserError if it cannot be opened
     */
    public Session open(
            final SessionSettings wanted, final Outlet outlet, final FrameEncoder encoder) {
        check(wanted);
        final SessionThread owner = owner();
        final Session session = maker.make(newId(), wanted, owner.values());
        try {
            command(
                    owner,
                    () -> {
                        owner.table().add(session, encoder);
                        connect(owner, session, outlet, encoder, 0);
                    });
        } catch (final UserError e) {
            session.release();
            throw e;
        }
        counts.live().opened().addShared(1);
        return session;
    }

    /**
     * Continues a guaranteed session on a new connection.
     *
     * @param id of the session
     * @param after number of the last message that the client has
     * @param outlet to it
     * @param encoder of its frames
     * @param found receives the session before anything is sent, or null where there is none of
     *     that name
     */
    public void resume(
            final String id,
            final long after,
            final Outlet outlet,
            final FrameEncoder encoder,
            final Consumer<Session> found) {
        find(
                id,
                (owner, session) -> {
                    if (session == null || !session.isGuaranteed()) {
                        found.accept(null);
                        return;
                    }
                    session.disconnect(
                            time.clock().nanoTime(),
                            new Ending(
                                    Ending.Kind.CLIENT_LEFT, "it continues on another connection"));
                    found.accept(session);
                    connect(owner, session, outlet, encoder, session.continueAfter(after));
                });
    }

    /**
     * The message to a client that requests to continue a session that is over.
     *
     * @param id of the session
     * @param after number of the last message that the client has
     * @return a note of the end, as JSON
     */
    public String noSuchSessionNote(final String id, final long after) {
        final SessionFigures figures = counts.overLimit(id);
        return figures == null
                ? "{\"note\":\"end\",\"reason\":\"There is no such session to continue: it was never guaranteed, or is over.\"}"
                : EndNote.overLimit(figures, Math.max(0, after));
    }

    /**
     * The message to a client that was admitted but still cannot have its session.
     *
     * @param reason as it was found
     * @return a note of the end, as JSON
     */
    public static String refusal(final UserError reason) {
        return EndNote.refused(Failure.words(reason) + ".");
    }

    private interface Finding {
        void accept(SessionThread owner, Session session);
    }

    private void find(final String id, final Finding finding) {
        find(id, 0, finding);
    }

    private void find(final String id, final int place, final Finding finding) {
        if (place == owners.size()) {
            finding.accept(null, null);
            return;
        }
        final SessionThread owner = owners.get(place);
        final Runnable look =
                () -> {
                    final Session session = owner.table().byId(id);
                    if (session == null) {
                        find(id, place + 1, finding);
                    } else {
                        finding.accept(owner, session);
                    }
                };
        if (place == 0) {
            command(owner, look);
        } else if (!owner.command(look)) {
            finding.accept(null, null); // the previous owner, which is calling, has others to serve
        }
    }

    private void connect(
            final SessionThread owner,
            final Session session,
            final Outlet outlet,
            final FrameEncoder encoder,
            final long missing) {
        final long nowNs = time.clock().nanoTime();
        try {
            session.connect(
                    new SessionConnection(outlet, encoder, session.settings(), owner.scratch()),
                    nowNs);
            owner.note(session, hello(session, missing));
        } catch (final RuntimeException | Error e) {
            session.fail(e);
        }
    }

    private String hello(final Session session, final long missing) {
        return ("{\"note\":\"hello\",\"session\":\"%s\",\"epochNs\":%d,\"host\":\"%s\",\"symbols\":%d,\"firstSymbol\":%d,"
                        + "\"symbolCount\":%d,\"messageBytes\":%d,\"missing\":%d}")
                .formatted(
                        session.id(),
                        time.epochNs(),
                        HostId.text(),
                        settings.symbols(),
                        session.firstSymbol(),
                        session.symbols(),
                        settings.messageBytes(),
                        missing);
    }

    /**
     * Ends at once sessions whose client does not read: something was sent to it, and it was silent
     * for two seconds.
     *
     * @return how many, when their owners have looked
     */
    public CompletableFuture<Integer> giveUpUnread() {
        CompletableFuture<Integer> all = CompletableFuture.completedFuture(0);
        for (final SessionThread owner : owners) {
            final CompletableFuture<Integer> given = new CompletableFuture<>();
            if (!owner.command(
                    () -> given.complete(owner.giveUp(HubLimits.SILENCE_OF_ONE_IN_THE_WAY_NS)))) {
                given.complete(
                        0); // it is overloaded, or has ended: it reports this to the opening client
            }
            all = all.thenCombine(given, Integer::sum);
        }
        return all;
    }

    /**
     * Whether the hub ends, so that no session can be opened: those that there are will be
     * notified. Any thread.
     *
     * @return true once {@link #close} has ended one of its threads; false for a hub that failed
     */
    public boolean isOver() {
        return owners.stream().anyMatch(each -> each.isOver() && each.failure().isEmpty());
    }

    /** Counts a client that was gone when its refusal had to be sent. */
    public void unnotified() {
        counts.live().unnotified().addShared(1);
    }

    /** Counts an answer with the time that a client did not take; its connection is closed. */
    public void clockUnanswered() {
        counts.live().clockUnanswered().addShared(1);
    }

    private synchronized SessionThread owner() {
        next = (next + 1) % owners.size();
        return owners.get(next);
    }

    private String newId() {
        final byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private static void command(final SessionThread owner, final Runnable command) {
        if (!owner.command(command)) {
            throw UserError.environment(whyNot(owner));
        }
    }

    private static String whyNot(final SessionThread owner) {
        if (!owner.failure().isEmpty()) {
            return "The server cannot continue (%s); restart the feed.".formatted(owner.failure());
        }
        return owner.isOver()
                ? "The server is ending; connect again when it is back."
                : "The server is overloaded; try again later.";
    }

    /**
     * Finds a session by name.
     *
     * @param id of the session
     * @return the session when its owner has looked, null where there is none
     */
    public CompletableFuture<Session> session(final String id) {
        final CompletableFuture<Session> found = new CompletableFuture<>();
        find(id, (_, session) -> found.complete(session));
        return found;
    }

    /**
     * The settings of the feed.
     *
     * @return settings
     */
    public FeedSettings settings() {
        return settings;
    }

    /**
     * Figures of the feed.
     *
     * @return figures
     */
    public FeedFigures feedFigures() {
        return feed.figures();
    }

    /**
     * What is known of the publisher of the feed's messages.
     *
     * @return its state
     */
    public SourceState source() {
        return feed.source();
    }

    /** Resets the maxima of the feed: a measurement begins. */
    public void forgetMaxima() {
        feed.forgetMaxima();
    }

    /**
     * Why a thread of the feed or of the sessions ended unexpectedly.
     *
     * @return words without a full stop, empty while all are running
     */
    public String failure() {
        for (final SessionThread owner : owners) {
            if (!owner.failure().isEmpty()) {
                return owner.failure();
            }
        }
        return feed.failure();
    }

    /**
     * Figures of the sessions.
     *
     * @return figures
     */
    public HubFigures figures() {
        return counts.figures();
    }

    /**
     * Names of the symbols.
     *
     * @return by number
     */
    public List<String> symbolNames() {
        return feed.symbolNames();
    }

    /**
     * The clock that all times are on.
     *
     * @return clock and epoch
     */
    public FeedClock time() {
        return time;
    }

    @Override
    public void close() {
        feed.close();
        owners.forEach(SessionThread::stop);
        Threads.join(threads);
        threads.clear();
    }

    /** Creates sessions of one feed, where a client's request can be met. Any thread. */
    private static final class SessionMaker {
        /**
         * Memory of a queue for each symbol, regardless of waiting messages: slots in its rings,
         * and times.
         */
        private static final int BYTES_PER_SYMBOL = 32;

        private static final int BYTES_PER_MB = 1_000_000;

        private final ConflationPolicies policies = new ConflationPolicies();
        private final FeedSettings feed;
        private final KeptMemory kept;

        /** A factory whose sessions share a limit. */
        SessionMaker(final FeedSettings feed, final KeptMemory kept) {
            this.feed = feed;
            this.kept = kept;
        }

        void check(final SessionSettings wanted) {
            policies.find(wanted.conflation());
            if (wanted.firstSymbol() + (long) Math.max(1, wanted.symbolCount()) > feed.symbols()) {
                throw UserError.usage(
                        "firstSymbol "
                                + wanted.firstSymbol()
                                + " and symbolCount "
                                + wanted.symbolCount()
                                + ": the feed has "
                                + feed.symbols()
                                + " symbols; ask for fewer.");
            }
        }

        /** A checked session; its owner releases it. */
        Session make(final String id, final SessionSettings wanted, final LastValues values) {
            final int count =
                    wanted.symbolCount() == 0
                            ? feed.symbols() - wanted.firstSymbol()
                            : wanted.symbolCount();
            final QueueContext context =
                    new QueueContext(
                            wanted.firstSymbol(),
                            count,
                            wanted.minGapNs(),
                            wanted.limitBytes(),
                            feed.messageBytes(),
                            values,
                            share(wanted, count));
            return new Session(id, wanted, context, queue(wanted, context));
        }

        private KeptMemory.Share share(final SessionSettings wanted, final int symbols) {
            final KeptMemory.Share share = kept.share();
            if (!share.take(
                    (long) wanted.windowFrames() * Long.BYTES + symbols * BYTES_PER_SYMBOL)) {
                throw UserError.environment(
                        ("The session memory of this server (%d MB) is exhausted; ask for fewer symbols or a smaller"
                                        + " window, or try again later.")
                                .formatted(kept.maxBytes() / BYTES_PER_MB));
            }
            return share;
        }

        private OutboundQueue queue(final SessionSettings wanted, final QueueContext context) {
            try {
                return policies.find(wanted.conflation()).queue(context);
            } catch (final RuntimeException | LinkageError e) {
                context.kept().release();
                throw UserError.environment(
                        "conflation policy '%s' failed: %s."
                                .formatted(wanted.conflation(), Failure.words(e)),
                        e);
            }
        }
    }

    /** Limits that keep sessions from existing for ever. */
    static final class HubLimits {
        /**
         * After this long without a sign, a client that owes acknowledgements, or is gone, is given
         * up.
         */
        static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(60);

        /** The same where others wait for the place. */
        static final long SILENCE_OF_ONE_IN_THE_WAY_NS = TimeUnit.SECONDS.toNanos(2);

        private HubLimits() {}
    }
}
