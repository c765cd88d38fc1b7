package io.tickmark.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class ClockProbeTest {
    private static final long AHEAD_NS = 123_456_789_000L;
    private static final String HERE = "127.0.0.1";
    private static final int MOST_TRIES = 10;

    @Test
    void shouldFindHowFarAClockIsAheadWithinItsBound() {
        // An echo that does not get a core for a second gives no answer.
        Optional<ClockReading> answer = measureAhead();
        for (int tries = 1; tries < MOST_TRIES && answer.isEmpty(); tries++) {
            answer = measureAhead();
        }

        final ClockOffset found = answer.orElseThrow().offset();
        assertThat(Math.abs(found.offsetNs() - AHEAD_NS)).isLessThanOrEqualTo(found.boundNs());
        assertThat(found.exchanges()).isPositive();
    }

    private static Optional<ClockReading> measureAhead() {
        final long token = ClockProbe.token();
        final int port = ClockProbe.Echo.start(HERE, token, () -> System.nanoTime() + AHEAD_NS);
        return ClockProbe.measure(
                new InetSocketAddress(HERE, port), token, SystemNanoClock.INSTANCE);
    }

    @Test
    void shouldGetNoAnswerWithoutTheToken() {
        final int port = ClockProbe.Echo.start(HERE, 5, SystemNanoClock.INSTANCE);

        assertThat(
                        ClockProbe.measure(
                                new InetSocketAddress(HERE, port), 6, SystemNanoClock.INSTANCE))
                .isEmpty();
    }

    @Test
    void shouldIgnoreWhatIsNoAnswer() throws Exception {
        final DatagramChannel liar = DatagramChannel.open();
        liar.bind(new InetSocketAddress(HERE, 0));
        final int port = liar.socket().getLocalPort();
        final Thread lies = Thread.ofPlatform().daemon().start(() -> lie(liar));

        assertThat(
                        ClockProbe.measure(
                                new InetSocketAddress(HERE, port), 1, SystemNanoClock.INSTANCE))
                .isEqualTo(Optional.empty());

        liar.close();
        lies.join(5_000);
    }

    private static void lie(final DatagramChannel liar) {
        try {
            while (true) {
                final SocketAddress from = liar.receive(ByteBuffer.allocate(64));
                liar.send(ByteBuffer.allocate(7), from);
            }
        } catch (final IOException e) {
            return; // closed
        }
    }
}
