package io.tickmark.engines.kafka;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets in the place of brokers. */
@Timeout(60)
class WatchTest {
    private ServerSocket one;
    private ServerSocket other;

    @BeforeEach
    void open() throws IOException {
        one = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        other = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
    }

    @AfterEach
    void close() throws IOException {
        one.close();
        other.close();
    }

    private BrokerChannel<KafkaParameters> channel() {
        return new KafkaTransport()
                .channel(
                        ChannelUri.parse(
                                "kafka://127.0.0.1:%d,127.0.0.1:%d"
                                        .formatted(one.getLocalPort(), other.getLocalPort())));
    }

    /** It would keep a broker's connections for as long as the role lives. */
    @Test
    void shouldEndItsConnectionsWhenItIsClosed() throws IOException {
        final Watch watch = new Watch(channel(), 1);
        try (Socket toOne = one.accept();
                Socket toOther = other.accept()) {
            assertThat(watch.isServed()).isTrue();

            watch.close();

            assertThat(toOne.getInputStream().read()).isEqualTo(-1);
            assertThat(toOther.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldCallTheStoreLostOnceFewerAreLeftThanAMessageNeeds() throws IOException {
        try (Watch all = new Watch(channel(), 2);
                Watch any = new Watch(channel(), 1)) {
            try (Socket _ = one.accept();
                    Socket _ = one.accept()) {
                one.close();
            }

            until("it is seen", () -> !all.isServed() && all.isLost());
            assertThat(any.isServed()).isTrue();
            assertThat(any.isLost()).isFalse();
        }
    }
}
