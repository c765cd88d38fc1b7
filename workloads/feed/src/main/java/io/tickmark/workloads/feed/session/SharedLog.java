package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The last messages of some symbols, encoded once for all sessions with the same subscription: each
 * member has its position in the log and sends what follows, so that a message costs a session no
 * more than its bytes. A member whose client does not keep up leaves, and its unsent messages are
 * moved to its own queue; once that is empty and its client is ready, it returns. Owner thread
 * only; allocates only while it grows.
 */
final class SharedLog {
    /**
     * Sessions with equal keys share a log.
     *
     * @param encoder that makes equal bytes
     * @param sharing whether earlier messages of a symbol are left out
     * @param flushNs interval, 0 for none
     * @param firstSymbol of those in it
     * @param symbols how many they are
     */
    record Key(
            Class<? extends FrameEncoder> encoder,
            OutboundQueue.Sharing sharing,
            long flushNs,
            int firstSymbol,
            int symbols) {}

    private static final int FIRST_ENTRIES = 16;
    private static final int MAX_ENTRIES = 8192;
    private static final int MAX_BYTES = 1 << 20;
    private static final int BYTES_PER_ENTRY = 2 * Integer.BYTES + Long.BYTES;

    private final Key key;
    private final FrameEncoder encoder;
    private final int messageBytes;
    private final int entryBytes;
    private final int maxEntries;
    private final KeptMemory.Share kept;
    private final Consumer<Session> left;

    /** In the order of their flushes, so that the next one is known without a search. */
    private final List<Session> members = new ArrayList<>();

    private final List<Session> others = new ArrayList<>();
    private final long[] latest;
    private UnsafeBuffer messages;
    private UnsafeBuffer encoded;
    private int[] encodedFrom = new int[FIRST_ENTRIES + 1];
    private int[] symbols = new int[FIRST_ENTRIES];
    private long[] cameNs = new long[FIRST_ENTRIES];
    private long first;
    private long end;
    private long replacedBefore;
    private int cursor;
    private int behind;
    private boolean isOutOfStep;

    /**
     * A log without a message.
     *
     * @param key what it is for
     * @param encoder of its messages
     * @param messageBytes of each message
     * @param kept what it may keep
     * @param left gets each session that leaves with something to send
     */
    SharedLog(
            final Key key,
            final FrameEncoder encoder,
            final int messageBytes,
            final KeptMemory.Share kept,
            final Consumer<Session> left) {
        this.key = key;
        this.encoder = encoder;
        this.messageBytes = messageBytes;
        this.kept = kept;
        this.left = left;
        entryBytes = entryBytes(encoder, messageBytes);
        messages = new UnsafeBuffer(new byte[FIRST_ENTRIES * messageBytes]);
        encoded = new UnsafeBuffer(new byte[FIRST_ENTRIES * encoder.encodedBytes()]);
        maxEntries = Math.clamp(MAX_BYTES / entryBytes, FIRST_ENTRIES, MAX_ENTRIES);
        latest = new long[key.sharing() == OutboundQueue.Sharing.LATEST ? key.symbols() : 0];
        Arrays.fill(latest, -1);
    }

    /** What it keeps before it has grown. */
    static long bytesFor(final Key key, final FrameEncoder encoder, final int messageBytes) {
        final long latestBytes =
                key.sharing() == OutboundQueue.Sharing.LATEST
                        ? (long) key.symbols() * Long.BYTES
                        : 0;
        return latestBytes + (long) FIRST_ENTRIES * entryBytes(encoder, messageBytes);
    }

    private static int entryBytes(final FrameEncoder encoder, final int messageBytes) {
        return BYTES_PER_ENTRY + messageBytes + encoder.encodedBytes();
    }

    Key key() {
        return key;
    }

    /** Adds a session with this subscription, which joins once it is up to date. */
    void open(final Session session) {
        others.add(session);
    }

    /** False where it has no session any more. */
    boolean close(final Session session) {
        if (!others.remove(session)) {
            remove(session);
        }
        return !others.isEmpty() || !members.isEmpty();
    }

    /** Those that are offered each message; not the members. */
    List<Session> others() {
        return others;
    }

    /** A session without pending messages joins; returns its position. */
    long join(final Session session) {
        others.remove(session);
        int at = members.size();
        if (key.flushNs() > 0) {
            final long phase = phase(session);
            at = 0;
            while (at < members.size() && phase(members.get(at)) <= phase) {
                at++;
            }
        }
        members.add(at, session);
        isOutOfStep = true;
        return end;
    }

    private long phase(final Session session) {
        return Math.floorMod(session.nextFlushNs(), key.flushNs());
    }

    /** A member returns to its own queue. */
    void leave(final Session session) {
        remove(session);
        others.add(session);
        left.accept(session);
    }

    private void remove(final Session session) {
        final int at = members.indexOf(session);
        if (at < 0) {
            return;
        }
        members.remove(at);
        if (session.place() < end) {
            behind--;
        }
        if (at < cursor) {
            cursor--;
        }
        cursor = cursor < members.size() ? cursor : 0;
    }

    /** A member has sent everything. */
    void caughtUp() {
        behind--;
    }

    /** A message for all members. */
    void append(final int symbol, final DirectBuffer buffer, final int offset, final long nowNs) {
        if (behind == 0) {
            first = end;
        }
        if (members.isEmpty() || !makeRoom(nowNs)) {
            return;
        }
        final int at = (int) (end - first);
        messages.putBytes(at * messageBytes, buffer, offset, messageBytes);
        encodedFrom[at + 1] = encoder.encode(encoded, encodedFrom[at], buffer, offset);
        symbols[at] = symbol;
        cameNs[at] = nowNs;
        if (latest.length > 0) {
            final int index = symbol - key.firstSymbol();
            replacedBefore = Math.max(replacedBefore, latest[index] + 1);
            latest[index] = end;
        }
        end++;
        behind = members.size();
    }

    /**
     * Room for a message; members that are far behind leave where it cannot grow. False where no
     * member is left.
     */
    private boolean makeRoom(final long nowNs) {
        final int capacity = symbols.length;
        if (end - first < capacity) {
            return true;
        }
        final long half = first + capacity / 2;
        if (firstNeeded() < half && !grow()) {
            for (int i = members.size() - 1; i >= 0; i--) {
                if (members.get(i).place() < half) {
                    members.get(i).leave(nowNs);
                }
            }
        }
        if (end - first == symbols.length) {
            forgetBefore(firstNeeded());
        }
        return !members.isEmpty();
    }

    private long firstNeeded() {
        long needed = end;
        for (int i = 0; i < members.size(); i++) {
            needed = Math.min(needed, members.get(i).place());
        }
        return needed;
    }

    private void forgetBefore(final long place) {
        final int from = (int) (place - first);
        final int count = (int) (end - place);
        final int bytes = encodedFrom[from + count] - encodedFrom[from];
        messages.putBytes(0, messages, from * messageBytes, count * messageBytes);
        encoded.putBytes(0, encoded, encodedFrom[from], bytes);
        System.arraycopy(symbols, from, symbols, 0, count);
        System.arraycopy(cameNs, from, cameNs, 0, count);
        final int shift = encodedFrom[from];
        for (int i = 0; i <= count; i++) {
            encodedFrom[i] = encodedFrom[from + i] - shift;
        }
        first = place;
    }

    private boolean grow() {
        final int from = symbols.length;
        final int to = Math.min(maxEntries, 2 * from);
        if (to == from || !kept.take((to - from) * (long) entryBytes)) {
            return false;
        }
        messages = new UnsafeBuffer(Arrays.copyOf(messages.byteArray(), to * messageBytes));
        encoded = new UnsafeBuffer(Arrays.copyOf(encoded.byteArray(), to * encoder.encodedBytes()));
        encodedFrom = Arrays.copyOf(encodedFrom, to + 1);
        symbols = Arrays.copyOf(symbols, to);
        cameNs = Arrays.copyOf(cameNs, to);
        return true;
    }

    /**
     * Flushes members that are due.
     *
     * @param now the time, which passes meanwhile
     * @param pump sends what a member has to send
     * @return how many
     */
    int flush(final LongSupplier now, final Consumer<Session> pump) {
        if (behind == 0) {
            return 0;
        }
        if (key.flushNs() == 0 || isOutOfStep) {
            return flushAll(now, pump);
        }
        final int most = members.size();
        int flushed = 0;
        while (behind > 0 && flushed < most) {
            final Session next = members.get(cursor);
            if (next.nextFlushNs() - now.getAsLong() > 0) {
                break;
            }
            flush(next, pump);
            flushed++;
            if (cursor < members.size() && members.get(cursor) == next) {
                cursor = cursor + 1 == members.size() ? 0 : cursor + 1;
            }
        }
        return flushed;
    }

    private void flush(final Session session, final Consumer<Session> pump) {
        final long beforeNs = session.nextFlushNs();
        pump.accept(session);
        isOutOfStep |= session.nextFlushNs() - beforeNs > key.flushNs();
    }

    /** After a pause, or a delay, the next one is not the successor of the last. */
    private int flushAll(final LongSupplier now, final Consumer<Session> pump) {
        int flushed = 0;
        for (int i = members.size() - 1; i >= 0; i--) {
            final Session session = members.get(i);
            if (session.nextFlushNs() - now.getAsLong() <= 0) {
                flush(session, pump);
                flushed++;
            }
        }
        isOutOfStep = false;
        cursor = 0;
        for (int i = 1; i < members.size(); i++) {
            if (members.get(i).nextFlushNs() < members.get(cursor).nextFlushNs()) {
                cursor = i;
            }
        }
        return flushed;
    }

    /** The position of the next message. */
    long end() {
        return end;
    }

    /**
     * End of the messages from this place on that are all to be sent, one after the other; the
     * place itself where a later one is sent instead.
     */
    long runEnd(final long place) {
        if (latest.length == 0 || place >= replacedBefore) {
            return end;
        }
        long at = place;
        while (at < end && !isReplaced(at)) {
            at++;
        }
        return at;
    }

    /** Whether a later one of its symbol is sent instead. */
    boolean isReplaced(final long place) {
        return latest.length > 0 && latest[symbol(place) - key.firstSymbol()] != place;
    }

    int symbol(final long place) {
        return symbols[(int) (place - first)];
    }

    long cameNs(final long place) {
        return cameNs[(int) (place - first)];
    }

    /** The buffer of messages as received, at {@link #offset}. */
    DirectBuffer messages() {
        return messages;
    }

    int offset(final long place) {
        return (int) (place - first) * messageBytes;
    }

    /** Adds as many messages to a frame as fit; returns the position after them. */
    long addTo(final FrameEncoder frame, final long from, final long to, final int roomBytes) {
        final int at = (int) (from - first);
        int until = (int) (to - first);
        if (encodedFrom[until] - encodedFrom[at] > roomBytes) {
            until = at;
            while (encodedFrom[until + 1] - encodedFrom[at] <= roomBytes) {
                until++;
            }
        }
        frame.addEncoded(
                encoded, encodedFrom[at], encodedFrom[until] - encodedFrom[at], until - at);
        return first + until;
    }

    void release() {
        kept.release();
    }
}
