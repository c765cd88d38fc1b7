package io.tickmark.engines.mqtt;

import io.tickmark.transport.ChannelUri;

/** At least once by MQTT 5, at brokers that each binding side starts. */
class AtLeastOnceContractTest extends MqttContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("mqtt:?qos=1");
    }
}
