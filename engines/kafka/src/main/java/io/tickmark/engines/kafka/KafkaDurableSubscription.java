package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Deletions;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.RecordsToDelete;

/** Reads a stored topic; what was acknowledged is deleted where the channel says so. */
final class KafkaDurableSubscription extends KafkaSubscription implements DurableSubscription {
    private final String topic;
    private final Topics topics;
    private final Watch watch;
    private final Deletions deletions;
    private final boolean deletes;

    private KafkaDurableSubscription(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final long fromOrdinal,
            final Watch.Copies copies) {
        super(channel, topic, fromOrdinal);
        this.topic = topic;
        topics = new Topics(channel);
        watch =
                new Watch(
                        copies,
                        channel.parameters().quorum(),
                        () -> Topics.running(channel, topic));
        deletions = new Deletions(this::delete, watch::isServed);
        deletes = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
    }

    /** Creates the topic where it does not exist. */
    static KafkaDurableSubscription open(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final long fromOrdinal) {
        return Topics.ask(
                channel,
                topic,
                topics ->
                        new KafkaDurableSubscription(
                                channel, topic, fromOrdinal, topics.copies(topic)));
    }

    private Future<?> delete(final long upTo) {
        return topics.admin()
                .deleteRecords(
                        Map.of(Topics.partition(topic), RecordsToDelete.beforeOffset(upTo + 1)))
                .all();
    }

    @Override
    public void acknowledge(final long upTo) {
        if (deletes) {
            deletions.acknowledge(upTo);
        }
    }

    @Override
    public void settleAcknowledgements() {
        deletions.settle();
    }

    @Override
    protected boolean isServed() {
        return watch.isServed();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        if (deletes) {
            facts.put("deletionsRefused", deletions.refused());
        }
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("deletionsRefused") || super.isCount(fact);
    }

    @Override
    public Optional<String> engineErrors() {
        return deletions.sentence();
    }

    @Override
    protected void release() {
        settleAcknowledgements();
        super.release();
        watch.close();
        topics.close();
    }
}
