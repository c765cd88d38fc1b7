package io.tickmark.bench.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** Claims, copies and commits as fast as it can. */
final class BareSender {
    static final int STREAM_ID = 1001;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int CLOCK_EVERY_MASK = 63;

    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private final BareSettings settings;
    private final BareClient client;
    private final ExclusivePublication publication;
    private final UnsafeBuffer message;
    private final BufferClaim claim = new BufferClaim();

    BareSender(final BareSettings settings, final BareClient client) {
        this.settings = settings;
        this.client = client;
        publication = client.aeron().addExclusivePublication(settings.channel(), STREAM_ID);
        message = new UnsafeBuffer(new byte[settings.payloadBytes()]);
    }

    /** The whole stream; messages sent in the counted phase. */
    long run() {
        final long startNs = clock.nanoTime();
        while (!publication.isConnected()) {
            client.drive();
            if (clock.nanoTime() - startNs > PATIENCE_NS) {
                throw new IllegalStateException("no receiver came to " + settings.channel());
            }
        }
        send(Phase.WARM_UP, TimeUnit.SECONDS.toNanos(settings.warmUpSeconds()), Long.MAX_VALUE);
        final long sent =
                send(Phase.COUNTED, TimeUnit.SECONDS.toNanos(settings.seconds()), Long.MAX_VALUE);
        send(Phase.END, PATIENCE_NS, 1);
        leave();
        return sent;
    }

    private long send(final long phase, final long durationNs, final long limit) {
        final long endNs = clock.nanoTime() + durationNs;
        message.putLong(0, phase, ByteOrder.LITTLE_ENDIAN);
        long sent = 0;
        int refused = 0;
        while (sent < limit) {
            if (settings.clockReads()) {
                message.putLong(Phase.TIME_OFFSET, clock.nanoTime(), ByteOrder.LITTLE_ENDIAN);
            }
            if (publication.tryClaim(settings.payloadBytes(), claim) > 0) {
                claim.buffer().putBytes(claim.offset(), message, 0, settings.payloadBytes());
                claim.commit();
                if ((++sent & CLOCK_EVERY_MASK) == 0 && clock.nanoTime() - endNs >= 0) {
                    break;
                }
            } else {
                client.drive();
                if ((++refused & CLOCK_EVERY_MASK) == 0 && clock.nanoTime() - endNs >= 0) {
                    break;
                }
            }
        }
        return sent;
    }

    /** Keeps the driver going until the receiver has left. */
    private void leave() {
        final long endNs = clock.nanoTime() + LEAVE_NS;
        while (publication.isConnected() && clock.nanoTime() - endNs < 0) {
            client.drive();
            Thread.onSpinWait();
        }
        publication.close();
    }
}
