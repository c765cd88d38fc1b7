package io.tickmark.kernel.host;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * Where a call through {@link Libc#handleWithErrno} stores errno. Create one for each calling
 * thread, outside the hot path; reading it allocates nothing. Its memory is freed with the object.
 */
public final class Errno {
    /** Operation not permitted. */
    public static final int EPERM = 1;

    /** Interrupted by a signal: call again. */
    public static final int EINTR = 4;

    /** No data now, or no room now: try again; also EWOULDBLOCK. */
    public static final int EAGAIN = 11;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** Invalid argument. */
    public static final int EINVAL = 22;

    /** Message too long for the socket. */
    public static final int EMSGSIZE = 90;

    /** Address in use. */
    public static final int EADDRINUSE = 98;

    /** No buffer space left. */
    public static final int ENOBUFS = 105;

    /** No listener at the other end. */
    public static final int ECONNREFUSED = 111;

    /** The name under which the linker captures it. */
    static final String NAME = "errno";

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle VALUE =
            LAYOUT.varHandle(MemoryLayout.PathElement.groupElement(NAME));

    private final MemorySegment segment = Arena.ofAuto().allocate(LAYOUT);

    /** Holds 0 initially. */
    public Errno() {}

    /**
     * First argument of the call.
     *
     * @return memory that the call writes errno to
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Errno of the last call that used this holder; only meaningful where that call failed.
     *
     * @return the number
     */
    public int value() {
        return (int) VALUE.get(segment, 0L);
    }

    /**
     * The error in words.
     *
     * @return for example {@code Operation not permitted (errno 1)}
     */
    public String text() {
        return Libc.errorText(value());
    }
}
