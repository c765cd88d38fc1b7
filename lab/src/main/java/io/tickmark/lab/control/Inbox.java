package io.tickmark.lab.control;

import io.tickmark.lab.protocol.FromRole;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** All that the thread of a run waits for. */
final class Inbox {
    /** A thousand roles tell how far they are once a second: not to be woken up for each. */
    private static final long BREATH_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final BlockingQueue<LinkEvent> events = new LinkedBlockingQueue<>();
    private volatile boolean interrupted;
    private boolean isAfterProgress;

    BlockingQueue<LinkEvent> events() {
        return events;
    }

    /** Asks the run to end; any thread. */
    void interrupt() {
        interrupted = true;
        events.add(new LinkEvent.Interrupted());
    }

    /** Drops what processes said that have ended. */
    void forgetProcesses() {
        events.removeIf(event -> !(event instanceof LinkEvent.Interrupted));
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    boolean isInterrupted() {
        return interrupted;
    }

    /**
     * The next event, null when none came in time; an interrupted thread interrupts the run. One
     * thread.
     */
    LinkEvent poll(final long timeoutNs) {
        LinkEvent event = events.poll();
        if (event == null && isAfterProgress && timeoutNs > BREATH_NS) {
            LockSupport.parkNanos(BREATH_NS);
            event = events.poll();
        }
        if (event == null) {
            event = await(timeoutNs - (isAfterProgress ? BREATH_NS : 0));
        }
        isAfterProgress =
                event instanceof final LinkEvent.Said said
                        && said.message() instanceof FromRole.Progress;
        return event;
    }

    private LinkEvent await(final long timeoutNs) {
        try {
            return events.poll(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            interrupted = true;
            return new LinkEvent.Interrupted();
        }
    }
}
