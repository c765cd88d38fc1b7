package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;
import java.util.ArrayList;
import java.util.List;

/** Gives messages to the consumers of one worker. Single thread; allocates nothing. */
final class FanOut {
    private final Book book = new Book();
    private final Variants variants = new Variants();
    private final MarketDataRequests requests = new MarketDataRequests(book);
    private final List<Consumer> consumers = new ArrayList<>();
    private final boolean keepsBook;
    private final Blocking blocking;
    private boolean hasGone;
    private long offered;

    /** What to do while a consumer that must not be left behind takes nothing. */
    interface Blocking {
        /** Waits a little, writing what can be written; false when that has taken too long. */
        boolean await(Consumer consumer, long sinceNs);

        long nowNs();
    }

    FanOut(final boolean keepsBook, final Blocking blocking) {
        this.keepsBook = keepsBook;
        this.blocking = blocking;
    }

    void add(final Consumer consumer) {
        consumers.add(consumer);
    }

    /** Consumers end while messages go round: they are taken out at the end of the pass. */
    void remove() {
        hasGone = true;
    }

    List<Consumer> consumers() {
        return consumers;
    }

    MarketDataRequests requests() {
        return requests;
    }

    /** Messages that were to reach a consumer, each copy counted. */
    long offered() {
        return offered;
    }

    void publish(final FanOutMessage message) {
        final int symbol = keepsBook ? book.keep(message) : -1;
        final long nowNs = blocking.nowNs();
        variants.of(message);
        for (int i = 0; i < consumers.size(); i++) {
            final Consumer consumer = consumers.get(i);
            if (!consumer.isActive()) {
                continue;
            }
            if (consumer.subscriptions().isAll()) {
                offered++;
                offer(consumer, message.type(), null, message.body(), symbol, nowNs);
            } else {
                publishTo(consumer, message, symbol, nowNs);
            }
        }
    }

    private void publishTo(
            final Consumer consumer,
            final FanOutMessage message,
            final int symbol,
            final long nowNs) {
        final BodyBytes id = consumer.subscriptions().requestId(symbol);
        if (id == null) {
            return;
        }
        offered++;
        if (consumer.subscriptions().isIncremental(symbol)) {
            offer(consumer, Variants.INCREMENTAL, id, variants.incremental(), symbol, nowNs);
        } else {
            offer(consumer, message.type(), id, variants.plain(), symbol, nowNs);
        }
    }

    private void offer(
            final Consumer consumer,
            final byte[] type,
            final BodyBytes ids,
            final BodyBytes body,
            final int symbol,
            final long nowNs) {
        boolean waits = consumer.offer(type, ids, body, symbol, nowNs);
        while (waits) {
            if (!blocking.await(consumer, nowNs)) {
                consumer.cut();
                return;
            }
            waits = consumer.offer(type, ids, body, symbol, blocking.nowNs());
        }
    }

    /** Sends what was held back, where there is room again. */
    void catchUp(final long nowNs) {
        if (hasGone) {
            hasGone = false;
            consumers.removeIf(consumer -> consumer.session().state() == FixSession.State.ENDED);
        }
        for (int i = 0; i < consumers.size(); i++) {
            consumers.get(i).catchUp(book, variants, nowNs);
        }
    }
}
