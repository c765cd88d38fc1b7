package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.control.TopicNames;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.workloads.messaging.EngineFacts;
import io.tickmark.workloads.messaging.session.FailedWait;
import io.tickmark.workloads.messaging.session.ReceivingEnd;
import io.tickmark.workloads.messaging.session.TopicAgreement;
import io.tickmark.workloads.messaging.session.TopicMatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/** Receives from a store, or several that are assigned to the topics in turn. */
public final class StoredReceiving implements ReceivingEnd {
    private static final long LOOK_NS = 100_000;

    private final RoleContext context;
    private final ChannelUri channel;
    private final StoredAgreement agreement;
    private final Optional<AcknowledgedFiles> files;
    private final Endpoints endpoints;
    private final DurableTransport transport;
    private final ChannelUri given;
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
        this.endpoints = endpoints;
        given = channel;
        agreement = new StoredAgreement(context.trialId(), topics);
        transport = Stores.of(channel);
        files = AcknowledgedFiles.of(endpoints, transport.guarantees(channel).deletion());
        try {
            for (final Topic topic : topics) {
                subscriptions.add(open(topic));
            }
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    private AcknowledgingSubscription open(final Topic topic) {
        final ChannelUri store = Stores.ofTopic(endpoints, given, topic.id());
        return Stores.open(() -> subscription(store, topic), endpoints, context);
    }

    private AcknowledgingSubscription subscription(final ChannelUri store, final Topic topic) {
        return new AcknowledgingSubscription(
                ordinal -> transport.durableSubscription(store, topic, ordinal),
                (messages, nextOrdinal) ->
                        files.ifPresent(all -> all.received(topic.id(), messages, nextOrdinal)),
                this::isGivenUp,
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
    public TopicAgreement agreement() {
        return agreement;
    }

    @Override
    public void introduce(final MessageHandler handler) {
        final long deadlineNs = context.clock().nanoTime() + context.connectTimeoutNs();
        while (!agreement.isKnown()) {
            if (context.clock().nanoTime() - deadlineNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        FailedWait.at(channel)
                                + "no publisher wrote to the store"
                                + FailedWait.ended(context, "start it, or check the address."));
            }
            int work = 0;
            for (final Subscription subscription : subscriptions) {
                // Not one message beyond the announcement: the following ones need the topics that
                // it names.
                work += agreement.isKnown() ? 0 : subscription.poll(handler, 1);
            }
            if (work == 0) {
                LockSupport.parkNanos(LOOK_NS); // it may be long until the publisher is there
            }
        }
        match();
    }

    /** Keeps the topics that both sides name, with the publisher's numbers. */
    private void match() {
        final TopicMatch match = agreement.match(channel);
        match.notes().forEach(context::log);
        if (!match.differs()) {
            return;
        }
        final List<AcknowledgingSubscription> before = List.copyOf(subscriptions);
        for (int i = 0; i < match.asked().size(); i++) {
            if (!match.shared().contains(match.asked().get(i))) {
                before.get(i).close();
            }
        }
        subscriptions.clear();
        for (final Topic topic : match.shared()) {
            final int at = match.asked().indexOf(topic);
            subscriptions.add(at < 0 ? open(topic) : before.get(at));
        }
    }

    @Override
    public List<String> notes() {
        final List<String> all = new ArrayList<>(agreement.match(channel).notes());
        for (int topic = 1; topic <= subscriptions.size(); topic++) {
            final AcknowledgingSubscription subscription = subscriptions.get(topic - 1);
            if (subscription.timesReopened() > 0) {
                all.add(
                        ("The subscription of topic %d was reopened %s: latencies of messages that were delivered again"
                                        + " include that.")
                                .formatted(topic, Plural.of(subscription.timesReopened(), "time")));
            }
        }
        subscriptions.stream()
                .flatMap(each -> each.engineErrors().stream())
                .distinct()
                .forEach(all::add);
        return all;
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
    public void settle() {
        subscriptions.forEach(each -> each.subscription.settleAcknowledgements());
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
        facts.putAll(
                EngineFacts.sum(
                        subscriptions.stream().map(AcknowledgingSubscription::facts).toList(),
                        subscriptions.getFirst()::isCount));
        return facts;
    }

    @Override
    public void close() {
        try {
            CloseHelper.closeAll(subscriptions);
        } finally {
            files.ifPresent(AcknowledgedFiles::close);
        }
    }

    /** What a reader of a store learns from the announcement at the head of a stream. */
    private static final class StoredAgreement implements TopicAgreement {
        private final TopicMatch match;
        private final TopicNames published = new TopicNames();
        private int trialId;
        private boolean isKnown;
        private boolean publisherOnThisHost;

        /** Only this trial is accepted; 0 takes the first one announced. */
        StoredAgreement(final int trialId, final List<Topic> topics) {
            match = new TopicMatch(topics);
            this.trialId = trialId;
        }

        @Override
        public void onControl(
                final DirectBuffer buffer, final int offset, final int length, final int flags) {
            if (flags != Stamp.HELLO || length < Stamp.FULL_LENGTH || isKnown) {
                return;
            }
            final int announced = Stamp.trialId(buffer, offset);
            if (trialId == 0 || trialId == announced) {
                trialId = announced;
                isKnown = true;
                publisherOnThisHost = Stamp.sentNs(buffer, offset) == HostId.VALUE;
                published.take(buffer, offset, length);
            }
        }

        /** Whether the publisher has announced itself. */
        boolean isKnown() {
            return isKnown;
        }

        /**
         * The topics of both sides, once the publisher has announced itself. Where its names do not
         * fit into an announcement, both sides have to name the same ones in the same order.
         */
        TopicMatch match(final ChannelUri channel) {
            if (!match.isKnown() && published.isComplete()) {
                match.with(published.names(), channel);
            }
            return match;
        }

        @Override
        public int topics() {
            return match.topics();
        }

        @Override
        public boolean isWanted(final int source) {
            return match.isWanted(source);
        }

        /** The store acknowledges on behalf of the readers. */
        @Override
        public void acknowledgeEnd(final int step, final int source, final long lost) {}

        @Override
        public int trialId() {
            return trialId;
        }

        @Override
        public boolean isPublisherOnThisHost() {
            return publisherOnThisHost;
        }
    }

    /**
     * One topic of a stored stream as a receiver sees it: acknowledges delivered messages after
     * each poll, and reopens its store when it stays lost. Single-threaded; allocates only then.
     */
    private static final class AcknowledgingSubscription implements Subscription {
        /** Also the time in which a connection may come back by itself. */
        private static final long REOPEN_EVERY_NS = 100_000_000;

        private final LongFunction<DurableSubscription> opener;
        private final Received received;
        private final BooleanSupplier isGivenUp;
        private final NanoClock clock;
        private final MessageHandler counting = this::onMessage;
        private final WaitGrowth waits = new WaitGrowth();
        private final List<String> earlierErrors = new ArrayList<>();
        private Map<String, Object> earlierFacts = Map.of();
        private DurableSubscription subscription;
        private MessageHandler handler = (buffer, offset, length) -> {};
        private long ordinal = -1;
        private long messages;
        private boolean isMeasured;
        private long intendedNs;
        private boolean isLost;

        /** When the store was found lost, or was last opened again in vain. */
        private long lostNs;

        private long reopened;

        /** Records what was received of a topic. */
        @FunctionalInterface
        private interface Received {
            /** Measured messages delivered without holes, and the ordinal behind the last one. */
            void upTo(long messages, long nextOrdinal);
        }

        /**
         * @param opener opens the store for reading from an ordinal on
         * @param received called before messages are acknowledged
         * @param isGivenUp whether the publisher has given the store up
         * @param clock of the role
         */
        AcknowledgingSubscription(
                final LongFunction<DurableSubscription> opener,
                final Received received,
                final BooleanSupplier isGivenUp,
                final NanoClock clock) {
            this.opener = opener;
            this.received = received;
            this.isGivenUp = isGivenUp;
            this.clock = clock;
            subscription = opener.apply(0);
        }

        @Override
        public int poll(final MessageHandler newHandler, final int limit) {
            handler = newHandler;
            final int handed = subscription.poll(counting, limit);
            if (handed > 0) {
                isLost = false;
                ordinal = subscription.ordinal();
                received.upTo(messages, ordinal + 1);
                subscription.acknowledge(ordinal);
                time();
            } else if (subscription.isConnected()) {
                isLost = false;
            } else {
                reopen();
            }
            return handed;
        }

        private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
            if (Stamp.isStamped(buffer, offset, length)
                    && (Stamp.flags(buffer, offset) & ~Stamp.WARM_UP) == 0
                    && Stamp.step(buffer, offset) == 0) {
                if ((Stamp.sequence(buffer, offset) & 0xffff_ffffL) == messages) {
                    messages++;
                }
                if (Stamp.flags(buffer, offset) == 0) {
                    isMeasured = true;
                    intendedNs = Stamp.intendedNs(buffer, offset);
                }
            }
            handler.onMessage(buffer, offset, length);
        }

        /** The last message of a poll represents all of it: one clock read for many messages. */
        private void time() {
            if (isMeasured) {
                isMeasured = false;
                waits.add(intendedNs, clock.nanoTime() - intendedNs);
            }
        }

        /**
         * A subscription that has not found a store yet may be silent for long: only messages that
         * were read are read again, and from a store that was given up none. The old one ends
         * first: its topic may have one reader at a time. Opening again delivers messages twice,
         * which is not needed where the connection soon comes back by itself.
         */
        private void reopen() {
            final long nowNs = clock.nanoTime();
            if (!isLost) {
                isLost = true;
                lostNs = nowNs;
            }
            if (ordinal < 0 || nowNs - lostNs < REOPEN_EVERY_NS || isGivenUp.getAsBoolean()) {
                return;
            }
            lostNs = nowNs;
            subscription.close();
            try {
                final DurableSubscription opened = opener.apply(ordinal + 1);
                subscription.engineErrors().ifPresent(earlierErrors::add);
                earlierFacts = facts();
                subscription = opened;
                isLost = false;
                reopened++;
            } catch (final UserError e) {
                // not yet back; the polling caller knows how long to wait
            }
        }

        long timesReopened() {
            return reopened;
        }

        /** How much longer a message took to arrive at the end than at the beginning. */
        long fellBehindNs() {
            return waits.ns();
        }

        @Override
        public boolean isConnected() {
            return subscription.isConnected();
        }

        @Override
        public ChannelUri channel() {
            return subscription.channel();
        }

        /** Including those of reopened subscriptions. */
        @Override
        public Optional<String> engineErrors() {
            return Stream.concat(earlierErrors.stream(), subscription.engineErrors().stream())
                    .reduce((left, right) -> left + " " + right);
        }

        /** With the counts of reopened subscriptions. */
        @Override
        public Map<String, Object> facts() {
            return EngineFacts.sum(List.of(subscription.facts(), earlierFacts), this::isCount);
        }

        @Override
        public boolean isCount(final String fact) {
            return subscription.isCount(fact);
        }

        @Override
        public boolean wakesOnArrival() {
            return subscription.wakesOnArrival();
        }

        @Override
        public void await(final long timeoutNs) {
            subscription.await(timeoutNs);
        }

        @Override
        public void close() {
            subscription.close();
        }
    }
}
