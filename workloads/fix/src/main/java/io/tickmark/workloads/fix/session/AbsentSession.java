package io.tickmark.workloads.fix.session;

/**
 * A session whose counterparty is disconnected: its messages are numbered and kept, so that they
 * are sent when it reconnects and requests them, as if they had been lost in transit. Uses little
 * memory besides its store. Single-threaded; allocates nothing while types and lengths do not
 * change.
 */
public final class AbsentSession {
    private final SessionConfig config;
    private final SessionEncoder encoder;
    private final MessageStore store;
    private final SessionClock clock;

    /**
     * A session known from its store that has not connected yet.
     *
     * @param config of the sessions of this side
     * @param counterpart CompID of the other side
     * @param store of this session
     * @param clock of the thread
     */
    public AbsentSession(
            final SessionConfig config,
            final String counterpart,
            final MessageStore store,
            final SessionClock clock) {
        this(
                config,
                new SessionEncoder(config.version(), config.sender(), counterpart),
                store,
                clock);
    }

    AbsentSession(
            final SessionConfig config,
            final SessionEncoder encoder,
            final MessageStore store,
            final SessionClock clock) {
        this.config = config;
        this.encoder = encoder;
        this.store = store;
        this.clock = clock;
    }

    /**
     * Whether messages are for this session now: outside of its hours none are. With the first ones
     * of its next hours its numbers are reset.
     *
     * @return false while it is closed
     */
    public boolean isOpen() {
        final long nowMs = clock.nowMs();
        if (!config.schedule().isOpen(nowMs)) {
            return false;
        }
        if (config.schedule().openedMs(nowMs) > store.beganMs()) {
            store.reset(nowMs);
        }
        return true;
    }

    /**
     * Gives an application message its number and keeps it.
     *
     * @param type value of field 35
     * @param body after the header
     * @param scratch where it is made; of the thread
     * @return whether it is kept; false where it is longer than the store, or that keeps none
     */
    public boolean keep(final byte[] type, final BodyBytes body, final OutBuffer scratch) {
        return keep(encoder, store, clock, scratch, type, null, body);
    }

    static boolean keep(
            final SessionEncoder encoder,
            final MessageStore store,
            final SessionClock clock,
            final OutBuffer scratch,
            final byte[] type,
            final BodyBytes ids,
            final BodyBytes body) {
        final long number = store.nextOutgoing();
        scratch.clear();
        final int begin = encoder.encode(scratch, type, number, clock.text(), ids, body);
        final boolean isKept =
                begin >= 0 && store.append(number, scratch.array(), begin, scratch.tail() - begin);
        store.nextOutgoing(number + 1);
        if (isKept) {
            store.notFetched().add(number);
        }
        return isKept;
    }

    /**
     * Skips numbers of messages that are not kept.
     *
     * @param messages how many
     */
    public void pass(final long messages) {
        store.nextOutgoing(store.nextOutgoing() + messages);
    }

    /**
     * Where its messages are.
     *
     * @return the store
     */
    public MessageStore store() {
        return store;
    }
}
