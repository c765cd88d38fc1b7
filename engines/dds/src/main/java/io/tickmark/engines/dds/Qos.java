package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A quality of service in the library's memory; copied by entities that are created with it. */
final class Qos implements AutoCloseable {
    private static final int KEEP_LAST = 0;
    private static final int KEEP_ALL = 1;
    private static final int UNLIMITED = -1;

    /**
     * How long an offer to a full writer waits for room before it is refused. Without a wait, the
     * sender would spin while the library's thread has to read the acknowledgements, and flush
     * batches that are almost empty, which costs a third of the rate. A caller that does other work
     * between offers is delayed by no more than this.
     */
    private static final long MAX_BLOCKING_NS = 1_000_000;

    private static final MethodHandle CREATE =
            Cyclone.handle("dds_create_qos", FunctionDescriptor.of(ADDRESS));
    private static final MethodHandle DELETE =
            Cyclone.handle("dds_delete_qos", FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle RELIABILITY =
            Cyclone.handle(
                    "dds_qset_reliability",
                    FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_LONG));
    private static final MethodHandle HISTORY =
            Cyclone.handle(
                    "dds_qset_history", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle RESOURCE_LIMITS =
            Cyclone.handle(
                    "dds_qset_resource_limits",
                    FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle DURABILITY =
            Cyclone.handle("dds_qset_durability", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
    private static final MethodHandle DEADLINE =
            Cyclone.handle("dds_qset_deadline", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG));
    private static final MethodHandle LATENCY_BUDGET =
            Cyclone.handle(
                    "dds_qset_latency_budget", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG));
    private static final MethodHandle TRANSPORT_PRIORITY =
            Cyclone.handle(
                    "dds_qset_transport_priority", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
    private static final MethodHandle PARTITION =
            Cyclone.handle("dds_qset_partition1", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));

    private final MemorySegment segment;

    private Qos() {
        try {
            segment = (MemorySegment) CREATE.invokeExact();
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** For publishers and subscribers: the partition. */
    static Qos ofGroup(final DdsChannel channel, final Arena arena) {
        final Qos qos = new Qos();
        for (final String partition : channel.partitions()) {
            final MemorySegment name = arena.allocateFrom(partition);
            qos.set(() -> PARTITION.invoke(qos.segment, name));
        }
        return qos;
    }

    /** For writers and readers. */
    static Qos ofEnd(final DdsChannel channel) {
        final DdsParameters wanted = channel.parameters();
        final Qos qos = new Qos();
        final MemorySegment own = qos.segment;
        final int reliable = wanted.reliable() ? 1 : 0;
        final int history = channel.keepsAll() ? KEEP_ALL : KEEP_LAST;
        final int depth = channel.keepsAll() ? 1 : channel.depth();
        final int most = channel.keepsAll() ? wanted.maxSamples() : UNLIMITED;
        final int durability = wanted.durability().ordinal();
        final long deadlineNs = wanted.deadline().toNanos();
        final long budgetNs = wanted.latencyBudget().toNanos();
        final int priority = wanted.transportPriority();
        qos.set(() -> RELIABILITY.invoke(own, reliable, MAX_BLOCKING_NS));
        qos.set(() -> HISTORY.invoke(own, history, depth));
        qos.set(() -> RESOURCE_LIMITS.invoke(own, most, UNLIMITED, UNLIMITED));
        qos.set(() -> DURABILITY.invoke(own, durability));
        if (deadlineNs > 0) {
            qos.set(() -> DEADLINE.invoke(own, deadlineNs));
        }
        qos.set(() -> LATENCY_BUDGET.invoke(own, budgetNs));
        qos.set(() -> TRANSPORT_PRIORITY.invoke(own, priority));
        return qos;
    }

    @FunctionalInterface
    private interface Call {
        void make() throws Throwable;
    }

    private void set(final Call call) {
        try {
            call.make();
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        set(() -> DELETE.invoke(segment));
    }
}
