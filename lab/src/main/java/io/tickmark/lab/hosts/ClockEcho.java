package io.tickmark.lab.hosts;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * Answers requests for the time over UDP. A request is a token and a number, 8 bytes each; the
 * answer repeats both and adds when the request arrived and when the answer was sent, in
 * nanoseconds of the monotonic clock. Anything else is ignored, and a spinning echo answers nothing
 * after {@link #LIFE_NS}.
 */
final class ClockEcho implements Runnable {
    static final int QUESTION_BYTES = 16;
    static final int ANSWER_BYTES = 32;
    static final long LIFE_NS = 3_000_000_000L;

    private final DatagramChannel channel;
    private final long token;
    private final NanoClock clock;
    private final boolean isPatient;

    private ClockEcho(
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
                        .start(new ClockEcho(channel, token, clock, isPatient));
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
     * Spins where it is not patient, because a thread that sleeps answers late, and a late answer
     * widens the bound; see {@link ClockProbe#betweenLooks}.
     */
    @Override
    public void run() {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(ANSWER_BYTES);
        final long untilNs = clock.nanoTime() + LIFE_NS;
        final IdleStrategy idle = ClockProbe.betweenLooks();
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
