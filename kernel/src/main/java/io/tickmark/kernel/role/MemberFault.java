package io.tickmark.kernel.role;

/**
 * Something done on purpose to one of the processes that a role runs.
 *
 * @param member which of them, from 1
 * @param kind what is done
 */
public record MemberFault(int member, Kind kind) {
    /** What can be done to a member. */
    public enum Kind {
        /** Kills it at once, like a crash. */
        KILL,
        /** Restarts it. */
        RESTART
    }
}
