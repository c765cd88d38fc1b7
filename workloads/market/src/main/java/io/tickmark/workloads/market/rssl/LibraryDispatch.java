package io.tickmark.workloads.market.rssl;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Which thread dispatches a connection of the Message API: the role's own thread, or one of the
 * library's (its <em>API dispatch</em>), while the role's keeps the ticks. Where the two share
 * state, one of them has the turn. The library holds a lock of its own while it calls back, and
 * takes it when it is called: the role's thread must release the turn before it calls the library.
 */
public final class LibraryDispatch {
    private final boolean isOn;
    private final Runnable onFirstCall;
    // fair: a thread that has much to do would not let the other one in
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile long ownThread;
    private volatile long threadId;

    /**
     * Not begun.
     *
     * @param isOn whether a thread of the library dispatches
     * @param onFirstCall runs on that thread when it first calls back
     */
    public LibraryDispatch(final boolean isOn, final Runnable onFirstCall) {
        this.isOn = isOn;
        this.onFirstCall = onFirstCall;
    }

    /**
     * Whether a thread of the library dispatches.
     *
     * @return false where the role's own does
     */
    public boolean isOn() {
        return isOn;
    }

    /** The calling thread is the role's own; before the library is called. */
    public void begin() {
        ownThread = Thread.currentThread().threadId();
    }

    /** The library calls back; first of all in a callback. */
    public void called() {
        if (isOn && threadId == 0) {
            final long caller = Thread.currentThread().threadId();
            if (caller != ownThread) {
                threadId = caller;
                onFirstCall.run();
            }
        }
    }

    /**
     * The library's thread that dispatches.
     *
     * @return its id, 0 where there is none, or it has not called yet
     */
    public long threadId() {
        return threadId;
    }

    /** Waits for the turn, where there are two threads. */
    public void take() {
        if (isOn) {
            turn.lock();
        }
    }

    /** Gives the turn away, where there are two threads and this one has it. */
    public void give() {
        if (isOn && turn.isHeldByCurrentThread()) { // not where waiting has failed
            turn.unlock();
        }
    }
}
