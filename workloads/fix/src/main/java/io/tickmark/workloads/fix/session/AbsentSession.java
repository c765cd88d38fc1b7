package io.tickmark.workloads.fix.session;

/**
 * A session whose counterpart is away: messages for it get their numbers and are kept, so that it
 * is sent them when it comes back and asks, as if it had lost them on the way. Takes little memory
 * beside its store. Single thread; allocates nothing while types and lengths stay what they were.
 */
public final class AbsentSession {
    private final SessionConfig config;
    private final SessionEncoder encoder;
    private final MessageStore store;
    private final SessionClock clock;

    /**
     * One that is known from its store, and has not come yet.
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
     * Whether messages go to this session now: outside of its hours nothing does. With the first
     * ones of its next hours its numbers begin anew.
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
     * @param body behind the header
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
        return isKept;
    }

    /**
     * Leaves out numbers of messages that are not kept.
     *
     * @param messages so many
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
