package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.source.Feed;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedFigures;
import io.tickmark.workloads.feed.source.FeedPlan;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.tickmark.workloads.feed.source.Threads;
import io.tickmark.workloads.feed.source.TickRing;
import io.tickmark.workloads.feed.tick.LastValues;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * One feed, and the threads that own the sessions it goes to. Any thread; what changes sessions is
 * handed to their owners.
 */
public final class SessionHub implements AutoCloseable {
    private static final int ID_BYTES = 16;

    private final FeedClock time;
    private final FeedSettings settings;
    private final ConflationPolicies policies = new ConflationPolicies();
    private final HubCounts counts = new HubCounts();
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
     * @param idle strategies, one for each thread
     */
    public SessionHub(
            final FeedSettings wanted,
            final int ownerThreads,
            final FeedClock time,
            final Supplier<IdleStrategy> idle) {
        final FeedPlan plan = FeedPlan.of(wanted);
        settings = plan.settings();
        this.time = time;
        final List<List<TickRing>> ringsByFeedThread = new ArrayList<>();
        for (int i = 0; i < settings.threads(); i++) {
            ringsByFeedThread.add(new ArrayList<>());
        }
        for (int i = 0; i < ownerThreads; i++) {
            final LastValues values = new LastValues(settings.symbols(), settings.messageBytes());
            final SessionThread owner = new SessionThread(time, idle.get(), counts, values);
            final List<TickRing> rings = new ArrayList<>();
            for (final List<TickRing> sinks : ringsByFeedThread) {
                final TickRing ring = new TickRing(settings.messageBytes());
                sinks.add(ring);
                rings.add(ring);
            }
            owner.read(rings);
            owners.add(owner);
        }
        feed = plan.feed(time, ringsByFeedThread, idle);
    }

    /** Lets clients in; messages come once the feed is started. */
    public void open() {
        for (final SessionThread owner : owners) {
            threads.add(
                    Thread.ofPlatform().name("sessions-" + threads.size()).daemon().start(owner));
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
     * Checks what a client wants.
     *
     * @param wanted by the client
     * @throws UserError where it cannot be had
     */
    public void check(final SessionSettings wanted) {
        policies.find(wanted.conflation());
        if (wanted.firstSymbol() + (long) Math.max(1, wanted.symbolCount()) > settings.symbols()) {
            throw UserError.usage(
                    "firstSymbol "
                            + wanted.firstSymbol()
                            + " and symbolCount "
                            + wanted.symbolCount()
                            + ": the feed has "
                            + settings.symbols()
                            + " symbols; ask for fewer.");
        }
    }

    /**
     * Opens a session. The outlet is the owner's from then on.
     *
     * @param wanted by the client
     * @param outlet to it
     * @param encoder of its frames
     * @return the session
     * @throws UserError where it cannot be had
     */
    public Session open(
            final SessionSettings wanted, final Outlet outlet, final FrameEncoder encoder) {
        check(wanted);
        final SessionThread owner = owner();
        final int count =
                wanted.symbolCount() == 0
                        ? settings.symbols() - wanted.firstSymbol()
                        : wanted.symbolCount();
        final Session session =
                new Session(
                        newId(),
                        wanted,
                        count,
                        settings.messageBytes(),
                        policies.find(wanted.conflation())
                                .queue(
                                        new QueueContext(
                                                wanted.firstSymbol(),
                                                count,
                                                wanted.minGapNs(),
                                                wanted.limitBytes(),
                                                settings.messageBytes(),
                                                owner.values())));
        counts.opened();
        command(
                owner,
                () -> {
                    owner.table().add(session);
                    connect(owner, session, outlet, encoder, 0);
                });
        return session;
    }

    /**
     * Continues a guaranteed session on a new connection.
     *
     * @param id of the session
     * @param after number of the last message that the client has
     * @param outlet to it
     * @param encoder of its frames
     * @param found gets the session, or null where there is none of that name
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
                    session.disconnect(time.clock().nanoTime());
                    connect(owner, session, outlet, encoder, session.continueAfter(after));
                    found.accept(session);
                });
    }

    /**
     * What is said to a client that wants to continue a session that is over.
     *
     * @param id of the session
     * @param after number of the last message that the client has
     * @return a note of the end, as JSON
     */
    public String farewell(final String id, final long after) {
        final SessionFigures figures = counts.overLimit(id);
        return figures == null
                ? "{\"note\":\"end\",\"reason\":\"There is no such session to continue: it was never guaranteed, or is over.\"}"
                : EndNote.overLimit(figures, Math.max(0, after));
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
        command(
                owner,
                () -> {
                    final Session session = owner.table().byId(id);
                    if (session == null) {
                        find(id, place + 1, finding);
                    } else {
                        finding.accept(owner, session);
                    }
                });
    }

    private void connect(
            final SessionThread owner,
            final Session session,
            final Outlet outlet,
            final FrameEncoder encoder,
            final long missing) {
        final long nowNs = time.clock().nanoTime();
        session.connect(
                new Connection(outlet, encoder, session.settings(), owner.scratch()), nowNs);
        owner.note(session, hello(session, missing));
    }

    private String hello(final Session session, final long missing) {
        return ("{\"note\":\"hello\",\"session\":\"%s\",\"epochNs\":%d,\"symbols\":%d,\"firstSymbol\":%d,"
                        + "\"symbolCount\":%d,\"messageBytes\":%d,\"missing\":%d}")
                .formatted(
                        session.id(),
                        time.epochNs(),
                        settings.symbols(),
                        session.firstSymbol(),
                        session.symbols(),
                        settings.messageBytes(),
                        missing);
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
            throw UserError.environment("The server has too much to do; try again later.");
        }
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
     * What the feed is made from.
     *
     * @return settings
     */
    public FeedSettings settings() {
        return settings;
    }

    /**
     * What the feed has done.
     *
     * @return figures
     */
    public FeedFigures feedFigures() {
        return feed.figures();
    }

    /**
     * What the sessions have done.
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
}
