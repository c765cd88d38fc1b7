package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.session.HubFigures.SessionCounts;
import io.tickmark.workloads.feed.source.Failure;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The session of one client. Its owner thread does everything; other threads only deposit
 * acknowledgements, pongs and the request to end. Allocates nothing for a message.
 */
public final class Session implements OutboundQueue.Receiver {
    private static final long NONE = -1;

    /** A requested end waits this long for a connection that accepts its figures. */
    private static final long LAST_WORDS_NS = 5_000_000_000L;

    private final String id;
    private final SessionSettings settings;
    private final int firstSymbol;
    private final int symbols;
    private final Store store;
    private final KeptMemory.Share kept;
    private final long flushNs;
    private final AtomicLong ackedFrame = new AtomicLong();
    private final AtomicLong ackedOrdinal = new AtomicLong();
    private final AtomicLong signs = new AtomicLong();
    private final AtomicReference<byte[]> raw = new AtomicReference<>();
    private volatile Ending requestedEnd;
    private volatile boolean isToSayHowItEnds;
    private OutboundQueue queue;
    private SharedLog shared;
    private boolean isMember;
    private long place;
    private long sharedMerged;
    private SessionConnection connection;
    private Ending ended;
    private long offered;
    private long heldBack;
    private long refused;
    private long sent;
    private long sentBefore;
    private long nextFlushNs;
    private long readySinceNs;
    private long flushes;
    private long flushesBefore;
    private long lateFlushes;
    private long lateFlushesBefore;
    private long lastAckedFrame = NONE;
    private long lastSigns;
    private long heardNs;
    private long lastWordsNs = NONE;
    private boolean isListed;

    Session(
            final String id,
            final SessionSettings settings,
            final QueueContext context,
            final OutboundQueue queue) {
        this.id = id;
        this.settings = settings;
        this.queue = queue;
        symbols = context.symbols();
        firstSymbol = context.firstSymbol();
        kept = context.kept();
        flushNs = settings.flush().toNanos();
        store =
                settings.guaranteed()
                        ? new Store(context.messageBytes(), settings.limitBytes(), kept)
                        : null;
    }

    /** How its output may be shared with others. */
    OutboundQueue.Sharing sharing() {
        return store == null ? queue.sharing() : OutboundQueue.Sharing.NONE;
    }

    /** Others are sent the same. */
    void share(final SharedLog with) {
        shared = with;
    }

    /** What it shares with others; null where it shares nothing. */
    SharedLog shared() {
        return shared;
    }

    /** Whether it is sent messages from the log, and is not offered any. */
    boolean isMember() {
        return isMember;
    }

    /** For a member: its next message. */
    long place() {
        return place;
    }

    long nextFlushNs() {
        return nextFlushNs;
    }

    /** A client connected, for the first time or again. */
    void connect(final SessionConnection to, final long nowNs) {
        connection = to;
        ackedFrame.set(0);
        lastAckedFrame = 0;
        heardNs = nowNs;
        // sessions that begin together do not flush together
        nextFlushNs = flushNs == 0 ? nowNs : nowNs + Math.floorMod(id.hashCode(), flushNs);
    }

    /** The connection is gone; a guaranteed session waits for the next. */
    void disconnect(final long nowNs, final Ending why) {
        if (connection != null) {
            connection.close(why);
            connection = null;
            heardNs = nowNs;
        }
    }

    /**
     * Continues after a number that the client names; gives the numbers that are gone for ever, 0
     * where none.
     */
    long continueAfter(final long ordinal) {
        store.acknowledged(ordinal);
        final long missing = Math.max(0, store.first() - 1 - Math.max(0, ordinal));
        sent = Math.max(ordinal, store.first() - 1);
        return missing;
    }

    /** A message of one of its symbols; false where there is no room for it. */
    boolean offer(final int symbol, final DirectBuffer buffer, final int offset, final long nowNs) {
        final boolean isOpen = connection != null && connection.isOpen();
        heldBack += isOpen ? 0 : 1;
        return keep(symbol, buffer, offset, nowNs, isOpen);
    }

    private boolean keep(
            final int symbol,
            final DirectBuffer buffer,
            final int offset,
            final long nowNs,
            final boolean isOpen) {
        offered++;
        if (flushNs > 0 && queue.dueNs() > nowNs) {
            readySinceNs = nowNs; // until now nothing could have been sent
        }
        if (queue.offer(symbol, buffer, offset, nowNs, isOpen)) {
            return true;
        }
        refused++;
        return false;
    }

    /** Sends what may be sent. */
    boolean pump(final long nowNs) throws IOException {
        return pump(nowNs, true);
    }

    /** The same, without the messages of a member where they go at their own time. */
    boolean pump(final long nowNs, final boolean isTimeForMembers) throws IOException {
        if (connection == null) {
            if (store != null) {
                fillStore(nowNs);
            }
            return false;
        }
        if (!acknowledge(nowNs) || !connection.begin(nowNs)) {
            readySinceNs = nowNs; // it is the client that is not ready
            if (isMember) {
                leave(nowNs);
            }
            return false;
        }
        if (raw.getPlain() != null) {
            connection.raw(raw.getAndSet(null));
        }
        final boolean isTime =
                nowNs - nextFlushNs >= 0 && !isToSayHowItEnds && (isTimeForMembers || !isMember);
        if (isTime) {
            final long readyNs = readyNs();
            final long sentSoFar = sent;
            send(nowNs);
            if (flushNs > 0 && sent > sentSoFar) {
                countFlush(nowNs, readyNs);
            }
            readySinceNs = nowNs;
            nextFlushNs = nextFlushAfter(nowNs);
        }
        final boolean isSomething = connection.end();
        if (isMember) {
            if (isToSayHowItEnds || !connection.isOpen() || isTime && place < shared.end()) {
                leave(nowNs);
            }
        } else if (isTime
                && shared != null
                && ended == null
                && queue.waiting() == 0
                && connection.isOpen()) {
            place = shared.join(this);
            isMember = true;
        }
        return isSomething;
    }

    /** When the first of its pending messages could have been sent. */
    private long readyNs() {
        if (isMember) {
            return place < shared.end()
                    ? Math.max(readySinceNs, shared.cameNs(place))
                    : readySinceNs;
        }
        final long dueNs = queue.dueNs();
        return dueNs == Long.MIN_VALUE ? readySinceNs : dueNs;
    }

    /** Returns to its own queue, with what it has not sent. */
    void leave(final long nowNs) {
        final long end = shared.end();
        if (place < end) {
            readySinceNs = Math.max(readySinceNs, shared.cameNs(place));
        }
        final long since = readySinceNs;
        shared.leave(this);
        isMember = false;
        boolean isKept = true;
        while (place < end) {
            isKept &=
                    keep(
                            shared.symbol(place),
                            shared.messages(),
                            shared.offset(place),
                            nowNs,
                            true);
            place++;
        }
        readySinceNs = since;
        if (!isKept) {
            end(Ending.LIMIT);
        }
    }

    /** One that is late by whole intervals missed times of its grid, which are not made up for. */
    private void countFlush(final long nowNs, final long readyNs) {
        flushes++;
        lateFlushes += nowNs - Math.max(nextFlushNs, readyNs) >= flushNs ? 1 : 0;
    }

    /** On its own grid also after a delay, otherwise all sessions would flush together. */
    private long nextFlushAfter(final long nowNs) {
        return flushNs == 0 ? nowNs : nextFlushNs + ((nowNs - nextFlushNs) / flushNs + 1) * flushNs;
    }

    private void send(final long nowNs) throws IOException {
        if (isMember) {
            sendShared();
            return;
        }
        if (store == null) {
            queue.drain(nowNs, this);
            return;
        }
        fillStore(nowNs);
        while (sent < store.last()
                && connection.take(store.buffer(), store.offset(sent + 1), sent + 1)) {
            sent++;
        }
    }

    private void sendShared() throws IOException {
        final long end = shared.end();
        if (place == end) {
            return;
        }
        while (place < end) {
            final long run = shared.runEnd(place);
            if (run == place) {
                sharedMerged++;
                offered++;
                place++;
                continue;
            }
            final long next = connection.take(shared, place, run, sent + 1);
            sent += next - place;
            offered += next - place;
            place = next;
            if (next < run) {
                return;
            }
        }
        shared.caughtUp();
    }

    /** Guaranteed messages are kept until they are acknowledged; a full store ends the session. */
    private void fillStore(final long nowNs) {
        queue.drain(nowNs, store);
        if (store.wasFull()) {
            end(Ending.LIMIT);
        }
    }

    @Override
    public boolean take(final DirectBuffer buffer, final int offset) {
        try {
            if (!connection.take(buffer, offset, sent + 1)) {
                return false;
            }
        } catch (final IOException e) {
            end(Ending.BROKEN);
            return false;
        }
        sent++;
        return true;
    }

    /** Takes note of the signs that came since it last looked. */
    private void hear(final long nowNs) {
        final long signsNow = signs.getAcquire();
        if (signsNow != lastSigns) {
            lastSigns = signsNow;
            heardNs = nowNs;
        }
    }

    private boolean acknowledge(final long nowNs) {
        hear(nowNs);
        if (!isOwed()) { // it may be silent: its time begins with the next frame
            heardNs = nowNs;
        }
        final long frame = ackedFrame.getAcquire();
        if (frame != lastAckedFrame) {
            lastAckedFrame = frame;
            if (!connection.acknowledged(frame)) {
                end(
                        new Ending(
                                Ending.Kind.MISBEHAVED,
                                "it acknowledged a frame that was not sent"));
                return false;
            }
            if (store != null) {
                store.acknowledged(Math.min(ackedOrdinal.getAcquire(), sent));
            }
        }
        return true;
    }

    /** When it has to be pumped next. */
    long wakeNs() {
        if (isMember) {
            return Long.MAX_VALUE; // the log knows
        }
        if (raw.getPlain() != null) {
            return Long.MIN_VALUE;
        }
        final long due = store != null && sent < store.last() ? Long.MIN_VALUE : queue.dueNs();
        return due == Long.MAX_VALUE ? due : Math.max(due, nextFlushNs);
    }

    /** A note to the client; false where it can take none now. */
    boolean note(final long nowNs, final String json) throws IOException {
        if (connection == null || !connection.begin(nowNs)) {
            return false;
        }
        connection.note(json);
        connection.end();
        if (isMember && !connection.isOpen()) {
            leave(nowNs);
        }
        return true;
    }

    /**
     * The client acknowledged; any thread, one at a time.
     *
     * @param frame number of the last frame that it has worked through
     * @param ordinal number of the last message
     */
    public void acknowledge(final long frame, final long ordinal) {
        ackedOrdinal.setRelease(Math.max(ackedOrdinal.getPlain(), ordinal));
        ackedFrame.setRelease(Math.max(ackedFrame.getPlain(), frame));
        signs.setRelease(signs.getPlain() + 1);
    }

    /**
     * Bytes to be put between frames, such as a pong; any thread. Earlier bytes that were not sent
     * are replaced.
     *
     * @param bytes whole frames
     */
    public void leave(final byte[] bytes) {
        raw.set(bytes);
    }

    /**
     * Requests the end; any thread.
     *
     * @param ending to count and to report to the client
     */
    public void requestEnd(final Ending ending) {
        requestedEnd = ending;
    }

    /** The client requests its last figures, and then the end; any thread. */
    public void finish() {
        isToSayHowItEnds = true;
        requestedEnd = Ending.ASKED_FOR;
    }

    /**
     * Whether its request to end can be met: a client that requested the last figures gets them as
     * soon as its connection accepts them, for example with a poll.
     */
    boolean mayEnd(final long nowNs) {
        if (requestedEnd == null) {
            return false;
        }
        return !isToSayHowItEnds
                || connection == null
                || connection.isClear()
                || isTiredOfWaiting(nowNs);
    }

    private boolean isTiredOfWaiting(final long nowNs) {
        lastWordsNs = lastWordsNs == NONE ? nowNs + LAST_WORDS_NS : lastWordsNs;
        return nowNs - lastWordsNs >= 0;
    }

    /**
     * Whether the client can be notified how it ends: one that received nothing for long has a full
     * socket, and gets another moment.
     */
    boolean canBeTold(final long nowNs) {
        try {
            return connection == null || connection.begin(nowNs) || isTiredOfWaiting(nowNs);
        } catch (final IOException _) {
            return true; // there is no client any more
        }
    }

    Ending wish() {
        return requestedEnd;
    }

    void end(final Ending ending) {
        if (ended == null) {
            ended = ending;
        }
    }

    boolean isEnded() {
        return ended != null;
    }

    /** Null while it continues. */
    Ending ended() {
        return ended;
    }

    SessionFigures figures() {
        long ahead = 0;
        long replaced = 0;
        if (isMember) {
            ahead = shared.end() - place;
            for (long at = place; at < shared.end(); at++) {
                replaced += shared.isReplaced(at) ? 1 : 0;
            }
        }
        return new SessionFigures(
                offered + ahead,
                sent,
                queue.merged() + sharedMerged + replaced,
                queue.dropped(),
                queue.waiting()
                        + ahead
                        - replaced
                        + refused
                        + (store == null ? 0 : store.last() - sent),
                connection == null ? 0 : connection.bytesOnTheWay(),
                flushes,
                lateFlushes,
                heldBack);
    }

    /** Adds what was sent, flushed, and late, since the last call. */
    void count(final SessionCounts counts) {
        counts.sent().addShared(Math.max(0, sent - sentBefore));
        sentBefore = sent;
        counts.flushes().addShared(flushes - flushesBefore);
        counts.lateFlushes().addShared(lateFlushes - lateFlushesBefore);
        flushesBefore = flushes;
        lateFlushesBefore = lateFlushes;
    }

    /**
     * Silence for this long while something waits for an acknowledgement, or for a client. What was
     * heard while the thread of the session stood counts as heard now.
     */
    boolean isSilent(final long nowNs, final long patienceNs) {
        hear(nowNs);
        return isOwed() && nowNs - heardNs > patienceNs;
    }

    /** Whether the client has to act: connect, receive, or acknowledge. */
    private boolean isOwed() {
        return connection == null || !connection.isAllAcknowledged() || !connection.isClear();
    }

    /**
     * Part of it failed, for example a user's own policy: only this session ends. A gathered frame
     * is sent first.
     */
    void fail(final Throwable cause) {
        end(
                new Ending(
                        Ending.Kind.FAILED,
                        "it failed, with the conflation policy '%s': %s"
                                .formatted(settings.conflation(), Failure.words(cause))));
        refused = offered - (store == null ? sent : store.last());
        queue = NoQueue.INSTANCE;
        try {
            if (connection != null) {
                connection.end();
            }
        } catch (final IOException | RuntimeException _) {
            connection.close(Ending.BROKEN); // so it cannot be notified
            connection = null;
        }
    }

    /** Releases its memory for others. */
    void release() {
        kept.release();
    }

    boolean isConnected() {
        return connection != null;
    }

    boolean isGuaranteed() {
        return store != null;
    }

    /**
     * The settings it was opened with.
     *
     * @return settings
     */
    public SessionSettings settings() {
        return settings;
    }

    /**
     * Its name, which cannot be guessed.
     *
     * @return hexadecimal digits
     */
    public String id() {
        return id;
    }

    int firstSymbol() {
        return firstSymbol;
    }

    int symbols() {
        return symbols;
    }

    boolean isListed() {
        return isListed;
    }

    void list(final boolean listed) {
        isListed = listed;
    }

    /** In place of a queue that failed, until its session has ended: keeps nothing, has nothing. */
    private enum NoQueue implements OutboundQueue {
        /** It has no state. */
        INSTANCE;

        @Override
        public boolean offer(
                final int symbol,
                final DirectBuffer buffer,
                final int offset,
                final long nowNs,
                final boolean isOpen) {
            return false;
        }

        @Override
        public void drain(final long nowNs, final Receiver receiver) {
            // there is nothing
        }

        @Override
        public long dueNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public long merged() {
            return 0;
        }

        @Override
        public long dropped() {
            return 0;
        }

        @Override
        public long waiting() {
            return 0;
        }
    }

    /**
     * Messages kept until they are acknowledged, by number: a ring within a bound. Single-threaded;
     * allocates only while it grows.
     */
    private static final class Store implements OutboundQueue.Receiver {
        private static final int FIRST_CAPACITY = 256;

        private final int messageBytes;
        private final int maxMessages;
        private final KeptMemory.Share kept;
        private UnsafeBuffer ring;
        private int capacity;
        private long first = 1;
        private long last;
        private boolean wasFull;

        Store(final int messageBytes, final long maxBytes, final KeptMemory.Share kept) {
            this.messageBytes = messageBytes;
            this.kept = kept;
            maxMessages =
                    (int)
                            Math.min(
                                    Integer.MAX_VALUE / messageBytes,
                                    Math.max(1, maxBytes / messageBytes));
            capacity = Math.min(FIRST_CAPACITY, maxMessages);
            ring = new UnsafeBuffer(new byte[capacity * messageBytes]);
        }

        /** Keeps a message under the next number; false where the store is full. */
        @Override
        public boolean take(final DirectBuffer buffer, final int offset) {
            if (size() == capacity && !grow()) {
                wasFull = true;
                return false;
            }
            last++;
            ring.putBytes(offset(last), buffer, offset, messageBytes);
            return true;
        }

        private boolean grow() {
            if (capacity == maxMessages) {
                return false;
            }
            final int larger = (int) Math.min(maxMessages, 2L * capacity);
            if (!kept.take((larger - capacity) * (long) messageBytes)) {
                return false;
            }
            final UnsafeBuffer to = new UnsafeBuffer(new byte[larger * messageBytes]);
            for (long ordinal = first; ordinal <= last; ordinal++) {
                to.putBytes(
                        (int) (ordinal % larger) * messageBytes,
                        ring,
                        offset(ordinal),
                        messageBytes);
            }
            ring = to;
            capacity = larger;
            return true;
        }

        /** Frees all up to this number. */
        void acknowledged(final long ordinal) {
            first = Math.max(first, Math.min(ordinal, last) + 1);
        }

        DirectBuffer buffer() {
            return ring;
        }

        int offset(final long ordinal) {
            return (int) (ordinal % capacity) * messageBytes;
        }

        long first() {
            return first;
        }

        long last() {
            return last;
        }

        /** Whether there was no room for a message. */
        boolean wasFull() {
            return wasFull;
        }

        int size() {
            return (int) (last - first + 1);
        }
    }
}
