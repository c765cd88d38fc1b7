package io.tickmark.workloads.messaging.session;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.EngineFacts;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Receives directly from the publisher, which is sent hellos on a return path. Single-threaded. */
public final class ExchangeReceiving implements ReceivingEnd {
    private final ChannelUri channel;
    private final SubscriberSession session;
    private Publication[] publications;

    /**
     * Opens an exchange for each topic, or one for all.
     *
     * @param channel as opened
     * @param topics to receive
     * @param cookie of the subscriber
     * @param context of the role
     */
    public ExchangeReceiving(
            final ChannelUri channel,
            final List<Topic> topics,
            final int cookie,
            final RoleContext context) {
        this.channel = channel;
        final Transport transport = new Transports().of(channel);
        session =
                new SubscriberSession(
                        Exchanges.open(transport, channel, topics, ExchangeSide.CONNECT, cookie),
                        topics,
                        transport.numbersTopics()
                                ? topic ->
                                        transport.exchange(
                                                channel, topic, ExchangeSide.CONNECT, cookie)
                                : null,
                        cookie,
                        context);
        publications = publicationsOfAll();
    }

    private Publication[] publicationsOfAll() {
        return exchanges().stream().map(Exchange::publication).toArray(Publication[]::new);
    }

    @Override
    public List<Subscription> subscriptions() {
        return exchanges().stream().map(Exchange::subscription).toList();
    }

    @Override
    public int doWork(final int index) {
        return publications[index].doWork();
    }

    @Override
    public TopicAgreement agreement() {
        return session;
    }

    /**
     * The session, for features that only a direct connection has.
     *
     * @return the same as the agreement
     */
    public SubscriberSession session() {
        return session;
    }

    /**
     * The open exchanges.
     *
     * @return one for each topic, or one for all
     */
    public List<Exchange> exchanges() {
        return session.exchanges();
    }

    @Override
    public void introduce(final MessageHandler handler) {
        session.introduce(handler, channel);
        publications = publicationsOfAll();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        return EngineFacts.of(exchanges());
    }

    @Override
    public List<String> notes() {
        return Stream.concat(Exchanges.notes(exchanges()).stream(), session.notes().stream())
                .toList();
    }

    @Override
    public void close() {
        Exchanges.close(exchanges());
    }
}
