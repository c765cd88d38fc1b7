package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.source.Failure;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.TickRing;
import io.tickmark.workloads.feed.tick.LastValues;
import io.tickmark.workloads.feed.tick.Tick;
import java.io.IOException;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.MessageHandler;

/**
 * The one owner of some sessions: reads the feed's messages, offers each to the sessions of its
 * symbol, and lets them send. Others reach it through commands only.
 */
final class SessionThread implements Runnable {
    private static final int READ_LIMIT = 256;
    private static final int COMMANDS = 8192;
    private static final long STATUS_NS = 1_000_000_000;
    private static final long LOOK_NS = 20_000_000;
    private static final Ending GIVEN_UP =
            new Ending(
                    Ending.Kind.GIVEN_UP,
                    "nothing was heard of the client, and others wait for its place");

    private final FeedClock time;
    private final IdleStrategy idle;
    private final HubCounts counts;
    private final Scratch scratch;
    private final SessionTable table;
    private final MessageHandler onTick = (_, buffer, offset, _) -> onTick(buffer, offset);
    private final ManyToOneConcurrentArrayQueue<Runnable> commands =
            new ManyToOneConcurrentArrayQueue<>(COMMANDS);
    private final Failure failure = new Failure();
    private TickRing[] rings = {};
    private LastValues values;
    private long nowNs;
    private long nextLookNs;
    private long nextStatusNs;
    private volatile boolean isStopped;

    SessionThread(
            final FeedClock time,
            final IdleStrategy idle,
            final HubCounts counts,
            final LastValues values) {
        this.time = time;
        this.idle = idle;
        this.counts = counts;
        this.values = values;
        scratch = new Scratch(time.epochNs());
        table = new SessionTable(values.symbols());
    }

    /** To be done by this thread; false where it has too much to do, or has failed. */
    boolean command(final Runnable command) {
        return failure.words().isEmpty() && commands.offer(command);
    }

    /** Why it ended that should have gone on, any thread; empty where it goes on. */
    String failure() {
        return failure.words();
    }

    void stop() {
        isStopped = true;
    }

    /** Another feed with the same symbols; own thread. */
    void read(final List<TickRing> from) {
        rings = from.toArray(TickRing[]::new);
    }

    LastValues values() {
        return values;
    }

    Scratch scratch() {
        return scratch;
    }

    SessionTable table() {
        return table;
    }

    @Override
    public void run() {
        try {
            while (!isStopped) {
                idle.idle(work());
            }
        } catch (final Throwable e) { // nobody would ever hear of it
            failure.keep(Thread.currentThread().getName(), e);
        }
        endAll(
                failure.words().isEmpty()
                        ? Ending.SERVER_ENDS
                        : new Ending(Ending.Kind.FAILED, failure.words()));
    }

    private void endAll(final Ending ending) {
        for (final Session session : List.copyOf(table.all())) {
            try {
                end(session, ending);
            } catch (final RuntimeException | Error e) {
                failure.keep("the end of a session", e); // the others are to be told
            }
        }
    }

    private int work() {
        int work = commands.drain(Runnable::run, COMMANDS);
        nowNs = time.clock().nanoTime();
        for (final TickRing ring : rings) {
            work += ring.read(onTick, READ_LIMIT);
        }
        work += pump();
        if (nowNs - nextLookNs >= 0) {
            nextLookNs = nowNs + LOOK_NS;
            look();
        }
        return work;
    }

    private void onTick(final DirectBuffer buffer, final int offset) {
        final int symbol = Tick.symbol(buffer, offset);
        values.put(symbol, buffer, offset);
        final Session[] sessions = table.of(symbol);
        for (int i = 0; i < sessions.length; i++) {
            offer(sessions[i], symbol, buffer, offset);
            table.list(sessions[i]);
        }
    }

    private void offer(
            final Session session, final int symbol, final DirectBuffer buffer, final int offset) {
        try {
            if (!session.offer(symbol, buffer, offset, nowNs)) {
                session.end(Ending.LIMIT);
            }
        } catch (final RuntimeException | Error e) {
            session.fail(e);
        }
    }

    /** Lets those send that have something; those that have nothing any more leave the list. */
    private int pump() {
        nowNs = time.clock().nanoTime();
        int work = 0;
        final List<Session> active = table.active();
        for (int i = active.size() - 1; i >= 0; i--) {
            final Session session = active.get(i);
            final long wakeNs = wakeNs(session);
            if (wakeNs <= nowNs && !session.isEnded()) {
                work += pump(session) ? 1 : 0;
                nowNs = time.clock().nanoTime();
            } else if (wakeNs == Long.MAX_VALUE) {
                table.unlist(i);
            }
            if (session.isEnded()) {
                end(session, session.ended());
            }
        }
        return work;
    }

    private static long wakeNs(final Session session) {
        try {
            return session.wakeNs();
        } catch (final RuntimeException | Error e) {
            session.fail(e);
            return Long.MAX_VALUE;
        }
    }

    private boolean pump(final Session session) {
        try {
            return session.pump(nowNs);
        } catch (final IOException e) {
            broken(session);
        } catch (final RuntimeException | Error e) {
            session.fail(e);
        }
        return false;
    }

    private static SessionFigures figures(final Session session) {
        try {
            return session.figures();
        } catch (final RuntimeException | Error e) {
            session.fail(e);
            return session.figures();
        }
    }

    /** A guaranteed session waits for its client; any other is over. */
    private void broken(final Session session) {
        if (session.isGuaranteed()) {
            session.disconnect(nowNs, Ending.BROKEN);
        } else {
            session.end(Ending.BROKEN);
        }
    }

    /** Ends those whose client owes something and was not heard for so long; own thread. */
    int giveUp(final long patienceNs) {
        nowNs = time.clock().nanoTime();
        int given = 0;
        for (final Session session : List.copyOf(table.all())) {
            if (!session.isEnded() && session.isSilent(nowNs, patienceNs)) {
                session.end(GIVEN_UP);
                end(session, GIVEN_UP);
                given++;
            }
        }
        return given;
    }

    /** What needs no haste: acknowledgements of the idle, wishes, status, silence. */
    private void look() {
        final boolean isStatus = nowNs - nextStatusNs >= 0;
        nextStatusNs = isStatus ? nowNs + STATUS_NS : nextStatusNs;
        for (final Session session : table.all()) {
            if (session.isConnected() && !session.isEnded()) {
                pump(session);
            }
            if (isStatus && !session.isEnded()) {
                note(session, "{\"note\":\"status\"," + figures(session).json() + "}");
            }
            if (session.mayEnd(nowNs)) {
                session.end(session.wish());
            } else if (session.isSilent(nowNs, HubLimits.SILENCE_NS)) {
                session.end(new Ending(Ending.Kind.SILENT, "nothing was heard of the client"));
            }
            counts.sent(session.takeSent());
            session.tellFlushes(counts);
        }
        for (final Session session : List.copyOf(table.all())) {
            if (session.isEnded()) {
                end(session, session.ended());
            }
        }
    }

    /** A note to a client; own thread. False where the client can take none. */
    boolean note(final Session session, final String json) {
        try {
            return session.note(nowNs, json);
        } catch (final IOException e) {
            broken(session);
            return false;
        }
    }

    private void end(final Session session, final Ending ending) {
        if (ending.kind() == Ending.Kind.LIMIT && !session.canBeTold(nowNs)
                || !table.remove(session)) {
            return;
        }
        final SessionFigures figures = figures(session);
        session.release();
        counts.sent(session.takeSent());
        session.tellFlushes(counts);
        counts.ended(session.id(), ending.kind(), figures);
        if (!note(session, EndNote.of(ending, figures)) && ending.kind() != Ending.Kind.BROKEN) {
            counts.untold();
        }
        session.disconnect(nowNs, ending);
    }
}
