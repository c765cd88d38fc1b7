package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.AbsentSession;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.OutBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The disconnected consumers of one worker: messages to all are also for them, as numbers and kept
 * messages. The memory of all of them is limited: beyond it the consumer that has been away longest
 * loses its kept messages, and from then on only its numbers are counted. Single-threaded.
 */
final class AwaySessions {
    /** Beside its store: the encoder and the entries here. */
    private static final int SESSION_BYTES = 1024;

    private final long mostBytes;
    private final OutBuffer scratch;
    private final Runnable onForgotten;

    /** In the order in which they left. */
    private final Map<String, AbsentSession> kept = new LinkedHashMap<>();

    private final Map<String, NumbersOnly> numbersOnly = new HashMap<>();
    private final BiConsumer<String, AbsentSession> keeper = (compId, session) -> keep(session);
    private byte[] currentType;
    private BodyBytes currentBody;
    private long bytes;
    private long published;
    private long keptMessages;
    private long forgotten;

    /** {@code sinceMessage}: what has been published until then is among its numbers. */
    private record NumbersOnly(AbsentSession session, long sinceMessage) {}

    /**
     * Without consumers so far.
     *
     * @param mostBytes limit of all kept messages, bytes
     * @param scratch where messages are made; of the thread
     * @param onForgotten called each time a consumer loses its kept messages
     */
    AwaySessions(final long mostBytes, final OutBuffer scratch, final Runnable onForgotten) {
        this.mostBytes = mostBytes;
        this.scratch = scratch;
        this.onForgotten = onForgotten;
    }

    /** A consumer has disconnected, or is known from an earlier run. */
    void add(final String compId, final AbsentSession session) {
        remove(compId);
        kept.put(compId, session);
        bytes += bytesOf(session);
        makeRoom();
    }

    private static long bytesOf(final AbsentSession session) {
        return SESSION_BYTES + session.store().memoryBytes();
    }

    /** Takes a message for all of them, and keeps it for each for which messages are kept. */
    void keepForAll(final byte[] type, final BodyBytes body) {
        published++;
        if (!kept.isEmpty()) {
            currentType = type;
            currentBody = body;
            kept.forEach(keeper);
            makeRoom();
        }
    }

    private void keep(final AbsentSession session) {
        if (session.isOpen()) {
            final long before = session.store().memoryBytes();
            if (session.keep(currentType, currentBody, scratch)) {
                keptMessages++;
            } else {
                forgotten++;
            }
            bytes += session.store().memoryBytes() - before;
        }
    }

    private void makeRoom() {
        if (bytes <= mostBytes) {
            return;
        }
        final Iterator<Map.Entry<String, AbsentSession>> oldest = kept.entrySet().iterator();
        while (bytes > mostBytes && oldest.hasNext()) {
            final Map.Entry<String, AbsentSession> next = oldest.next();
            bytes -= bytesOf(next.getValue());
            next.getValue().store().forget();
            numbersOnly.put(next.getKey(), new NumbersOnly(next.getValue(), published));
            oldest.remove();
            onForgotten.run();
        }
    }

    /** Updates the numbers of a consumer that is about to reconnect. */
    void settle(final String compId) {
        final NumbersOnly session = numbersOnly.get(compId);
        if (session != null) {
            settle(session);
            numbersOnly.put(compId, new NumbersOnly(session.session(), published));
        }
    }

    private void settle(final NumbersOnly session) {
        if (session.session().isOpen()) {
            session.session().pass(published - session.sinceMessage());
            forgotten += published - session.sinceMessage();
        }
    }

    /** A consumer has reconnected: the session itself continues with the store. */
    void remove(final String compId) {
        settle(compId);
        numbersOnly.remove(compId);
        final AbsentSession session = kept.remove(compId);
        if (session != null) {
            bytes -= bytesOf(session);
        }
    }

    /** The numbers are right in all stores, which may be read by others from now on. */
    void settleAll() {
        numbersOnly.values().forEach(this::settle);
        numbersOnly.clear();
        kept.clear();
        bytes = 0;
    }

    /** Messages that were kept for disconnected consumers. */
    long keptMessages() {
        return keptMessages;
    }

    /**
     * Messages that only took a number: they were too long, or nothing is kept, or nothing more.
     */
    long forgotten() {
        return forgotten;
    }
}
