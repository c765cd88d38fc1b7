package io.tickmark.engines.mqtt;

import io.tickmark.transport.ChannelUri;

/** At most once by MQTT 3.1.1, at brokers that each binding side starts. */
class Version3ContractTest extends MqttContractTest {
    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("mqtt:?version=3.1.1");
    }
}
