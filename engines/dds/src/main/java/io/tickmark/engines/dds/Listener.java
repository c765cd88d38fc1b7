package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntConsumer;

/**
 * A DDS listener whose call-backs come from threads of the library. They must throw nothing: the
 * JVM would end. Its memory must exist until the entity is deleted.
 */
@SuppressWarnings("restricted") // call-backs are the purpose
final class Listener implements AutoCloseable {
    /**
     * The statuses of matching: total and current count with their changes, and a handle. By value:
     * 24 bytes, on the stack.
     */
    private static final StructLayout MATCHED =
            MemoryLayout.structLayout(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);

    private static final int CURRENT_COUNT_OFFSET = 8;

    /**
     * {@code dds_inconsistent_topic_status_t} and the incompatible QoS statuses begin with these
     * fields.
     */
    private static final StructLayout INCOMPATIBLE =
            MemoryLayout.structLayout(JAVA_INT, JAVA_INT, JAVA_INT);

    private static final int LAST_POLICY_OFFSET = 8;

    private static final MethodHandle CREATE =
            Cyclone.handle("dds_create_listener", FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle DELETE =
            Cyclone.handle("dds_delete_listener", FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle DATA_AVAILABLE = setter("dds_lset_data_available");
    private static final MethodHandle PUBLICATION_MATCHED = setter("dds_lset_publication_matched");
    private static final MethodHandle SUBSCRIPTION_MATCHED =
            setter("dds_lset_subscription_matched");
    private static final MethodHandle OFFERED_INCOMPATIBLE =
            setter("dds_lset_offered_incompatible_qos");
    private static final MethodHandle REQUESTED_INCOMPATIBLE =
            setter("dds_lset_requested_incompatible_qos");

    private final Arena arena;
    private final MemorySegment segment;

    Listener(final Arena arena) {
        this.arena = arena;
        try {
            segment = (MemorySegment) CREATE.invokeExact(MemorySegment.NULL);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    private static MethodHandle setter(final String name) {
        return Cyclone.handle(name, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
    }

    /** Calls when a reader has data; hot, so it allocates nothing. */
    Listener onData(final Runnable call) {
        return set(
                DATA_AVAILABLE,
                bound("data", Runnable.class, call, int.class, long.class),
                FunctionDescriptor.ofVoid(JAVA_INT, JAVA_LONG));
    }

    /** Calls with the number of readers of a writer whenever it changes. */
    Listener onReaders(final IntConsumer call) {
        return onMatched(PUBLICATION_MATCHED, call);
    }

    /** Calls with the number of writers of a reader whenever it changes. */
    Listener onWriters(final IntConsumer call) {
        return onMatched(SUBSCRIPTION_MATCHED, call);
    }

    private Listener onMatched(final MethodHandle set, final IntConsumer call) {
        return set(
                set,
                bound(
                        "matched",
                        IntConsumer.class,
                        call,
                        int.class,
                        MemorySegment.class,
                        long.class),
                FunctionDescriptor.ofVoid(JAVA_INT, MATCHED, JAVA_LONG));
    }

    /** Calls with the id of the policy because of which another end cannot match. */
    Listener onIncompatible(final boolean writer, final IntConsumer call) {
        return set(
                writer ? OFFERED_INCOMPATIBLE : REQUESTED_INCOMPATIBLE,
                bound(
                        "incompatible",
                        IntConsumer.class,
                        call,
                        int.class,
                        MemorySegment.class,
                        long.class),
                FunctionDescriptor.ofVoid(JAVA_INT, INCOMPATIBLE, JAVA_LONG));
    }

    private static void data(final Runnable call, final int reader, final long argument) {
        call.run();
    }

    private static void matched(
            final IntConsumer call,
            final int entity,
            final MemorySegment status,
            final long argument) {
        call.accept(status.get(JAVA_INT, CURRENT_COUNT_OFFSET));
    }

    private static void incompatible(
            final IntConsumer call,
            final int entity,
            final MemorySegment status,
            final long argument) {
        call.accept(status.get(JAVA_INT, LAST_POLICY_OFFSET));
    }

    private static MethodHandle bound(
            final String method,
            final Class<?> callType,
            final Object call,
            final Class<?>... arguments) {
        try {
            return MethodHandles.lookup()
                    .findStatic(
                            Listener.class,
                            method,
                            MethodType.methodType(void.class, callType, arguments))
                    .bindTo(call);
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Listener set(
            final MethodHandle set, final MethodHandle call, final FunctionDescriptor descriptor) {
        try {
            set.invokeExact(segment, Linker.nativeLinker().upcallStub(call, descriptor, arena));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        return this;
    }

    MemorySegment segment() {
        return segment;
    }

    /** Frees the listener; entities have copies, which continue to use the call-backs. */
    @Override
    public void close() {
        try {
            DELETE.invokeExact(segment);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
