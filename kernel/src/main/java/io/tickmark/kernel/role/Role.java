package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.UserError;

/**
 * One participant of one trial. The host calls, in this order and on one thread: {@link #prepare},
 * {@link #connect}, {@link #run}, {@link #close}. {@code close} is called in any case, also after a
 * failure at any stage.
 */
public interface Role extends AutoCloseable {
    /**
     * Binds what others connect to.
     *
     * @return the endpoints bound, possibly none
     * @throws UserError if it cannot be bound (port in use, engine absent)
     */
    Endpoints prepare();

    /**
     * Connects to the others and finds its counterparts; returns when the role is ready to start,
     * at the latest after {@link RoleContext#connectTimeoutNs()}.
     *
     * @param endpoints of all roles that are prepared already; empty when run by hand
     * @throws UserError if a counterpart does not come (peer unreachable, cookie taken)
     */
    void connect(Endpoints endpoints);

    /**
     * Measures; called on the hot thread, already pinned. Ends by count or duration, by the
     * counterpart's end signal, or soon after {@link RoleContext#isStopped()} turns true; whatever
     * was measured by then is in the result.
     *
     * @param startAtNs when to start, on {@link RoleContext#clock()}
     * @return what was measured
     */
    RoleResult run(long startAtNs);

    /**
     * Does a planned fault to one of the processes that the role runs, such as a member of a store.
     * Called while {@link #run} is under way, on another thread; returns at once, the role does it
     * as soon as it can.
     *
     * @param fault to be done
     * @throws UserError if the role runs no processes
     */
    default void inject(final MemberFault fault) {
        throw UserError.usage(
                "faults: this role runs no processes of its own; leave 'member' out, or name another role.");
    }

    /** Releases everything; idempotent, does not throw. */
    @Override
    void close();
}
