package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends messages to the consumers of one worker. Messages are gathered first; then each consumer in
 * turn gets all of them, encoded in one shared buffer, and is written to: the data of a session is
 * accessed only once. Single-threaded; allocates nothing in the steady state.
 */
final class FanOut {
    private static final int MOST_MESSAGES = 128;

    /** Header and trailer of a message, generously. */
    private static final int HEADER_BYTES = 160;

    /** Room beyond one full write, so that the last message always fits. */
    private static final int SPARE_BYTES = 1024;

    private final Book book = new Book();
    private final Variants variants = new Variants();
    private final MarketDataRequests requests = new MarketDataRequests(book, this::answer);
    private final List<ConsumerSession> consumers = new ArrayList<>();
    private final boolean keepsBook;
    private final Blocking blocking;
    private final int writeBytes;
    private final byte[] shared;
    private final Gathered[] gathered = new Gathered[MOST_MESSAGES];
    private int gatheredCount;
    private int gatheredBytes;
    private boolean hasGone;
    private final AwaySessions away;

    /** A message that waits for the end of the pass. */
    private static final class Gathered {
        private final FanOutMessage message = new FanOutMessage();
        private final Variants variants = new Variants();
        private int symbol;
    }

    /** What to do while a consumer that must not miss messages accepts nothing. */
    interface Blocking {
        /** Waits a little, writing what can be written; false when that has taken too long. */
        boolean await(ConsumerSession consumer, long sinceNs);

        long nowNs();
    }

    FanOut(
            final boolean keepsBook,
            final int writeBytes,
            final Blocking blocking,
            final AwaySessions away) {
        this.away = away;
        this.keepsBook = keepsBook;
        this.writeBytes = writeBytes;
        this.blocking = blocking;
        shared = new byte[writeBytes + SPARE_BYTES];
    }

    void add(final ConsumerSession consumer) {
        consumers.add(consumer);
    }

    /**
     * Consumers may end while messages are distributed: they are removed at the end of the pass.
     */
    void remove() {
        hasGone = true;
    }

    MarketDataRequests requests() {
        return requests;
    }

    /**
     * Takes a message for all, to be sent at the end of the pass or once enough for a full write
     * has gathered.
     */
    void gather(final FanOutMessage message) {
        final int length = HEADER_BYTES + message.body().length();
        if (gatheredCount == MOST_MESSAGES || gatheredBytes + length > writeBytes) {
            deliver();
        }
        if (gathered[gatheredCount] == null) {
            gathered[gatheredCount] = new Gathered();
        }
        final Gathered next = gathered[gatheredCount++];
        gatheredBytes += length;
        next.message.copy(message);
        next.variants.of(next.message);
        next.symbol = keepsBook ? book.update(message) : -1;
    }

    /** Distributes what was gathered, and writes it. */
    void deliver() {
        if (gatheredCount == 0) {
            return;
        }
        for (int i = 0; i < consumers.size(); i++) {
            final ConsumerSession consumer = consumers.get(i);
            if (consumer.isActive()) {
                deliver(consumer);
            } else {
                keepFrom(0, consumer);
            }
        }
        for (int i = 0; i < gatheredCount; i++) {
            away.keepForAll(gathered[i].message.type(), gathered[i].message.body());
        }
        gatheredCount = 0;
        gatheredBytes = 0;
    }

    private void deliver(final ConsumerSession consumer) {
        final long nowNs = blocking.nowNs();
        final boolean getsAll = consumer.subscriptions().isAll();
        consumer.session().out().borrow(shared);
        int i = 0;
        for (; i < gatheredCount && consumer.isActive(); i++) {
            final Gathered next = gathered[i];
            if (getsAll) {
                offer(consumer, next.message.type(), null, next.message.body(), next.symbol, nowNs);
            } else {
                offerSubscribed(consumer, next, nowNs);
            }
        }
        keepFrom(i, consumer);
        consumer.flush();
        consumer.session().out().giveBack();
    }

    /** A consumer whose session has ended is not sent messages from this one on. */
    private void keepFrom(final int from, final ConsumerSession consumer) {
        for (int i = from; i < gatheredCount; i++) {
            final Gathered next = gathered[i];
            consumer.keepForReturn(next.message.type(), next.message.body(), next.symbol);
        }
    }

    private void offerSubscribed(
            final ConsumerSession consumer, final Gathered next, final long nowNs) {
        final int symbol = next.symbol;
        final BodyBytes id = consumer.subscriptions().requestId(symbol);
        if (id == null) {
            return;
        }
        if (consumer.subscriptions().isIncremental(symbol)) {
            offer(consumer, Variants.INCREMENTAL, id, next.variants.incremental(), symbol, nowNs);
        } else {
            offer(consumer, next.message.type(), id, next.variants.plain(), symbol, nowNs);
        }
    }

    private void answer(
            final ConsumerSession consumer,
            final byte[] type,
            final BodyBytes ids,
            final BodyBytes body,
            final int symbol) {
        offer(consumer, type, ids, body, symbol, blocking.nowNs());
    }

    private void offer(
            final ConsumerSession consumer,
            final byte[] type,
            final BodyBytes ids,
            final BodyBytes body,
            final int symbol,
            final long nowNs) {
        boolean waits = consumer.offer(type, ids, body, symbol, nowNs);
        while (waits) {
            if (!blocking.await(consumer, nowNs)) {
                consumer.cut();
                consumer.keepForReturn(type, body, symbol);
                return;
            }
            waits = consumer.offer(type, ids, body, symbol, blocking.nowNs());
        }
    }

    /** From here on its messages are kept outside its session, which is over. */
    private boolean hasLeft(final ConsumerSession consumer) {
        final FixSession session = consumer.session();
        if (session.state() != FixSession.State.ENDED) {
            return false;
        }
        consumer.leave(book);
        if (consumer.subscriptions().isAll()) {
            away.add(session.target(), session.absent());
        }
        return true;
    }

    /** Sends what was held back, where there is room again. */
    void catchUp(final long nowNs) {
        if (hasGone) {
            hasGone = false;
            consumers.removeIf(this::hasLeft);
        }
        for (int i = 0; i < consumers.size(); i++) {
            consumers.get(i).catchUp(book, variants, nowNs);
        }
    }
}
