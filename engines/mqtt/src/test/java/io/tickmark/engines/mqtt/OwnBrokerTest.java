package io.tickmark.engines.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.ServerSpec;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of messages at a broker of ours rests on the settings that it is started with. */
class OwnBrokerTest {
    private static final ChannelUri OWN = ChannelUri.parse("mqtt:?qos=1");

    private final MqttTransport mqtt = new MqttTransport();

    @TempDir private Path folder;

    @BeforeAll
    static void needBroker() {
        MqttNeeds.broker();
    }

    private List<String> settings() {
        final BrokerChannel<MqttParameters> channel = mqtt.channel(OWN);
        final InetAddress host = InetAddress.getLoopbackAddress();
        final ServerSpec.Member member =
                new ServerSpec.Member(
                        1, new HostPort(host.getHostAddress(), host, 1883), 0, folder);
        return mqtt.server(channel, member, List.of(member), false)
                .files()
                .get("mosquitto.conf")
                .lines()
                .toList();
    }

    @Test
    void shouldSayThatNothingIsGatheredAsTheBrokerSendsAtOnce() {
        assertThat(mqtt.plainMessages(OWN).batching()).isEqualTo(PlainMessages.NONE);
        assertThat(settings()).contains("set_tcp_nodelay true");
    }

    @Test
    void shouldPromiseToLoseNothingAsTheQueuesOfTheBrokerHaveNoLimit() {
        assertThat(mqtt.traits(OWN).reliable()).isTrue();
        assertThat(settings()).contains("max_queued_messages 0", "max_queued_bytes 0");
    }

    @Test
    void shouldSayThatMessagesAreInMemoryAsTheBrokerWritesNone() {
        assertThat(mqtt.plainMessages(OWN).kept()).isEqualTo("D0 memory");
        assertThat(settings()).contains("persistence false");
    }
}
