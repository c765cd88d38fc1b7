package io.tickmark.workloads.fix.gateway;

import io.tickmark.wire.fix.FixFields;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.Tags;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers MarketDataRequest (35=V): a snapshot (35=W) of each symbol, and from then on updates, in
 * full or incremental; or a MarketDataRequestReject (35=Y). Not on the hot path.
 */
final class MarketDataRequests {
    private static final int MOST_SYMBOLS = 10_000;
    private static final int REJECT_REASON = 281;
    private static final byte[] REJECT = {'Y'};
    private static final String DUPLICATE_ID = "1";
    private static final String UNSUPPORTED_TYPE = "4";
    private static final String NO_BANDWIDTH = "2";

    private final Book book;
    private final Variants variants = new Variants();
    private final FixFields fields = new FixFields();

    MarketDataRequests(final Book book) {
        this.book = book;
    }

    void onRequest(final Consumer consumer, final InboundMessage message) {
        final String id = message.text(Tags.MD_REQ_ID);
        final String type = message.text(Tags.SUBSCRIPTION_REQUEST_TYPE);
        final SubscriptionList subscriptions = consumer.subscriptions();
        switch (type) {
            case "0", "1" -> {
                if (subscriptions.has(id)) {
                    reject(consumer, id, DUPLICATE_ID, "this MDReqID is in use");
                } else if (subscriptions.isFull()) {
                    reject(consumer, id, NO_BANDWIDTH, "too many requests");
                } else {
                    subscribe(consumer, id, message, "1".equals(type));
                }
            }
            case "2" -> {
                if (!subscriptions.remove(id)) {
                    reject(consumer, id, UNSUPPORTED_TYPE, "there is no request with this MDReqID");
                }
            }
            default ->
                    reject(
                            consumer,
                            id,
                            UNSUPPORTED_TYPE,
                            "SubscriptionRequestType must be 0, 1 or 2");
        }
    }

    private void subscribe(
            final Consumer consumer,
            final String id,
            final InboundMessage message,
            final boolean staysOn) {
        final int[] symbols = symbols(message);
        final boolean isIncremental = "1".equals(message.text(Tags.MD_UPDATE_TYPE));
        final BodyBytes idField =
                staysOn
                        ? consumer.subscriptions().add(id, symbols, isIncremental)
                        : new BodyBytes(32).field(Tags.MD_REQ_ID, id);
        for (final int symbol : symbols) {
            snapshot(consumer, idField, symbol);
        }
    }

    private void snapshot(final Consumer consumer, final BodyBytes idField, final int symbol) {
        final FanOutMessage newest = book.newest(symbol);
        if (newest != null && newest.type().length == 1 && newest.type()[0] == 'W') {
            variants.of(newest);
            consumer.session().send(Variants.SNAPSHOT, idField, variants.plain());
        } else {
            final BodyBytes empty = new BodyBytes(64);
            empty.field(Tags.SYMBOL, new String(book.symbol(symbol), StandardCharsets.ISO_8859_1));
            consumer.session().send(Variants.SNAPSHOT, idField, empty.field(Tags.NO_MD_ENTRIES, 0));
        }
    }

    private int[] symbols(final InboundMessage message) {
        final List<Integer> ids = new ArrayList<>();
        fields.wrap(message.buffer(), message.fieldsBegin(), message.fieldsEnd());
        while (fields.next() && ids.size() < MOST_SYMBOLS) {
            if (fields.tag() == Tags.SYMBOL) {
                final byte[] symbol = new byte[fields.valueLength()];
                message.buffer().getBytes(fields.valueBegin(), symbol);
                final int id = book.idOf(symbol);
                if (id >= 0) {
                    ids.add(id);
                }
            }
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void reject(
            final Consumer consumer, final String id, final String reason, final String text) {
        consumer.session()
                .send(
                        REJECT,
                        null,
                        new BodyBytes(64)
                                .field(Tags.MD_REQ_ID, id)
                                .field(REJECT_REASON, reason)
                                .field(Tags.TEXT, text));
    }
}
