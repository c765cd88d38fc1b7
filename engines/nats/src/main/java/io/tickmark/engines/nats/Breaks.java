package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import java.time.Duration;
import org.agrona.concurrent.SystemNanoClock;

/**
 * When a connection broke, and whether its store is lost with it: a single server is lost at once,
 * of a cluster another member takes over within a moment. Events come on a thread of the client's;
 * all may ask.
 */
final class Breaks implements ConnectionListener {
    /** Longer than a client needs to find another member, shorter than a restart of all. */
    private static final long MOMENT_NS = Duration.ofMillis(1500).toNanos();

    private static final long NEVER = Long.MIN_VALUE;

    private final boolean replicated;
    private volatile long brokeNs = NEVER;
    private volatile boolean lost;
    private volatile int count;

    Breaks(final NatsChannel channel) {
        replicated = channel.parameters().replicas() > 1;
    }

    @SuppressWarnings("deprecation") // its successor tells nothing that is needed here
    @Override
    public synchronized void connectionEvent(final Connection connection, final Events event) {
        switch (event) {
            case DISCONNECTED -> {
                brokeNs = SystemNanoClock.INSTANCE.nanoTime();
                lost |= !replicated;
            }
            case RECONNECTED -> {
                isLost();
                brokeNs = NEVER;
                count++;
            }
            default -> {
                // Others change nothing here.
            }
        }
    }

    /** Whether what was not acknowledged may be gone; final. */
    boolean isLost() {
        final long since = brokeNs;
        if (since != NEVER && SystemNanoClock.INSTANCE.nanoTime() - since > MOMENT_NS) {
            lost = true;
        }
        return lost;
    }

    /** How often another member took over. */
    int count() {
        return count;
    }
}
