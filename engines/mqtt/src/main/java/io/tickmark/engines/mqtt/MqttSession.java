package io.tickmark.engines.mqtt;

import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttClientState;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.Mqtt3Subscribe;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.reactivex.Flowable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A session with one version of the protocol, which ends with its connection: clean at its start
 * (MQTT 3.1.1 and 5, section 3.1.2.4). Any thread; messages arrive on the client's thread.
 */
interface MqttSession {
    /** Largest packet where the broker names no limit (MQTT 5, section 2.1.4). */
    int LARGEST_PACKET_BYTES = 268_435_460;

    /** The client's credentials; none where the name is empty. */
    record Identity(String username, byte[] password) {}

    /**
     * A received message.
     *
     * @param acknowledgement to be run once it is stored here; does nothing with qos=0
     */
    record Arrival(byte[] payload, Runnable acknowledgement) {}

    /**
     * What the broker named when it accepted the connection.
     *
     * @param packetBytes size of the largest packet that it accepts
     * @param qos highest quality of service that it publishes with (MQTT 5, section 3.2.2.3.4)
     */
    record Limits(int packetBytes, int qos) {}

    /** Ends with the broker's limits; MQTT 3.1.1 names none. */
    CompletableFuture<Limits> connect(Identity identity);

    /**
     * Sends payloads to a topic as they are offered, and is notified for each whether it was
     * acknowledged (empty) or never will be (the reason).
     */
    Flowable<Optional<Throwable>> publish(String topic, Flowable<byte[]> payloads);

    /** The messages received by this client from now on. */
    Flowable<Arrival> arrivals();

    /**
     * Ends with the quality of service that the broker granted, which may be lower than what was
     * asked for (MQTT 3.1.1 and 5, section 3.9).
     */
    CompletableFuture<Integer> subscribe(String topic);

    CompletableFuture<Void> disconnect();

    MqttClientState state();

    static MqttSession of(final MqttClientBuilder client, final MqttParameters parameters) {
        final MqttQos qos = MqttQos.fromCode(parameters.qos());
        return parameters.version().equals(MqttParameters.V3)
                ? new Version3(client.useMqttVersion3().buildAsync(), qos)
                : new Version5(client.useMqttVersion5().buildAsync(), qos);
    }

    /** MQTT 3.1.1. */
    record Version3(Mqtt3AsyncClient client, MqttQos qos) implements MqttSession {
        @Override
        public CompletableFuture<Limits> connect(final Identity identity) {
            final var connect = Mqtt3Connect.builder().cleanSession(true);
            if (!identity.username().isEmpty()) {
                connect.simpleAuth()
                        .username(identity.username())
                        .password(identity.password())
                        .applySimpleAuth();
            }
            return client.connect(connect.build())
                    .thenApply(answer ->
                            new Limits(LARGEST_PACKET_BYTES, MqttQos.EXACTLY_ONCE.getCode()));
        }

        @Override
        public Flowable<Optional<Throwable>> publish(
                final String topic, final Flowable<byte[]> payloads) {
            final Mqtt3Publish empty = Mqtt3Publish.builder().topic(topic).qos(qos).build();
            return client.toRx()
                    .publish(payloads.map(bytes -> empty.extend().payload(bytes).build()))
                    .map(sent -> sent.getError());
        }

        @Override
        public Flowable<Arrival> arrivals() {
            return client.toRx()
                    .publishes(MqttGlobalPublishFilter.ALL, true)
                    .map(come -> new Arrival(come.getPayloadAsBytes(), come::acknowledge));
        }

        @Override
        public CompletableFuture<Integer> subscribe(final String topic) {
            return client.subscribe(Mqtt3Subscribe.builder().topicFilter(topic).qos(qos).build())
                    .thenApply(answer -> answer.getReturnCodes().getFirst().getCode());
        }

        @Override
        public CompletableFuture<Void> disconnect() {
            return client.disconnect();
        }

        @Override
        public MqttClientState state() {
            return client.getState();
        }
    }

    /**
     * MQTT 5. Receive Maximum stays at its largest: with 10 the client (1.4.2) closed connections
     * to brokers that respected it.
     */
    record Version5(Mqtt5AsyncClient client, MqttQos qos) implements MqttSession {
        @Override
        public CompletableFuture<Limits> connect(final Identity identity) {
            final var connect = Mqtt5Connect.builder().cleanStart(true);
            if (!identity.username().isEmpty()) {
                connect.simpleAuth()
                        .username(identity.username())
                        .password(identity.password())
                        .applySimpleAuth();
            }
            return client.connect(connect.build())
                    .thenApply(Mqtt5ConnAck::getRestrictions)
                    .thenApply(limits ->
                            new Limits(
                                    limits.getMaximumPacketSize(),
                                    limits.getMaximumQos().getCode()));
        }

        @Override
        public Flowable<Optional<Throwable>> publish(
                final String topic, final Flowable<byte[]> payloads) {
            final Mqtt5Publish empty = Mqtt5Publish.builder().topic(topic).qos(qos).build();
            return client.toRx()
                    .publish(payloads.map(bytes -> empty.extend().payload(bytes).build()))
                    .map(sent -> sent.getError());
        }

        @Override
        public Flowable<Arrival> arrivals() {
            return client.toRx()
                    .publishes(MqttGlobalPublishFilter.ALL, true)
                    .map(come -> new Arrival(come.getPayloadAsBytes(), come::acknowledge));
        }

        @Override
        public CompletableFuture<Integer> subscribe(final String topic) {
            return client.subscribe(Mqtt5Subscribe.builder().topicFilter(topic).qos(qos).build())
                    .thenApply(answer -> answer.getReasonCodes().getFirst().getCode());
        }

        @Override
        public CompletableFuture<Void> disconnect() {
            return client.disconnect();
        }

        @Override
        public MqttClientState state() {
            return client.getState();
        }
    }
}
