package io.tickmark.engines.mqtt;

import io.tickmark.transport.ChannelUri;

/** Exactly once by MQTT 3.1.1, few at a time, at brokers that each binding side starts. */
class ExactlyOnceContractTest extends MqttContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("mqtt:?qos=2&version=3.1.1&maxFlight=16");
    }
}
