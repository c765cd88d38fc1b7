package io.tickmark.engines.aeron;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The work that keeps a client, and a driver without its own threads, going; done by the calling
 * thread, one thread at a time.
 *
 * <p>The turn is guarded by an ownership flag. A hot thread tries once to set it and continues when
 * another thread has it: the work is then being done. Only the cold calls that open and close wait
 * for it ({@link #own}), and {@link Drivers.Keeper}, a daemon thread, takes a turn only where
 * {@link #turns} has stood still, so that it never competes with a thread that calls often. Setting
 * and clearing the flag order the turns of different threads, so that Aeron sees one thread.
 */
final class DutyCycle {
    /** {@link #turn} when another thread is taking a turn. */
    static final int TAKEN = -1;

    /** The client's housekeeping is done in one turn of this many. */
    private static final int CLIENT_TURN_MASK = 15;

    /**
     * The cycle of the other direction gets one turn in this many: its user may be silent for long.
     */
    private static final int OTHER_WAY_TURN_MASK = 63;

    private static final long OWN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final VarHandle OWNED;
    private static final VarHandle TURNS;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            OWNED = lookup.findVarHandle(DutyCycle.class, "owned", boolean.class);
            TURNS = lookup.findVarHandle(DutyCycle.class, "turns", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AgentInvoker client;
    private final AgentInvoker driver;
    private volatile boolean owned;
    private volatile boolean ended;
    private volatile DutyCycle otherWay;
    private long turns;

    /** For a driver that has its own threads, or belongs to another process: null. */
    DutyCycle(final AgentInvoker client, final AgentInvoker driver) {
        this.client = client;
        this.driver = driver;
    }

    /** Lets each keep the other going; does nothing where both are the same. */
    static void join(final DutyCycle one, final DutyCycle other) {
        if (one != other) {
            one.otherWay = other;
            other.otherWay = one;
        }
    }

    /** Whether a driver without threads depends on the turns. */
    boolean drivesDriver() {
        return driver != null;
    }

    /**
     * Takes a turn unless another thread is at it. An interrupted thread takes none: Aeron's
     * channels would close under it.
     *
     * @return amount of work done, or {@link #TAKEN}
     */
    int turn() {
        if (owned
                || Thread.currentThread().isInterrupted()
                || !OWNED.compareAndSet(this, false, true)) {
            return TAKEN;
        }
        try {
            final long turn = turns + 1;
            TURNS.setOpaque(this, turn);
            int work = driver == null ? 0 : driver.invoke();
            if ((turn & CLIENT_TURN_MASK) == 0) {
                work += client.invoke();
            }
            if ((turn & OTHER_WAY_TURN_MASK) == 0 && otherWay != null) {
                otherWay.turn(); // which finds this one owned
            }
            return work;
        } finally {
            OWNED.setRelease(this, false);
        }
    }

    /** Number of turns so far; any thread. */
    long turns() {
        return (long) TURNS.getOpaque(this);
    }

    /**
     * Waits for the ownership, for a cold call on the client; to be released with {@link #disown}.
     *
     * @param timeoutNs longest wait
     * @return false where it was not acquired in time, or the cycle has ended
     */
    boolean own(final long timeoutNs) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!OWNED.compareAndSet(this, false, true)) {
            if (ended || SystemNanoClock.INSTANCE.nanoTime() - startNs > timeoutNs) {
                return false;
            }
            LockSupport.parkNanos(OWN_PARK_NS);
        }
        return true;
    }

    /** Prevents further turns; called by the owner, which keeps the ownership. */
    void end() {
        ended = true;
    }

    /** Releases the ownership. */
    void disown() {
        OWNED.setRelease(this, false);
    }

    /** Takes a turn of both as the owner. */
    int turnOwned() {
        return (driver == null ? 0 : driver.invoke()) + client.invoke();
    }
}
