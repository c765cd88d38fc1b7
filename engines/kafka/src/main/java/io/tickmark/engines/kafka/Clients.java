package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import java.net.Socket;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Creates Kafka's clients as a channel requires them. */
final class Clients {
    private static final long METADATA_NS = 20_000_000_000L;
    private static final long LOOK_NS = 10_000_000;
    private static final int PROBE_MS = 5000;

    private Clients() {}

    /** Reports an absent broker early: Kafka's own clients would retry for ever. */
    static void requireAnswer(final BrokerChannel<KafkaParameters> channel) {
        for (final var address : channel.addresses()) {
            try (Socket probe = new Socket()) {
                probe.connect(address.socketAddress(), PROBE_MS);
                return;
            } catch (final java.io.IOException e) {
                // Perhaps the next one.
            }
        }
        throw channel.failed(
                "no Kafka broker answers there; start one, or let it be started with ?start", null);
    }

    /** A producer that never waits, and already knows the topic's leader. */
    static KafkaProducer<byte[], byte[]> producer(
            final BrokerChannel<KafkaParameters> channel, final String topic) {
        final KafkaParameters parameters = channel.parameters();
        final Properties properties = common(channel);
        final int requestBytes =
                parameters.broker().maxPayloadBytes() + Topics.BATCH_OVERHEAD_BYTES;
        properties.put(ProducerConfig.ACKS_CONFIG, parameters.acks().word());
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, parameters.isIdempotent());
        properties.put(ProducerConfig.LINGER_MS_CONFIG, parameters.linger().toMillis());
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, parameters.batchBytes());
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) parameters.bufferBytes());
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.max(requestBytes, 1 << 20));
        properties.put(
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                parameters.compression().name().toLowerCase(Locale.ROOT));
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 80_000);
        if (!parameters.isIdempotent()) {
            properties.put(
                    ProducerConfig.RETRIES_CONFIG, 0); // retransmissions may arrive out of order
        }
        final KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            awaitMetadata(channel, producer, topic);
            return producer;
        } catch (final RuntimeException e) {
            producer.close(java.time.Duration.ZERO);
            throw e;
        }
    }

    private static void awaitMetadata(
            final BrokerChannel<KafkaParameters> channel,
            final KafkaProducer<byte[], byte[]> producer,
            final String topic) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (SystemNanoClock.INSTANCE.nanoTime() - startNs < METADATA_NS) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (final RetriableException e) {
                LockSupport.parkNanos(LOOK_NS); // requested, not received yet
            }
        }
        throw channel.failed("topic '" + topic + "' has no leader", null);
    }

    static KafkaConsumer<byte[], byte[]> consumer(final BrokerChannel<KafkaParameters> channel) {
        final Properties properties = common(channel);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                Math.max(1 << 20, channel.parameters().broker().maxPayloadBytes() * 2));
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 20_000);
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        return new KafkaConsumer<>(
                properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static Properties common(final BrokerChannel<KafkaParameters> channel) {
        final Properties properties = new Properties();
        properties.put("bootstrap.servers", channel.authority());
        properties.put("client.id", "tickmark");
        properties.put("reconnect.backoff.ms", 20);
        properties.put("reconnect.backoff.max.ms", 200);
        properties.put("retry.backoff.ms", 20);
        properties.put("metric.reporters", "");
        properties.put("auto.include.jmx.reporter", "false");
        properties.put("enable.metrics.push", "false");
        return properties;
    }

    static UserError refused(final BrokerChannel<KafkaParameters> channel, final KafkaException e) {
        final String said = String.valueOf(e.getMessage()).strip();
        return channel.failed(
                "Kafka refuses: "
                        + (said.endsWith(".") ? said.substring(0, said.length() - 1) : said),
                e);
    }
}
