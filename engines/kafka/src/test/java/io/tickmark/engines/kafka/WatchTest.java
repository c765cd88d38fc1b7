package io.tickmark.engines.kafka;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets in the place of brokers. */
@Timeout(180)
class WatchTest {
    private ServerSocket one;
    private ServerSocket other;
    private ServerSocket third;

    @BeforeEach
    void open() throws IOException {
        one = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        other = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        third = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
    }

    @AfterEach
    void close() throws IOException {
        one.close();
        other.close();
        third.close();
    }

    private Watch.Copies copies(final boolean areOurs) {
        return new Watch.Copies(2, addresses(one, other), areOurs);
    }

    private static List<InetSocketAddress> addresses(final ServerSocket... brokers) {
        return Stream.of(brokers)
                .map(ServerSocket::getLocalSocketAddress)
                .map(InetSocketAddress.class::cast)
                .toList();
    }

    private static Watch watch(final Watch.Copies copies, final int needed) {
        return new Watch(copies, needed, copies::addresses);
    }

    /** It would keep a broker's connections for as long as the role lives. */
    @Test
    void shouldEndItsConnectionsWhenItIsClosed() throws IOException {
        final Watch watch = watch(copies(true), 1);
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
        try (Watch all = watch(copies(true), 2);
                Watch any = watch(copies(true), 1)) {
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
        try (Watch ofGiven = watch(given, 2);
                Watch ofOurs = watch(ours, 2)) {
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

    /** One more may have ended than was seen to end. */
    @Test
    void shouldCountABrokerThatWasAlreadyDownWhenItBegan() throws IOException {
        final List<InetSocketAddress> two = addresses(one, other);
        try (Watch watch = watch(new Watch.Copies(3, two, false), 2)) {
            assertThat(watch.isServed()).isTrue();
            try (Socket _ = one.accept()) {
                one.close();
            }

            until("it is seen", watch::isLost);
            assertThat(watch.isServed()).isFalse();
        }
    }

    @Test
    void shouldWatchABrokerThatReturns() throws IOException {
        final List<InetSocketAddress> two = addresses(one, other);
        final AtomicReference<List<InetSocketAddress>> running = new AtomicReference<>(two);
        try (Watch watch = new Watch(new Watch.Copies(3, two, false), 3, running::get)) {
            assertThat(watch.isServed()).isFalse();

            running.set(addresses(one, other, third));
            try (Socket _ = third.accept()) {
                until("it is back", watch::isServed);
                assertThat(watch.isLost()).isFalse();
                third.close();
            }
            until("its end is seen", watch::isLost);
        }
    }

    /** The cluster says that it does not run, so not only we cannot reach it. */
    @Test
    void shouldCountABrokerThatItNeverReachedOnceTheClusterDoesNotListIt() throws IOException {
        final Watch.Copies given = copies(false);
        final AtomicReference<List<InetSocketAddress>> running =
                new AtomicReference<>(given.addresses());
        one.close();
        try (Watch watch = new Watch(given, 2, running::get)) {
            assertThat(watch.isServed()).isTrue();

            running.set(addresses(other));

            until("the cluster was asked", () -> !watch.isServed());
            assertThat(watch.isLost()).as("its end was not seen").isFalse();
        }
    }

    @Test
    void shouldKeepWhatItKnowsWhileTheClusterDoesNotAnswer() throws IOException {
        final Watch.Copies given = copies(false);
        one.close();
        final AtomicInteger asked = new AtomicInteger();
        try (Watch watch =
                new Watch(
                        given,
                        2,
                        () -> {
                            asked.incrementAndGet();
                            throw UserError.environment("nobody answers");
                        })) {
            until("it was asked twice", () -> asked.get() > 1);

            assertThat(watch.isServed()).isTrue();
        }
    }
}
