package io.tickmark.engines.kafka;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/**
 * Reads a topic from an offset on. Acknowledged messages are deleted by separate requests, one at a
 * time, each for all that were acknowledged by then.
 */
final class KafkaDurableSubscription extends BrokerSubscription implements DurableSubscription {
    private static final long CLOSING_SECONDS = 5;

    private final BrokerChannel<KafkaParameters> channel;
    private final String topic;
    private final Topics topics;
    private final KafkaReader reader;
    private final Watch watch;
    private final boolean deletes;
    private KafkaFuture<?> deleting = KafkaFuture.completedFuture(null);
    private long acknowledged = -1;
    private long deleted = -1;
    private final EngineErrors refused = EngineErrors.ofAcknowledgements();

    private KafkaDurableSubscription(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final Topics topics,
            final long fromOrdinal) {
        super(channel);
        this.channel = channel;
        this.topic = topic;
        this.topics = topics;
        reader = new KafkaReader(channel, topic, fromOrdinal);
        watch = new Watch(channel, channel.parameters().quorum());
        deletes = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
    }

    static KafkaDurableSubscription open(
            final BrokerChannel<KafkaParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        Clients.requireAnswer(channel);
        final String name = KafkaTransport.storedName(channel, topic);
        final Topics topics = new Topics(channel);
        try {
            topics.ensure(name);
            return new KafkaDurableSubscription(channel, name, topics, fromOrdinal);
        } catch (final KafkaException e) {
            topics.close();
            throw Clients.refused(channel, e);
        } catch (final RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    @Override
    protected byte[] next() {
        return reader.next();
    }

    @Override
    public boolean wakesOnArrival() {
        return true;
    }

    @Override
    protected void waitForNext(final long timeoutNs) {
        reader.await(timeoutNs);
    }

    @Override
    public long ordinal() {
        return reader.offset();
    }

    @Override
    public void acknowledge(final long ordinal) {
        if (deletes) {
            acknowledged = Math.max(acknowledged, ordinal);
            if (deleting.isDone()) {
                delete();
            }
        }
    }

    private void delete() {
        if (deleting.isCompletedExceptionally()) {
            noteDeletion(); // it is requested again, with what was acknowledged since
        }
        if (acknowledged > deleted) {
            deleted = acknowledged;
            try {
                deleting =
                        topics.admin()
                                .deleteRecords(
                                        Map.of(
                                                Topics.partition(topic),
                                                RecordsToDelete.beforeOffset(deleted + 1)))
                                .all();
            } catch (final KafkaException | IllegalStateException e) {
                refuse(e); // the client has ended, as its store has
            }
        }
    }

    @Override
    protected boolean isServed() {
        return watch.isServed();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = KafkaFacts.stored(channel);
        if (deletes) {
            facts.put("deletionsRefused", refused.count());
        }
        return facts;
    }

    @Override
    public Optional<String> engineErrors() {
        return refused.sentence();
    }

    @Override
    public void settleAcknowledgements() {
        noteDeletion();
        if (watch.isServed()) {
            delete();
            noteDeletion();
        }
    }

    @Override
    protected void release() {
        settleAcknowledgements();
        reader.close();
        watch.close();
        topics.close();
    }

    /** Waits for the answer; a deletion that failed counts, and what it was to delete is open. */
    private void noteDeletion() {
        try {
            deleting.get(watch.isServed() ? CLOSING_SECONDS : 0, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final ExecutionException e) {
            refuse(e.getCause());
        } catch (final TimeoutException e) {
            refuse(e);
        }
    }

    private void refuse(final Throwable why) {
        if (why instanceof TimeoutException) {
            refused.add("the broker did not answer in time");
        } else {
            refused.add(why);
        }
        deleted = -1;
        deleting = KafkaFuture.completedFuture(null);
    }
}
