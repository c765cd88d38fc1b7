package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.time.Pacer;
import io.tickmark.transport.Publication;
import io.tickmark.workloads.messaging.OutgoingBatch;

/**
 * Messages that are offered together: filled, then offered until the engine has taken all. One
 * thread, allocates nothing after construction.
 */
final class SendGroup {
    private final OutgoingBatch batch;
    private final GroupSize size;
    private final int payloadBytes;
    private final long[] intendedNs;
    private int flags;
    private int step;
    private int count;
    private int taken;
    private int offeredFrom;
    private long groups;

    /** {@code multiple} is what the engine sends by one call. */
    SendGroup(final OutgoingBatch batch, final int multiple, final int payloadBytes) {
        this.batch = batch;
        this.payloadBytes = payloadBytes;
        size = new GroupSize(multiple, batch.capacity());
        intendedNs = new long[batch.capacity()];
    }

    /** A new run. */
    void begin(final int newFlags, final int newStep, final int topic) {
        flags = newFlags;
        step = newStep;
        groups = 0;
        turnTo(topic);
    }

    /** The groups that follow go to another topic. */
    void turnTo(final int topic) {
        batch.begin(flags, step, topic);
        count = 0;
        taken = 0;
    }

    /** Whether messages wait that the engine did not take. */
    boolean isPending() {
        return taken < count;
    }

    /** The rest is offered again. */
    void again(final long nowNs) {
        size.again(nowNs);
        batch.stampSent(taken, count, nowNs);
    }

    /** As many as an engine takes in a few microseconds, all wanted now. */
    void fill(final long most, final long nowNs, final int firstSequence) {
        count = (int) Math.min(size.next(nowNs), most);
        taken = 0;
        batch.prepare(count, nowNs, firstSequence);
        groups++;
    }

    /** All that is due, each with its own intended time; at least one is. */
    void fillDue(
            final Pacer pacer,
            final long most,
            final long endNs,
            final long nowNs,
            final int firstSequence) {
        count = 0;
        taken = 0;
        do {
            intendedNs[count] = pacer.intendedNs();
            batch.put(count, pacer.intendedNs(), nowNs, firstSequence + count);
            pacer.sent(nowNs);
            count++;
        } while (count < intendedNs.length
                && count < most
                && pacer.isDue(nowNs)
                && pacer.intendedNs() - endNs < 0);
        groups++;
    }

    /** How many the engine took, or its negative code. */
    int offerTo(final Publication publication) {
        final int more =
                publication.offerAll(
                        batch.buffer(), batch.offsetOf(taken), payloadBytes, count - taken);
        if (more > 0) {
            offeredFrom = taken;
            taken += more;
        }
        return more;
    }

    /** When the first of those was wanted that the engine took last; of {@link #fillDue} alone. */
    long firstIntendedNs() {
        return intendedNs[offeredFrom];
    }

    /** How many messages were in a group, on average; 1 where none was filled. */
    double mean(final long messages) {
        return groups == 0 ? 1 : (double) messages / groups;
    }
}
