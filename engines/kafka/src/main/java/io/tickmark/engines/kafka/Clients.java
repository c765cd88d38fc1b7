package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Properties;
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
    private static final Duration METADATA = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final int PROBE_MS = 5000;

    private static final int CORRELATION = 0x7469_636b;
    private static final int TLS_ALERT = 21;

    /** For no topic: length, key 3, version 1, correlation, no name of the client, no topics. */
    private static final byte[] METADATA_REQUEST =
            ByteBuffer.allocate(18)
                    .putInt(14)
                    .putShort((short) 3)
                    .putShort((short) 1)
                    .putInt(CORRELATION)
                    .putShort((short) -1)
                    .putInt(0)
                    .array();

    private Clients() {}

    /** Reports an absent broker early: Kafka's own clients would retry for ever. */
    static void requireAnswer(final BrokerChannel<KafkaParameters> channel) {
        for (final HostPort address : channel.addresses()) {
            try (Socket probe = new Socket()) {
                probe.connect(address.socketAddress(), PROBE_MS);
                return;
            } catch (final IOException e) {
                // Perhaps the next one.
            }
        }
        throw absent(channel, null);
    }

    /** The error where a request has timed out although something listens there. */
    static UserError unanswered(
            final BrokerChannel<KafkaParameters> channel, final Throwable cause) {
        return channel.addresses().stream().anyMatch(Clients::isDropped)
                ? channel.failed(
                        "what listens there takes no unencrypted Kafka client without a password: it is no"
                                + " Kafka broker, or asks for TLS or SASL, which are not supported; give a"
                                + " PLAINTEXT listener",
                        cause)
                : absent(channel, cause);
    }

    /**
     * Whether a first request that is neither encrypted nor preceded by a password ends the
     * connection, at most with an alert (RFC 8446, 5.1). A broker that stands still, or is slow,
     * leaves it open, and other servers answer in their own protocol.
     */
    private static boolean isDropped(final HostPort address) {
        try (Socket probe = new Socket()) {
            probe.connect(address.socketAddress(), PROBE_MS);
            probe.setSoTimeout(PROBE_MS);
            probe.getOutputStream().write(METADATA_REQUEST);
            final int first = probe.getInputStream().read();
            return first < 0 || first == TLS_ALERT;
        } catch (final ConnectException | NoRouteToHostException | SocketTimeoutException e) {
            return false;
        } catch (final IOException e) { // such as a reset
            return true;
        }
    }

    /** The error where brokers do not answer; the cause may be null. */
    private static UserError absent(
            final BrokerChannel<KafkaParameters> channel, final Throwable cause) {
        return channel.unanswered(
                "Kafka broker", cause == null ? "" : EngineErrors.said(cause), cause);
    }

    /** A producer that never waits, and already knows the topic's leader. */
    static KafkaProducer<byte[], byte[]> producer(
            final BrokerChannel<KafkaParameters> channel, final String topic) {
        final KafkaParameters parameters = channel.parameters();
        final Properties properties = common(channel);
        properties.put(ProducerConfig.ACKS_CONFIG, parameters.acks().word());
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, parameters.isIdempotent());
        properties.put(ProducerConfig.LINGER_MS_CONFIG, parameters.linger().toMillis());
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, parameters.batchBytes());
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) parameters.bufferBytes());
        properties.put(
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                Math.max(parameters.mostBatchBytes(), 1 << 20));
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, parameters.compression().word());
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
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private static void awaitMetadata(
            final BrokerChannel<KafkaParameters> channel,
            final KafkaProducer<byte[], byte[]> producer,
            final String topic) {
        try {
            new Patience(METADATA, LOOK)
                    .ask(() -> producer.partitionsFor(topic), RetriableException.class::isInstance);
        } catch (final RetriableException e) { // requested, and still not received
            throw channel.failed("topic '" + topic + "' has no leader", e);
        }
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

    static Properties common(final BrokerChannel<KafkaParameters> channel) {
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
        return channel.failed("Kafka refuses: " + EngineErrors.said(e), e);
    }
}
