package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.workloads.messaging.session.Agreement;
import io.tickmark.workloads.messaging.session.Patience;
import io.tickmark.workloads.messaging.session.ReceivingEnd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From a store, or several that the topics take in turn. */
public final class StoredReceiving implements ReceivingEnd {
    private final RoleContext context;
    private final ChannelUri channel;
    private final StoredAgreement agreement;
    private final Optional<AcknowledgedFiles> files;
    private final List<AcknowledgingSubscription> subscriptions = new ArrayList<>();

    /**
     * Opens the topics.
     *
     * @param channel as in the settings, for use by hand
     * @param endpoints of the trial
     * @param topics to open
     * @param context of the role
     * @throws UserError if a store cannot be reached
     */
    public StoredReceiving(
            final ChannelUri channel,
            final Endpoints endpoints,
            final List<Topic> topics,
            final RoleContext context) {
        this.context = context;
        this.channel = Stores.ofTopic(endpoints, channel, 1);
        agreement = new StoredAgreement(context.trialId());
        final DurableTransport transport = Stores.of(channel);
        files = AcknowledgedFiles.of(endpoints, transport.guarantees(channel).deletion());
        try {
            for (final Topic topic : topics) {
                final ChannelUri store = Stores.ofTopic(endpoints, channel, topic.id());
                subscriptions.add(
                        Stores.open(
                                () -> subscription(transport, store, topic), endpoints, context));
            }
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    private AcknowledgingSubscription subscription(
            final DurableTransport transport, final ChannelUri store, final Topic topic) {
        return new AcknowledgingSubscription(
                ordinal -> transport.durableSubscription(store, topic, ordinal),
                messages -> files.ifPresent(all -> all.received(topic.id(), messages)),
                context.clock());
    }

    @Override
    public List<Subscription> subscriptions() {
        return List.copyOf(subscriptions);
    }

    @Override
    public int doWork(final int index) {
        return 0;
    }

    @Override
    public Agreement agreement() {
        return agreement;
    }

    @Override
    public void introduce(final MessageHandler handler) {
        final long deadlineNs = context.clock().nanoTime() + context.connectTimeoutNs();
        while (!agreement.isKnown()) {
            if (context.clock().nanoTime() - deadlineNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        Patience.at(channel)
                                + "no publisher wrote to the store"
                                + Patience.ended(context, "start it, or check the address."));
            }
            int work = 0;
            for (final Subscription subscription : subscriptions) {
                // Not one beyond the announcement: what follows is for those who know it.
                work += agreement.isKnown() ? 0 : subscription.poll(handler, 1);
            }
            if (work == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public boolean isGivenUp() {
        return files.isPresent() && files.get().isGivenUp();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(
                "timesReopened",
                subscriptions.stream().mapToLong(AcknowledgingSubscription::timesReopened).sum());
        facts.put(
                WaitGrowth.FELL_BEHIND_NS,
                subscriptions.stream()
                        .mapToLong(AcknowledgingSubscription::fellBehindNs)
                        .max()
                        .orElse(0));
        facts.putAll(subscriptions.getFirst().facts());
        return facts;
    }

    @Override
    public void close() {
        subscriptions.forEach(AcknowledgingSubscription::close);
        files.ifPresent(AcknowledgedFiles::close);
    }
}
