package io.tickmark.transport.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Wakes sleeping readers with a futex(2) in the file, of two words. A reader sets the first before
 * it sleeps, and sleeps as long as the second, a count of rings, stays what it was before the
 * reader looked for messages. A writer that finds the first set after a message clears it, counts a
 * ring and wakes all. A writer whose readers poll only loads a word that is never written.
 *
 * <p>As the writer uses no fence, it may have read the first word just before it was set, while its
 * message is not visible yet. Therefore the first sleep after the word was set is short; once the
 * word has been set for that long, the writer finds it set after every later message.
 *
 * <p>Single-threaded. Allocates nothing after construction.
 */
final class Bell {
    /**
     * Longest first sleep: the most by which a message written while the word was being set may be
     * late.
     */
    static final long FIRST_SLEEP_NS = 500_000;

    /** Used where there is no futex. */
    private static final long PARK_NS = 50_000;

    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int SET = 1;
    private static final long NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int NUMBER = systemCall(System.getProperty("os.arch", ""));
    private static final Optional<MethodHandle> FOUND =
            NUMBER < 0
                    ? Optional.empty()
                    : Libc.find(
                            "syscall",
                            FunctionDescriptor.of(
                                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                    JAVA_LONG, JAVA_LONG, JAVA_LONG),
                            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle SYSCALL = FOUND.orElse(null);

    /** The count of rings, from the first word on. */
    private static final int RINGS = Integer.BYTES;

    private final AtomicBuffer buffer;
    private final int offset;
    private final UnsafeBuffer timespec =
            new UnsafeBuffer(ByteBuffer.allocateDirect(2 * Long.BYTES));
    private boolean hasSlept;
    private int ringsSlept;

    /** The bell whose words are at an offset of a mapped file. */
    Bell(final AtomicBuffer buffer, final int offset) {
        this.buffer = buffer;
        this.offset = offset;
    }

    private static int systemCall(final String machine) {
        return switch (machine) {
            case "amd64", "x86_64" -> 202;
            case "aarch64" -> 98;
            default -> -1;
        };
    }

    /** Whether sleepers are woken here; where they are not, {@link #await} parks for a while. */
    static boolean isAvailable() {
        return SYSCALL != null;
    }

    /** Called after a message: wakes sleeping readers. */
    void ring() {
        if (buffer.getIntVolatile(offset) != 0) {
            wake();
        }
    }

    private void wake() {
        buffer.putIntVolatile(offset, 0);
        buffer.getAndAddInt(offset + RINGS, 1);
        if (isAvailable()) {
            call(FUTEX_WAKE, Integer.MAX_VALUE, 0);
        }
    }

    /**
     * Sleeps until the bell rings or the time is over; does not sleep where there are messages.
     *
     * @param timeoutNs longest sleep
     * @param isDrained whether there is no message, asked before sleeping
     */
    void await(final long timeoutNs, final BooleanSupplier isDrained) {
        if (!isAvailable()) {
            LockSupport.parkNanos(Math.min(timeoutNs, PARK_NS));
            return;
        }
        final int rings = buffer.getIntVolatile(offset + RINGS);
        // only a ring clears the word: without one it has been set since the last sleep began
        final boolean isSetForLong =
                hasSlept && rings == ringsSlept && buffer.getIntVolatile(offset) == SET;
        buffer.putIntVolatile(offset, SET);
        hasSlept = false;
        if (isDrained.getAsBoolean()) {
            final long longestNs = isSetForLong ? timeoutNs : Math.min(timeoutNs, FIRST_SLEEP_NS);
            timespec.putLong(0, longestNs / NS_PER_SECOND);
            timespec.putLong(Long.BYTES, longestNs % NS_PER_SECOND);
            call(FUTEX_WAIT, rings, timespec.addressOffset());
            hasSlept = isSetForLong || longestNs == FIRST_SLEEP_NS;
            ringsSlept = rings;
        }
    }

    /** The result of the call adds nothing to a look at the ring. */
    private void call(final int operation, final int value, final long timeout) {
        try {
            final long _ =
                    (long)
                            SYSCALL.invokeExact(
                                    (long) NUMBER,
                                    buffer.addressOffset() + offset + RINGS,
                                    (long) operation,
                                    (long) value,
                                    timeout,
                                    0L,
                                    0L);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
