package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.role.RoleContext;

/**
 * Numbers of the sessions of a role that may run several times: each of n instances takes every
 * n-th number, so that none is used twice, however many sessions each of them has. Immutable.
 *
 * @param index of the instance, from 1
 * @param count of instances
 */
record SessionNumbers(int index, int count) {
    static SessionNumbers of(final RoleContext context) {
        return new SessionNumbers(context.index(), context.count());
    }

    /** The offset of an instance to the first one, so that all of them are spread evenly. */
    double partOf(final double whole) {
        return whole * (index - 1) / count;
    }

    /** The number of a session, from 1, among those of its instance. */
    int of(final int session) {
        return (session - 1) * count + index;
    }
}
