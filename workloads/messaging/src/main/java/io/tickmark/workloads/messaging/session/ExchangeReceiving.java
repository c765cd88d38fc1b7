package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.workloads.messaging.EngineFacts;
import java.util.List;
import java.util.Map;

/** Straight from the publisher, who is greeted on a way back. */
public final class ExchangeReceiving implements ReceivingEnd {
    private final ChannelUri channel;
    private final List<Exchange> exchanges;
    private final Publication[] publications;
    private final SubscriberSession session;

    /**
     * Over exchanges that are open.
     *
     * @param channel as opened
     * @param exchanges CONNECT sides, one for each topic or one for all
     * @param cookie of the subscriber
     * @param context of the role
     */
    public ExchangeReceiving(
            final ChannelUri channel,
            final List<Exchange> exchanges,
            final int cookie,
            final RoleContext context) {
        this.channel = channel;
        this.exchanges = List.copyOf(exchanges);
        publications = exchanges.stream().map(Exchange::publication).toArray(Publication[]::new);
        session = new SubscriberSession(exchanges, cookie, context);
    }

    @Override
    public List<Subscription> subscriptions() {
        return exchanges.stream().map(Exchange::subscription).toList();
    }

    @Override
    public int doWork(final int index) {
        return publications[index].doWork();
    }

    @Override
    public Agreement agreement() {
        return session;
    }

    /**
     * The session, for what only a direct way has.
     *
     * @return the same as the agreement
     */
    public SubscriberSession session() {
        return session;
    }

    /**
     * What was opened.
     *
     * @return one for each topic, or one for all
     */
    public List<Exchange> exchanges() {
        return exchanges;
    }

    @Override
    public void introduce(final MessageHandler handler) {
        session.introduce(handler, channel);
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        return EngineFacts.of(exchanges.getFirst());
    }

    @Override
    public List<String> notes() {
        return Exchanges.notes(exchanges);
    }

    @Override
    public void close() {
        Exchanges.close(exchanges);
    }
}
