package io.tickmark.lab.hosts;

import io.tickmark.kernel.time.ClockOffset;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.concurrent.NanoClock;

/** Asks a {@link ClockEcho} for the time, many times within some milliseconds. */
final class ClockProbe {
    private static final int EXCHANGES = 400;
    private static final int LOST_AT_MOST = 20;
    private static final long ANSWER_NS = 50_000_000;
    private static final long LONGEST_NS = 2_000_000_000;

    /** Exchanges further apart than this tell less of each other, because clocks drift. */
    private static final long WINDOW_NS = 20_000_000;

    private ClockProbe() {}

    /** A token that nobody else guesses. */
    static long token() {
        return ThreadLocalRandom.current().nextLong();
    }

    /** The offset of the other clock; empty where no answer comes. */
    static Optional<ClockOffset> measure(
            final InetSocketAddress echo, final long token, final NanoClock clock) {
        Optional<ClockOffset> best = Optional.empty();
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(echo);
            channel.configureBlocking(false);
            final ByteBuffer buffer = ByteBuffer.allocateDirect(ClockEcho.ANSWER_BYTES);
            final long untilNs = clock.nanoTime() + LONGEST_NS;
            int lost = 0;
            int asked = 0;
            while (asked < EXCHANGES && lost < LOST_AT_MOST && clock.nanoTime() - untilNs < 0) {
                final ClockOffset.Estimator estimator = new ClockOffset.Estimator();
                final long windowNs = clock.nanoTime() + WINDOW_NS;
                while (asked < EXCHANGES
                        && lost < LOST_AT_MOST
                        && clock.nanoTime() - windowNs < 0) {
                    lost += ask(channel, buffer, token, asked++, clock, estimator) ? 0 : 1;
                }
                best = narrower(best, estimator);
            }
            buffer.clear().putLong(token).putLong(-1).flip();
            channel.write(buffer);
        } catch (final IOException e) {
            // no way to it by UDP
        }
        return best;
    }

    private static Optional<ClockOffset> narrower(
            final Optional<ClockOffset> best, final ClockOffset.Estimator estimator) {
        if (estimator.exchanges() == 0) {
            return best;
        }
        final ClockOffset found = estimator.estimate();
        return best.isPresent() && best.get().boundNs() <= found.boundNs()
                ? best
                : Optional.of(found);
    }

    private static boolean ask(
            final DatagramChannel channel,
            final ByteBuffer buffer,
            final long token,
            final int number,
            final NanoClock clock,
            final ClockOffset.Estimator estimator)
            throws IOException {
        buffer.clear().putLong(token).putLong(number).flip();
        final long sentNs = clock.nanoTime();
        channel.write(buffer);
        long nowNs = sentNs;
        while (nowNs - sentNs < ANSWER_NS) {
            buffer.clear();
            final int length = channel.read(buffer);
            nowNs = clock.nanoTime();
            if (length == ClockEcho.ANSWER_BYTES
                    && buffer.getLong(0) == token
                    && buffer.getLong(8) == number) {
                estimator.add(sentNs, buffer.getLong(16), buffer.getLong(24), nowNs);
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
