package io.tickmark.engines.mqtt;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** At most once by MQTT 5, all tests through one broker, which represents a given one. */
class MqttContractTest extends TransportContractTest {
    private static Exchange keeper;
    private static int tests;

    @BeforeAll
    static void startBroker() {
        Needed.broker();
        keeper =
                new MqttTransport()
                        .exchange(ChannelUri.parse("mqtt:"), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    @AfterAll
    static void endBroker() {
        if (keeper != null) {
            keeper.close();
        }
    }

    @Override
    protected Transport transport() {
        return new MqttTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "mqtt://%s?prefix=test-%d".formatted(keeper.channel().authority(), ++tests));
    }

    /** Client and broker share the cores with other processes. */
    @Override
    protected Duration patience() {
        return Duration.ofMinutes(3);
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("mqtt://127.0.0.1:port"),
                ChannelUri.parse("mqtt://127.0.0.1:70000"),
                ChannelUri.parse("mqtt://[::1:1"),
                ChannelUri.parse("mqtt://127.0.0.1:1883,127.0.0.1:1884"),
                ChannelUri.parse("mqtt:?version=4"),
                ChannelUri.parse("mqtt:?prefix=a//b"),
                ChannelUri.parse("mqtt:?prefix=%23"),
                ChannelUri.parse("mqtt:?passwordFile=/etc/hostname"));
    }
}
