package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import io.tickmark.workloads.feed.session.HubFigures.SessionHubCounts;
import io.tickmark.workloads.feed.session.SessionHub.HubLimits;
import io.tickmark.workloads.feed.source.Failure;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.SourceState;
import io.tickmark.workloads.feed.source.ThreadPlacement;
import io.tickmark.workloads.feed.source.TickRing;
import io.tickmark.workloads.feed.tick.LastValues;
import io.tickmark.workloads.feed.tick.Tick;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
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
                    "the client was silent, and others were waiting for its place");

    private final FeedClock time;
    private final ThreadPlacement placing;
    private final String name;
    private final Idle idle;
    private final StallWatch watch;
    private final SessionHubCounts counts;
    private final Scratch scratch;
    private final SessionTable table;
    private final Consumer<Session> flushMember = this::flushMember;
    private final MessageHandler onTick = (_, buffer, offset, _) -> onTick(buffer, offset);
    private final ManyToOneConcurrentArrayQueue<Runnable> commands =
            new ManyToOneConcurrentArrayQueue<>(COMMANDS);
    private final Failure failure = new Failure();
    private TickRing[] rings = {};
    private LastValues values;
    private Supplier<SourceState> source = () -> SourceState.NONE;
    private long nowNs;
    private final LongSupplier now = () -> nowNs;
    private long nextLookNs;
    private long nextStatusNs;
    private volatile boolean isStopped;
    private boolean isOver; // guarded by commands

    SessionThread(
            final FeedClock time,
            final ThreadPlacement placing,
            final String name,
            final SessionHubCounts counts,
            final LastValues values,
            final int messageBytes,
            final KeptMemory kept) {
        this.time = time;
        this.placing = placing;
        this.name = name;
        idle = placing.idle(name);
        watch = placing.watch(name, StallWatch.Part.FORWARD);
        idle.watch(watch);
        this.counts = counts;
        this.values = values;
        scratch = new Scratch(time.epochNs());
        table = new SessionTable(values.symbols(), messageBytes, kept);
    }

    /** To be done by this thread; false where it has too much to do, has failed, or is over. */
    boolean command(final Runnable command) {
        synchronized (commands) { // none may come after the last look at them
            return failure.words().isEmpty() && !isOver && commands.offer(command);
        }
    }

    /** Whether it was stopped and takes nothing more; any thread. */
    boolean isOver() {
        synchronized (commands) {
            return isOver;
        }
    }

    /** Why it ended unexpectedly, any thread; empty where it is running. */
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

    /** Who makes the messages; before it runs. */
    void source(final Supplier<SourceState> newSource) {
        source = newSource;
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
            placing.begin(name);
            watch.begin();
            while (!isStopped) {
                idle.idle(work());
            }
        } catch (final Throwable e) { // otherwise it would never be reported
            failure.keep(name, e);
        }
        watch.end();
        doWhatIsLeft();
        endAll(
                failure.words().isEmpty()
                        ? Ending.SERVER_ENDS
                        : new Ending(Ending.Kind.FAILED, failure.words()));
    }

    /** A client that came at the last moment has a session as well, and is notified as all are. */
    private void doWhatIsLeft() {
        synchronized (commands) {
            isOver = true;
        }
        for (Runnable left = commands.poll(); left != null; left = commands.poll()) {
            try {
                left.run();
            } catch (final RuntimeException | Error e) {
                failure.keep(name, e); // the others are to be done as well
            }
        }
    }

    private void endAll(final Ending ending) {
        for (final Session session : List.copyOf(table.all())) {
            try {
                end(session, ending);
            } catch (final RuntimeException | Error e) {
                failure.keep("the end of a session", e); // the others have to be notified
            }
        }
    }

    /** One turn; gives how much there was to do. */
    int work() {
        int work = commands.drain(Runnable::run, COMMANDS);
        nowNs = time.clock().nanoTime();
        watch.look(nowNs);
        watch.worked(); // encoding and writing are not stalls
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
        final SharedLog[] logs = table.logsOf(symbol);
        for (int i = 0; i < logs.length; i++) {
            logs[i].append(symbol, buffer, offset, nowNs);
            final List<Session> others = logs[i].others();
            for (int j = 0; j < others.size(); j++) {
                offer(others.get(j), symbol, buffer, offset);
            }
        }
        final Session[] sessions = table.of(symbol);
        for (int i = 0; i < sessions.length; i++) {
            offer(sessions[i], symbol, buffer, offset);
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
        table.list(session);
    }

    /** Lets sessions with pending messages send; those without leave the list. */
    private int pump() {
        nowNs = time.clock().nanoTime();
        int work = 0;
        final List<SharedLog> logs = table.logs();
        for (int i = logs.size() - 1; i >= 0; i--) {
            work += logs.get(i).flush(now, flushMember);
        }
        final List<Session> active = table.active();
        for (int i = active.size() - 1; i >= 0; i--) {
            final Session session = active.get(i);
            final long wakeNs = wakeNs(session);
            if (wakeNs <= nowNs && !session.isEnded()) {
                work += pump(session, true) ? 1 : 0;
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

    private void flushMember(final Session session) {
        pump(session, true);
        if (session.isEnded()) {
            end(session, session.ended());
        }
        nowNs = time.clock().nanoTime();
    }

    private static long wakeNs(final Session session) {
        try {
            return session.wakeNs();
        } catch (final RuntimeException | Error e) {
            session.fail(e);
            return Long.MAX_VALUE;
        }
    }

    private boolean pump(final Session session, final boolean isTimeForMembers) {
        try {
            return session.pump(nowNs, isTimeForMembers);
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

    /** Ends those whose client owes an action and was silent for too long; own thread. */
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

    /** Less urgent work: acknowledgements of idle clients, requests to end, status, silence. */
    private void look() {
        final boolean isStatus = nowNs - nextStatusNs >= 0;
        nextStatusNs = isStatus ? nowNs + STATUS_NS : nextStatusNs;
        for (final Session session : table.all()) {
            if (session.isConnected() && !session.isEnded()) {
                pump(session, false);
            }
            if (isStatus && !session.isEnded()) {
                note(session, "{\"note\":\"status\"," + figures(session).json() + "}");
            }
            if (session.mayEnd(nowNs)) {
                session.end(session.wish());
            } else if (session.isSilent(nowNs, HubLimits.SILENCE_NS)) {
                session.end(new Ending(Ending.Kind.SILENT, "the client was silent"));
            }
            session.count(counts.live());
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
        session.count(counts.live());
        counts.ended(session.id(), ending.kind(), figures);
        if (!note(session, EndNote.of(ending, figures, source.get()))
                && ending.kind() != Ending.Kind.BROKEN) {
            counts.live().unnotified().addShared(1);
        }
        session.disconnect(nowNs, ending);
    }

    /** The sessions of one owner thread: all, by symbol, and those with pending messages. */
    static final class SessionTable {
        private static final Session[] NONE = {};
        private static final SharedLog[] NO_LOG = {};

        private final List<Session> all = new ArrayList<>();
        private final List<Session> active = new ArrayList<>();
        private final Map<String, Session> byId = new HashMap<>();
        private final Session[][] bySymbol;
        private final SharedLog[][] logsBySymbol;
        private final Map<SharedLog.Key, SharedLog> logsByKey = new HashMap<>();
        private final List<SharedLog> logs = new ArrayList<>();
        private final int messageBytes;
        private final KeptMemory kept;

        SessionTable(final int symbols, final int messageBytes, final KeptMemory kept) {
            this.messageBytes = messageBytes;
            this.kept = kept;
            bySymbol = new Session[symbols][];
            Arrays.fill(bySymbol, NONE);
            logsBySymbol = new SharedLog[symbols][];
            Arrays.fill(logsBySymbol, NO_LOG);
        }

        void add(final Session session, final FrameEncoder encoder) {
            all.add(session);
            byId.put(session.id(), session);
            session.share(logFor(session, encoder));
            if (session.shared() == null) {
                add(bySymbol, session, session.firstSymbol(), session.symbols());
            } else {
                session.shared().open(session);
            }
        }

        /** The log of all with the same subscription; null where it cannot be shared. */
        private SharedLog logFor(final Session session, final FrameEncoder encoder) {
            if (session.sharing() == OutboundQueue.Sharing.NONE) {
                return null;
            }
            final SharedLog.Key key =
                    new SharedLog.Key(
                            encoder.getClass(),
                            session.sharing(),
                            session.settings().flush().toNanos(),
                            session.firstSymbol(),
                            session.symbols());
            final SharedLog known = logsByKey.get(key);
            if (known != null) {
                return known;
            }
            final KeptMemory.Share share = kept.share();
            if (!share.take(SharedLog.bytesFor(key, encoder, messageBytes))) {
                return null; // its own queue suffices
            }
            final SharedLog log = new SharedLog(key, encoder, messageBytes, share, this::list);
            logsByKey.put(key, log);
            logs.add(log);
            add(logsBySymbol, log, session.firstSymbol(), session.symbols());
            return log;
        }

        private static <T> void add(
                final T[][] lists, final T one, final int from, final int count) {
            for (int symbol = from; symbol < from + count; symbol++) {
                final T[] before = lists[symbol];
                lists[symbol] = Arrays.copyOf(before, before.length + 1);
                lists[symbol][before.length] = one;
            }
        }

        private static <T> void remove(
                final T[][] lists, final T one, final int from, final int count) {
            for (int symbol = from; symbol < from + count; symbol++) {
                final T[] before = lists[symbol];
                int at = 0;
                while (before[at] != one) {
                    at++;
                }
                lists[symbol] = Arrays.copyOf(before, before.length - 1);
                System.arraycopy(before, at + 1, lists[symbol], at, before.length - at - 1);
            }
        }

        /** False where it was not one of them. */
        boolean remove(final Session session) {
            if (byId.remove(session.id()) == null) {
                return false;
            }
            all.remove(session);
            active.remove(session);
            final SharedLog log = session.shared();
            if (log == null) {
                remove(bySymbol, session, session.firstSymbol(), session.symbols());
            } else if (!log.close(session)) {
                logsByKey.remove(log.key());
                logs.remove(log);
                remove(logsBySymbol, log, session.firstSymbol(), session.symbols());
                log.release();
            }
            return true;
        }

        /** The logs whose sessions receive that symbol. */
        SharedLog[] logsOf(final int symbol) {
            return logsBySymbol[symbol];
        }

        List<SharedLog> logs() {
            return logs;
        }

        Session byId(final String id) {
            return byId.get(id);
        }

        /** The sessions that share nothing and receive that symbol. */
        Session[] of(final int symbol) {
            return bySymbol[symbol];
        }

        List<Session> all() {
            return all;
        }

        List<Session> active() {
            return active;
        }

        void list(final Session session) {
            if (!session.isListed()) {
                session.list(true);
                active.add(session);
            }
        }

        /** Takes one out of the active; the last takes its place. */
        void unlist(final int place) {
            final Session session = active.get(place);
            session.list(false);
            final Session last = active.removeLast();
            if (last != session) {
                active.set(place, last);
            }
        }
    }
}
