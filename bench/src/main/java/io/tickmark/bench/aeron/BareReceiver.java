package io.tickmark.bench.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/** Polls and counts; reads the clock once a poll, and for each message only where that is asked. */
final class BareReceiver {
    private static final int POLL_LIMIT = 256;

    /** While messages keep coming, one poll in so many drives, as in our engine. */
    private static final int BUSY_TURN_MASK = 7;

    private static final int CLOCK_EVERY_MASK = 1023;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final BareClient client;
    private final Subscription subscription;
    private final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
    private final boolean clockReads;
    private long counted;
    private long delaysNs;
    private boolean ended;

    BareReceiver(final BareSettings settings, final BareClient client) {
        this.client = client;
        clockReads = settings.clockReads();
        subscription = client.aeron().addSubscription(settings.channel(), BareSender.STREAM_ID);
    }

    private void onMessage(
            final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final long phase = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
        if (phase == Phase.COUNTED) {
            counted++;
            if (clockReads) {
                delaysNs +=
                        clock.nanoTime()
                                - buffer.getLong(
                                        offset + Phase.TIME_OFFSET, ByteOrder.LITTLE_ENDIAN);
            }
        } else if (phase == Phase.END) {
            ended = true;
        }
    }

    /** Until the end, or 20 s of silence; messages received per second of the counted phase. */
    double run() {
        long heardNs = clock.nanoTime();
        long firstNs = 0;
        long lastNs = 0;
        long countedFirst = 0;
        int polls = 0;
        while (!ended) {
            final long before = counted;
            final int fragments = subscription.poll(assembler, POLL_LIMIT);
            if (fragments == 0 || (++polls & BUSY_TURN_MASK) == 0) {
                client.drive();
            }
            if (counted > before) {
                lastNs = clock.nanoTime();
                heardNs = lastNs;
                if (before == 0) {
                    firstNs = lastNs;
                    countedFirst = counted;
                }
            } else if (fragments > 0) {
                heardNs = clock.nanoTime();
            } else if ((++polls & CLOCK_EVERY_MASK) == 0
                    && clock.nanoTime() - heardNs > PATIENCE_NS) {
                break;
            }
        }
        subscription.close();
        client.drive();
        return lastNs > firstNs ? (counted - countedFirst) * 1e9 / (lastNs - firstNs) : 0;
    }

    long counted() {
        return counted;
    }

    /** Mean one-way time in ns; 0 without clock reads. */
    long meanDelayNs() {
        return counted == 0 ? 0 : delaysNs / counted;
    }
}
