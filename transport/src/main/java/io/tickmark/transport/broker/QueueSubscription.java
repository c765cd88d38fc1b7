package io.tickmark.transport.broker;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.store.DurableSubscription;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;

/**
 * The reading end of a stored topic that is a queue at its broker. Where acknowledged messages are
 * deleted, the newest received one is never acknowledged, so that the queue always shows where its
 * topic ends. The client's thread calls {@link #received}, one thread does the rest.
 *
 * @param <R> what the engine's client needs to acknowledge a message
 */
public abstract class QueueSubscription<R> extends BrokerSubscription
        implements DurableSubscription {
    private static final long NEXT_PATIENCE_NS = 50_000_000;

    private final Inbox<StoredMessage<R>> arrived;
    private final boolean deletes;
    private final int deletedTogether;
    private final ArrayDeque<StoredMessage<R>> unacknowledged = new ArrayDeque<>();
    private final StoredIntake intake;
    private final EngineErrors refused = EngineErrors.ofAcknowledgements();
    private volatile long newest = -1;
    private volatile boolean isReleased;
    private long acknowledged = -1;
    private long refusedUpTo = -1;
    private long settledUpTo = -1;
    private int payloadBytes;

    /**
     * Opens it.
     *
     * @param channel with the server's address
     * @param arrived to which {@link #received} adds
     * @param deletes whether acknowledged messages are deleted
     * @param deletedTogether messages that wait before those acknowledged are deleted; they are
     *     also deleted when nothing arrives
     * @param fromOrdinal first message that is passed on
     */
    protected QueueSubscription(
            final BrokerChannel<?> channel,
            final Inbox<StoredMessage<R>> arrived,
            final boolean deletes,
            final int deletedTogether,
            final long fromOrdinal) {
        super(channel, arrived);
        intake = new StoredIntake("queue", fromOrdinal);
        this.arrived = arrived;
        this.deletes = deletes;
        this.deletedTogether = deletedTogether;
    }

    /**
     * Judges the next message of the queue: by default it is left out where it is damaged, was not
     * asked for, or was delivered before.
     *
     * @param message as it was delivered
     * @return whether it is passed on; otherwise it is left out
     */
    protected boolean isNext(final StoredMessage<R> message) {
        return intake.isNext(message);
    }

    /** {@return what the engine reports about this end, besides its connection} */
    protected Map<String, Object> engineFacts() {
        return Map.of();
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("acknowledgementsRefused") || super.isCount(fact);
    }

    @Override
    public final Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        facts.putAll(engineFacts());
        if (deletes) {
            facts.put("acknowledgementsRefused", refused.count());
        }
        return facts;
    }

    /**
     * Acknowledges a message and all that were delivered before it. Where that fails it is tried
     * again with the next ones, and a server that has ended will deliver them again.
     *
     * @param receipt of the message
     * @return why it failed, a clause; empty where the client has taken it, and may still report a
     *     refusal with {@link #acknowledgementRefused}
     */
    protected abstract String acknowledgeUpTo(R receipt);

    /** Closes the connection. */
    protected abstract void end();

    /**
     * Adds a message that was delivered; waits while the inbox is full. The client's thread.
     *
     * @param message with its receipt
     */
    protected final void received(final StoredMessage<R> message) {
        arrived.addOrWait(message, () -> isReleased);
        newest = Math.max(newest, message.ordinal());
    }

    /** {@return ordinal of the newest message that was delivered; -1 for none; any thread} */
    protected final long newest() {
        return newest;
    }

    /**
     * Notes what the user should know of the queue.
     *
     * @param what a clause without its full stop
     */
    protected final void found(final String what) {
        intake.found(what);
    }

    /**
     * Counts an acknowledgement whose refusal came after {@link #acknowledgeUpTo} had returned. Any
     * thread.
     *
     * @param why a clause without its full stop
     */
    protected final void acknowledgementRefused(final String why) {
        refused.add(why);
    }

    /** A message was left out because it is damaged, or somebody else's. */
    protected final void foundDamaged() {
        intake.foundDamaged("a message");
    }

    /**
     * A message was left out because one with a higher ordinal came before it.
     *
     * @param message that came too late
     */
    protected final void foundLate(final StoredMessage<R> message) {
        intake.foundLate(message);
    }

    @Override
    protected final byte[] next() {
        StoredMessage<R> message = take();
        while (message != null && !isNext(message)) {
            message = take();
        }
        if (message == null) {
            deleteAcknowledged();
            return null;
        }
        intake.passOn(message);
        payloadBytes = message.payloadBytes();
        return message.bytes();
    }

    @Override
    protected final int payloadBytes(final byte[] message) {
        return payloadBytes;
    }

    private StoredMessage<R> take() {
        final StoredMessage<R> message = arrived.poll();
        if (message != null && deletes) {
            unacknowledged.add(message);
        }
        return message;
    }

    @Override
    public final long ordinal() {
        return intake.ordinal();
    }

    @Override
    public final void acknowledge(final long upTo) {
        acknowledged = Math.max(acknowledged, upTo);
        if (unacknowledged.size() > deletedTogether) {
            deleteAcknowledged();
        }
    }

    /**
     * All except the newest, with one acknowledgement; a failed one counts once. Damaged messages,
     * which have no ordinal, go with those around them.
     */
    private void deleteAcknowledged() {
        final long most = Math.min(acknowledged, newest - 1);
        if (most < 0) {
            return;
        }
        StoredMessage<R> last = null;
        int count = 0;
        for (final StoredMessage<R> message : unacknowledged) {
            if (message.ordinal() > most) {
                break;
            }
            last = message;
            count++;
        }
        if (last == null) {
            return;
        }
        final String failure = acknowledgeUpTo(last.receipt());
        if (failure.isEmpty()) {
            for (int i = 0; i < count; i++) {
                unacknowledged.remove();
            }
        } else if (last.ordinal() > refusedUpTo) {
            refusedUpTo = last.ordinal();
            refused.add(failure);
        }
    }

    @Override
    public final Optional<String> engineErrors() {
        return EngineErrors.together(intake.sentence(), refused.sentence(), super.engineErrors());
    }

    /**
     * Waits until the acknowledged messages have arrived, so that they can be deleted, and briefly
     * for one after them, which then marks the end of the topic instead of the last of them; once
     * for the same messages.
     */
    @Override
    public final void settleAcknowledgements() {
        if (deletes && acknowledged > settledUpTo) {
            BoundedClose.await(Flight.PATIENCE_NS, () -> newest >= acknowledged || !isServed());
            Flight.awaitUntil(NEXT_PATIENCE_NS, () -> newest > acknowledged || !isServed());
            StoredMessage<R> left = take();
            while (left != null) {
                left = take();
            }
            deleteAcknowledged();
            settledUpTo = acknowledged;
        }
    }

    @Override
    protected final void release() {
        settleAcknowledgements();
        isReleased = true;
        end();
    }
}
