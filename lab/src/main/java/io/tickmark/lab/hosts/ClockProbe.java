package io.tickmark.lab.hosts;

import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/** Queries a {@link Echo} for the time, many times within some milliseconds. */
final class ClockProbe {
    private static final int EXCHANGES = 400;
    private static final int LOST_AT_MOST = 20;
    private static final long ANSWER_NS = 50_000_000;
    private static final long LONGEST_NS = 2_000_000_000;

    /** Exchanges further apart than this are less comparable, because clocks drift. */
    private static final long WINDOW_NS = 20_000_000;

    /** A look takes about a microsecond. */
    private static final int SPINS = 500;

    private static final int YIELDS = 10;
    private static final long SHORTEST_PAUSE_NS = 5_000;
    private static final long LONGEST_PAUSE_NS = 50_000;

    private static final int GLANCE_EXCHANGES = 8;
    private static final int GLANCE_ANSWER_MS = 20;

    private ClockProbe() {}

    /** A token that cannot be guessed. */
    static long token() {
        return ThreadLocalRandom.current().nextLong();
    }

    /**
     * The offset of the other clock from few exchanges, waiting for each without spinning; empty
     * where no answer arrives.
     */
    static Optional<ClockReading> glance(
            final InetSocketAddress echo, final long token, final NanoClock clock) {
        final ClockOffset.Estimator estimator = new ClockOffset.Estimator();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(echo);
            socket.setSoTimeout(GLANCE_ANSWER_MS);
            final ByteBuffer buffer = ByteBuffer.allocate(Echo.ANSWER_BYTES);
            final DatagramPacket answer = new DatagramPacket(buffer.array(), buffer.capacity());
            for (int number = 0; number < GLANCE_EXCHANGES; number++) {
                buffer.clear().putLong(token).putLong(number);
                final DatagramPacket question =
                        new DatagramPacket(buffer.array(), Echo.QUESTION_BYTES);
                final long sentNs = clock.nanoTime();
                socket.send(question);
                try {
                    do { // until the answer to this request
                        answer.setLength(buffer.capacity());
                        socket.receive(answer);
                    } while (answer.getLength() != Echo.ANSWER_BYTES
                            || buffer.getLong(0) != token
                            || buffer.getLong(8) != number);
                    estimator.add(sentNs, buffer.getLong(16), buffer.getLong(24), clock.nanoTime());
                } catch (final SocketTimeoutException e) {
                    continue; // the others suffice; the caller counts it when all are lost
                }
            }
        } catch (final IOException e) {
            // as above
        }
        return estimator.exchanges() == 0 ? Optional.empty() : Optional.of(estimator.reading());
    }

    /** The offset of the other clock; empty where no answer arrives. */
    static Optional<ClockReading> measure(
            final InetSocketAddress echo, final long token, final NanoClock clock) {
        Optional<ClockReading> best = Optional.empty();
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(echo);
            channel.configureBlocking(false);
            final ByteBuffer buffer = ByteBuffer.allocateDirect(Echo.ANSWER_BYTES);
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
            // not reachable by UDP
        }
        return best;
    }

    private static Optional<ClockReading> narrower(
            final Optional<ClockReading> best, final ClockOffset.Estimator estimator) {
        if (estimator.exchanges() == 0) {
            return best;
        }
        final ClockReading found = estimator.reading();
        return best.isPresent() && best.get().offset().boundNs() <= found.offset().boundNs()
                ? best
                : Optional.of(found);
    }

    /**
     * Spins between two looks, and pauses once nothing has come for half a millisecond: then the
     * answer is from far away, where a pause of this length hardly widens the bound, or the other
     * side waits for the core that spinning would keep from it.
     */
    private static IdleStrategy betweenLooks() {
        return new BackoffIdleStrategy(SPINS, YIELDS, SHORTEST_PAUSE_NS, LONGEST_PAUSE_NS);
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
        final IdleStrategy idle = betweenLooks();
        final long sentNs = clock.nanoTime();
        channel.write(buffer);
        long nowNs = sentNs;
        while (nowNs - sentNs < ANSWER_NS) {
            buffer.clear();
            final int length = channel.read(buffer);
            nowNs = clock.nanoTime();
            if (length == Echo.ANSWER_BYTES
                    && buffer.getLong(0) == token
                    && buffer.getLong(8) == number) {
                estimator.add(sentNs, buffer.getLong(16), buffer.getLong(24), nowNs);
                return true;
            }
            idle.idle();
        }
        return false;
    }

    /**
     * Answers requests for the time over UDP. A request is a token and a number, 8 bytes each; the
     * answer repeats both and adds when the request arrived and when the answer was sent, in
     * nanoseconds of the monotonic clock. Anything else is ignored, and a spinning echo answers
     * nothing after {@link #LIFE_NS}.
     */
    static final class Echo implements Runnable {
        static final int QUESTION_BYTES = 16;
        static final int ANSWER_BYTES = 32;
        static final long LIFE_NS = 3_000_000_000L;

        private final DatagramChannel channel;
        private final long token;
        private final NanoClock clock;
        private final boolean isPatient;

        private Echo(
                final DatagramChannel channel,
                final long token,
                final NanoClock clock,
                final boolean isPatient) {
            this.channel = channel;
            this.token = token;
            this.clock = clock;
            this.isPatient = isPatient;
        }

        /** Starts a thread that answers; returns its port, -1 where none can be opened. */
        static int start(final String address, final long token, final NanoClock clock) {
            return start(address, token, clock, false);
        }

        /** Starts one that waits for requests without end, for occasional requests. */
        static int startPatient(final String address, final long token, final NanoClock clock) {
            return start(address, token, clock, true);
        }

        private static int start(
                final String address,
                final long token,
                final NanoClock clock,
                final boolean isPatient) {
            try {
                final DatagramChannel channel = DatagramChannel.open();
                try {
                    channel.bind(new InetSocketAddress(address, 0));
                    channel.configureBlocking(isPatient);
                    final int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
                    Thread.ofPlatform()
                            .daemon()
                            .name("clock-echo")
                            .start(new Echo(channel, token, clock, isPatient));
                    return port;
                } catch (final IOException | RuntimeException e) {
                    channel.close();
                    throw e;
                }
            } catch (final IOException | RuntimeException e) {
                return -1; // the time is then requested over ssh
            }
        }

        /**
         * Spins where it is not patient, because a thread that sleeps answers late, and a late
         * answer widens the bound; see {@link #betweenLooks}.
         */
        @Override
        public void run() {
            final ByteBuffer buffer = ByteBuffer.allocateDirect(ANSWER_BYTES);
            final long untilNs = clock.nanoTime() + LIFE_NS;
            final IdleStrategy idle = betweenLooks();
            try (channel) {
                while (isPatient || clock.nanoTime() - untilNs < 0) {
                    buffer.clear();
                    final SocketAddress from = channel.receive(buffer);
                    final long receivedNs = clock.nanoTime();
                    idle.idle(from == null ? 0 : 1);
                    if (from == null) {
                        continue;
                    }
                    if (buffer.position() == QUESTION_BYTES && buffer.getLong(0) == token) {
                        if (buffer.getLong(Long.BYTES) < 0) {
                            return; // the last request
                        }
                        buffer.limit(ANSWER_BYTES).position(QUESTION_BYTES);
                        buffer.putLong(receivedNs).putLong(clock.nanoTime()).flip();
                        channel.send(buffer, from);
                    }
                }
            } catch (final IOException e) {
                // the client gets no answer, and falls back to ssh
            }
        }
    }
}
