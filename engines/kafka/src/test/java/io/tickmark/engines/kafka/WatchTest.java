package io.tickmark.engines.kafka;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.stream.Stream;
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

    private Watch.Copies copies(final boolean areOurs) {
        return new Watch.Copies(
                2,
                Stream.of(one, other)
                        .map(ServerSocket::getLocalSocketAddress)
                        .map(InetSocketAddress.class::cast)
                        .toList(),
                areOurs);
    }

    /** It would keep a broker's connections for as long as the role lives. */
    @Test
    void shouldEndItsConnectionsWhenItIsClosed() throws IOException {
        final Watch watch = new Watch(copies(true), 1);
        try (Socket toOne = one.accept();
                Socket toOther = other.accept()) {
            assertThat(watch.isServed()).isTrue();

            watch.close();

            assertThat(toOne.getInputStream().read()).isEqualTo(-1);
            assertThat(toOther.getInputStream().read()).isEqualTo(-1);
            assertThat(watch.isLost()).as("as a broker that has ended").isFalse();
        }
    }

    @Test
    void shouldCallTheStoreLostOnceFewerAreLeftThanAMessageNeeds() throws IOException {
        try (Watch all = new Watch(copies(true), 2);
                Watch any = new Watch(copies(true), 1)) {
            try (Socket _ = one.accept();
                    Socket _ = one.accept()) {
                one.close();
            }

            until("it is seen", () -> !all.isServed() && all.isLost());
            assertThat(any.isServed()).isTrue();
            assertThat(any.isLost()).isFalse();
        }
    }

    /** It may be that only we cannot reach it. */
    @Test
    void shouldNotCallAGivenBrokerEndedThatItNeverReached() throws IOException {
        final Watch.Copies given = copies(false);
        final Watch.Copies ours = copies(true);
        one.close();
        try (Watch ofGiven = new Watch(given, 2);
                Watch ofOurs = new Watch(ours, 2)) {
            until("it was tried", () -> !ofOurs.isServed());
            assertThat(ofGiven.isServed()).isTrue();
            assertThat(ofGiven.isLost()).isFalse();

            try (Socket _ = other.accept();
                    Socket _ = other.accept()) {
                other.close();
            }
            until("the end of one that was reached is seen", () -> !ofGiven.isServed());
        }
    }
}
