package io.tickmark.engines.kafka;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * The ends of plain topics, each with its own client, which keeps retrying and does not report it:
 * whether the brokers run is watched.
 */
final class KafkaLink implements BrokerTransport.Link {
    private final BrokerChannel<KafkaParameters> channel;

    /** Of the brokers of the topic that was opened first; none before. */
    private Optional<Watch> watch = Optional.empty();

    KafkaLink(final BrokerChannel<KafkaParameters> channel) {
        this.channel = channel;
    }

    private void watch(final Topics topics, final String name) {
        if (watch.isEmpty()) {
            final KafkaParameters parameters = channel.parameters();
            watch =
                    Optional.of(
                            new Watch(
                                    topics.copies(name),
                                    parameters.acks() == KafkaParameters.Acks.ALL
                                            ? parameters.quorum()
                                            : 1,
                                    () -> Topics.running(channel, name)));
        }
    }

    @Override
    public BrokerPublication publication(final String name) {
        return Topics.ask(
                channel,
                name,
                topics -> {
                    watch(topics, name);
                    return new Sender(channel, name);
                });
    }

    /** Messages sent from now on are received, earlier ones are not. */
    @Override
    public BrokerSubscription subscription(final String name) {
        return Topics.ask(
                channel,
                name,
                topics -> {
                    watch(topics, name);
                    return new KafkaSubscription(
                            channel, name, topics.offset(name, OffsetSpec.latest()));
                });
    }

    @Override
    public boolean isServed() {
        return watch.map(Watch::isServed).orElse(true);
    }

    @Override
    public Optional<String> errors() {
        return watch.flatMap(Watch::errors);
    }

    @Override
    public Map<String, Object> facts() {
        return KafkaTransport.facts(channel);
    }

    @Override
    public void close() {
        watch.ifPresent(Watch::close);
    }

    /** With no time to wait, a message that cannot be accepted has failed when the call returns. */
    static boolean isTaken(final Future<?> sent) {
        return !sent.isDone() || sent.state() != Future.State.FAILED;
    }

    /** Sends to a topic of one partition; a full buffer of the producer is back-pressure. */
    private static final class Sender extends BrokerPublication {
        private static final Duration CLOSING = Duration.ofSeconds(5);

        private final String topic;
        private final KafkaProducer<byte[], byte[]> producer;
        private final EngineErrors failures =
                new EngineErrors(
                        "A message that the producer had accepted was not acknowledged: %s.",
                        "%d messages that the producer had accepted were not acknowledged, the first: %s.");
        private final Callback counting =
                (metadata, error) -> {
                    if (error != null) {
                        failures.add(error);
                    }
                };

        Sender(final BrokerChannel<KafkaParameters> channel, final String topic) {
            super(channel, channel.parameters().broker().maxPayloadBytes());
            this.topic = topic;
            producer = Clients.producer(channel, topic);
        }

        @Override
        protected long send(final DirectBuffer buffer, final int offset, final int length) {
            final byte[] copy = copy(buffer, offset, length);
            try {
                if (!isTaken(producer.send(new ProducerRecord<>(topic, 0, null, copy), counting))) {
                    failures.takeBack(); // its call-back was called, too
                    return BACK_PRESSURED;
                }
                return 0;
            } catch (final KafkaException | IllegalStateException e) {
                return CLOSED; // an earlier message was refused for good
            }
        }

        @Override
        protected Optional<String> errors() {
            return EngineErrors.together(failures.sentence(), super.errors());
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("sendFailures", failures.count());
            return facts;
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("sendFailures") || super.isCount(fact);
        }

        @Override
        protected void release() {
            BoundedClose.of(() -> producer.close(CLOSING));
            // what was not acknowledged until now has failed
            CloseHelper.quietClose(() -> producer.close(Duration.ZERO));
        }
    }
}
