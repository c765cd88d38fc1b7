package io.tickmark.engines.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/**
 * A subscription. Messages of one fragment are handed over where they lie; longer ones are put
 * together in a buffer that is kept. Nothing is lost that is not lost by choice ({@code
 * reliable=false}), and then Aeron fills the gap without counting messages: sequences tell.
 *
 * <p>On the binding side of an exchange what arrives waits until that side can answer: the two
 * directions are streams that come up apart.
 */
final class AeronSubscription implements io.tickmark.transport.Subscription {
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** While messages keep coming, one poll in so many drives: receivers report, senders go on. */
    private static final int BUSY_TURN_MASK = 7;

    private final ChannelUri channel;
    private final DriverLease lease;
    private final DutyCycle duty;
    private final IdleTurns turns;
    private final Subscription subscription;
    private final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
    private final Map<String, Long> repairsAtOpening;
    private final long errorsAtOpening;
    private final BooleanSupplier canAnswer;
    private boolean answers;
    private MessageHandler handler;
    private int handedOver;
    private int busyPolls;
    private boolean closed;

    AeronSubscription(
            final boolean ipc,
            final ChannelUri channel,
            final DriverLease lease,
            final Subscription subscription,
            final BooleanSupplier canAnswer) {
        this.canAnswer = canAnswer;
        this.channel = channel;
        this.lease = lease;
        this.duty = lease.session().duty();
        this.turns = new IdleTurns(duty, ipc);
        this.subscription = subscription;
        repairsAtOpening = lease.session().repairs(Way.IN);
        errorsAtOpening = lease.session().errorCount();
    }

    private void onMessage(
            final DirectBuffer buffer, final int offset, final int length, final Header header) {
        handedOver++;
        handler.onMessage(buffer, offset, length);
    }

    @Override
    public int poll(final MessageHandler messageHandler, final int limit) {
        if (closed) {
            return 0;
        }
        if (!answers) {
            answers = canAnswer.getAsBoolean();
            if (!answers) {
                turns.take();
                return 0;
            }
        }
        handler = messageHandler;
        handedOver = 0;
        if (take(limit) == 0) {
            if (turns.take() > 0 && turns.bringMessages()) {
                take(limit);
            }
        } else if (turns.bringMessages() && (++busyPolls & BUSY_TURN_MASK) == 0) {
            duty.turn();
        }
        return handedOver;
    }

    /** Takes fragments until a message is whole: a caller told 0 would go idle in its midst. */
    private int take(final int limit) {
        int taken = 0;
        int fragments;
        do {
            fragments = subscription.poll(assembler, limit);
            taken += fragments;
        } while (handedOver == 0 && fragments > 0);
        return taken;
    }

    /** Parks between turns; there is no descriptor to wait on, not even with a driver in here. */
    @Override
    public void await(final long timeoutNs) {
        if (closed || duty.turn() <= 0) {
            LockSupport.parkNanos(Math.min(timeoutNs, PARK_NS));
        }
    }

    @Override
    public boolean isConnected() {
        return !closed && subscription.isConnected();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Optional<String> engineErrors() {
        return lease.session().errorsSince(errorsAtOpening);
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts =
                new TreeMap<>(lease.session().facts(Way.IN, repairsAtOpening));
        facts.put("subscriptionChannel", subscription.channel());
        facts.put("streamId", subscription.streamId());
        facts.put("images", subscription.imageCount());
        return facts;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            lease.session().close(subscription);
            lease.release();
        }
    }
}
