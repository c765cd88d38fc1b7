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
    /** Of one request; a symbol named twice counts twice. */
    static final int MOST_SYMBOLS = 10_000;

    private static final int REJECT_REASON = 281;
    private static final byte[] REJECT = {'Y'};
    private static final String UNKNOWN_SYMBOL = "0";
    private static final String DUPLICATE_ID = "1";
    private static final String NO_BANDWIDTH = "2";
    private static final String UNSUPPORTED_TYPE = "4";

    private final Book book;
    private final Answers answers;
    private final Variants variants = new Variants();
    private final FixFields fields = new FixFields();

    /** Receives the answers to a consumer like any message: the slow policy applies. */
    interface Answers {
        /** {@code symbol} is -1 where a newer message of the symbol does not replace this one. */
        void offer(
                ConsumerSession consumer, byte[] type, BodyBytes ids, BodyBytes body, int symbol);
    }

    MarketDataRequests(final Book book, final Answers answers) {
        this.book = book;
        this.answers = answers;
    }

    void onRequest(final ConsumerSession consumer, final InboundMessage message) {
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
            final ConsumerSession consumer,
            final String id,
            final InboundMessage message,
            final boolean staysOn) {
        final List<Integer> symbols = symbols(message);
        if (symbols.size() > MOST_SYMBOLS) {
            reject(
                    consumer,
                    id,
                    NO_BANDWIDTH,
                    "more than " + MOST_SYMBOLS + " symbols in one request");
            return;
        }
        if (symbols.contains(-1)) {
            reject(consumer, id, UNKNOWN_SYMBOL, "the gateway has no room for another symbol");
            return;
        }
        if (staysOn && consumer.subscriptions().isTooMuch(symbols.size())) {
            reject(
                    consumer,
                    id,
                    NO_BANDWIDTH,
                    "more than " + SubscriptionList.MOST_SYMBOLS + " symbols in all requests");
            return;
        }
        final boolean isIncremental = "1".equals(message.text(Tags.MD_UPDATE_TYPE));
        final BodyBytes idField =
                staysOn
                        ? consumer.subscriptions()
                                .add(
                                        id,
                                        symbols.stream().mapToInt(Integer::intValue).toArray(),
                                        isIncremental)
                        : new BodyBytes(32).field(Tags.MD_REQ_ID, id);
        for (final int symbol : symbols) {
            if (consumer.isActive()) {
                snapshot(consumer, idField, symbol, staysOn);
            }
        }
    }

    private void snapshot(
            final ConsumerSession consumer,
            final BodyBytes idField,
            final int symbol,
            final boolean staysOn) {
        final FanOutMessage newest = book.newest(symbol);
        if (newest != null && newest.type().length == 1 && newest.type()[0] == 'W') {
            variants.of(newest);
            answers.offer(
                    consumer, Variants.SNAPSHOT, idField, variants.plain(), staysOn ? symbol : -1);
        } else {
            final BodyBytes empty = new BodyBytes(64);
            empty.field(Tags.SYMBOL, new String(book.symbol(symbol), StandardCharsets.ISO_8859_1));
            empty.field(Tags.NO_MD_ENTRIES, 0);
            answers.offer(consumer, Variants.SNAPSHOT, idField, empty, -1);
        }
    }

    /** Their numbers, -1 where there is none left; at most one too many. */
    private List<Integer> symbols(final InboundMessage message) {
        final List<Integer> ids = new ArrayList<>();
        fields.wrap(message.buffer(), message.fieldsBegin(), message.fieldsEnd());
        while (fields.next() && ids.size() <= MOST_SYMBOLS) {
            if (fields.tag() == Tags.SYMBOL) {
                final byte[] symbol = new byte[fields.valueLength()];
                message.buffer().getBytes(fields.valueBegin(), symbol);
                ids.add(book.idOf(symbol));
            }
        }
        return ids;
    }

    private void reject(
            final ConsumerSession consumer,
            final String id,
            final String reason,
            final String text) {
        final BodyBytes body = new BodyBytes(64).field(Tags.MD_REQ_ID, id);
        answers.offer(
                consumer,
                REJECT,
                null,
                body.field(REJECT_REASON, reason).field(Tags.TEXT, text),
                -1);
    }
}
