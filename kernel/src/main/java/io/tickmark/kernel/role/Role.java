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
     * Connects to the others and finds its peers; returns when the role is ready to start, at the
     * latest after {@link RoleContext#connectTimeoutNs()}.
     *
     * @param endpoints of all roles that are already prepared; empty when run by hand
     * @throws UserError if a peer does not connect (unreachable, cookie taken)
     */
    void connect(Endpoints endpoints);

    /**
     * Measures; called on the hot thread, already pinned. Ends by count or duration, by the peer's
     * end signal, or soon after {@link RoleContext#isStopped()} turns true; everything measured by
     * then is in the result.
     *
     * @param startAtNs when to start, on {@link RoleContext#clock()}
     * @return what was measured
     */
    RoleResult run(long startAtNs);

    /**
     * Injects a planned fault into one of the processes that the role runs, such as a member of a
     * store. Called while {@link #run} is in progress, on another thread; returns at once, the role
     * carries it out as soon as it can.
     *
     * @param fault to inject
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
