package io.tickmark.engines.mqtt;

import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.time.Duration;
import java.util.List;

/** At most once by MQTT 5. */
class MqttContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new MqttTransport();
    }

    /** Some of the versions and qualities of service take long on a busy machine. */
    @Override
    protected Duration patience() {
        return Duration.ofMinutes(3);
    }

    @Override
    protected List<String> refused() {
        return List.of(
                "//127.0.0.1:4000,127.0.0.1:4001",
                "?version=4",
                "?prefix=a//b",
                "?prefix=%23",
                "?passwordFile=/etc/hostname");
    }
}
