package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Round trips on one thread that allocate nothing themselves, so that the transport's allocations
 * show.
 */
final class RoundTrips {
    private static final int SPINS_BEFORE_RESEND = 20_000;

    private final TransportFixture.Ends binder;
    private final TransportFixture.Ends connector;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final long patienceNs;
    private int sequence;

    RoundTrips(
            final TransportFixture.Ends binder,
            final TransportFixture.Ends connector,
            final long patienceNs) {
        this.binder = binder;
        this.connector = connector;
        this.patienceNs = patienceNs;
    }

    void run(final int count) {
        final long startNs = clock.nanoTime();
        for (int i = 0; i < count; i++) {
            sequence++;
            oneWay(binder, connector, startNs);
            oneWay(connector, binder, startNs);
        }
    }

    private void oneWay(
            final TransportFixture.Ends from, final TransportFixture.Ends to, final long startNs) {
        while (to.inbox().lastSequence() < sequence) {
            final boolean taken =
                    from.outbox().offer(from.publication(), sequence, TransportFixture.LENGTH) >= 0;
            from.publication().flush();
            for (int spin = 0;
                    spin < SPINS_BEFORE_RESEND && to.inbox().lastSequence() < sequence;
                    spin++) {
                from.publication().doWork();
                to.pump();
                if (!taken || (spin & 0xff) == 0xff) {
                    Thread.yield();
                }
            }
            if (clock.nanoTime() - startNs > patienceNs) {
                assertThat(to.inbox().lastSequence()).isEqualTo(sequence);
            }
        }
    }
}
