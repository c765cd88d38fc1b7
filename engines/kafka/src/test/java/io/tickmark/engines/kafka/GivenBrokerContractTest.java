package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Plain streams, all tests through one broker. */
class GivenBrokerContractTest extends TransportContractTest {
    private static Exchange keeper;
    private static int tests;

    @BeforeAll
    static void startBroker() {
        keeper =
                new KafkaTransport()
                        .exchange(ChannelUri.parse("kafka:"), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    @AfterAll
    static void endBroker() {
        keeper.close();
    }

    @Override
    protected Transport transport() {
        return new KafkaTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "kafka://%s?prefix=test-%d".formatted(keeper.channel().authority(), ++tests));
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("kafka://127.0.0.1:port"),
                ChannelUri.parse("kafka://127.0.0.1:70000"),
                ChannelUri.parse("kafka://127.0.0.1:9092,127.0.0.1:0"),
                ChannelUri.parse("kafka:?prefix=a%20b"),
                ChannelUri.parse("kafka:?acks=leader&idempotence"));
    }
}
