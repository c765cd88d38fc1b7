package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * One topic of a stored stream as a receiver sees it: acknowledges what was handed over, after each
 * poll, and opens its store anew when that is lost. One thread; allocates nothing but then.
 */
final class AcknowledgingSubscription implements Subscription {
    private static final long REOPEN_EVERY_NS = 100_000_000;

    private final LongFunction<DurableSubscription> opener;
    private final LongConsumer received;
    private final NanoClock clock;
    private final MessageHandler counting = this::onMessage;
    private final WaitGrowth waits = new WaitGrowth();
    private DurableSubscription subscription;
    private MessageHandler handler = (buffer, offset, length) -> {};
    private long ordinal = -1;
    private long messages;
    private boolean isMeasured;
    private long intendedNs;
    private long reopenNs;
    private long reopened;

    /**
     * @param opener opens the store for reading from an ordinal on
     * @param received told how many measured messages were handed over without holes
     * @param clock of the role
     */
    AcknowledgingSubscription(
            final LongFunction<DurableSubscription> opener,
            final LongConsumer received,
            final NanoClock clock) {
        this.opener = opener;
        this.received = received;
        this.clock = clock;
        subscription = opener.apply(0);
    }

    @Override
    public int poll(final MessageHandler newHandler, final int limit) {
        handler = newHandler;
        final int handed = subscription.poll(counting, limit);
        if (handed > 0) {
            ordinal = subscription.ordinal();
            received.accept(messages);
            subscription.acknowledge(ordinal);
            time();
        } else if (!subscription.isConnected()) {
            reopen();
        }
        return handed;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (Stamp.isStamped(buffer, offset, length)
                && (Stamp.flags(buffer, offset) & ~Stamp.WARM_UP) == 0
                && Stamp.step(buffer, offset) == 0) {
            if ((Stamp.sequence(buffer, offset) & 0xffff_ffffL) == messages) {
                messages++;
            }
            if (Stamp.flags(buffer, offset) == 0) {
                isMeasured = true;
                intendedNs = Stamp.intendedNs(buffer, offset);
            }
        }
        handler.onMessage(buffer, offset, length);
    }

    /** The last of a poll stands for all of it: one look at the clock for many messages. */
    private void time() {
        if (isMeasured) {
            isMeasured = false;
            waits.add(intendedNs, clock.nanoTime() - intendedNs);
        }
    }

    /**
     * One that has not found a store yet may be quiet for long: only what was read is read again.
     */
    private void reopen() {
        final long nowNs = clock.nanoTime();
        if (ordinal < 0 || nowNs - reopenNs < REOPEN_EVERY_NS) {
            return;
        }
        reopenNs = nowNs;
        try {
            final DurableSubscription opened = opener.apply(ordinal + 1);
            subscription.close();
            subscription = opened;
            reopened++;
        } catch (final UserError e) {
            // not yet back; whoever polls knows how long to wait
        }
    }

    long timesReopened() {
        return reopened;
    }

    /** How much longer a message took to arrive in the end than in the beginning. */
    long fellBehindNs() {
        return waits.ns();
    }

    @Override
    public boolean isConnected() {
        return subscription.isConnected();
    }

    @Override
    public ChannelUri channel() {
        return subscription.channel();
    }

    @Override
    public Map<String, Object> facts() {
        return subscription.facts();
    }

    @Override
    public void await(final long timeoutNs) {
        subscription.await(timeoutNs);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
