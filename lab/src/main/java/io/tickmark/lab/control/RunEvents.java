package io.tickmark.lab.control;

import io.tickmark.lab.protocol.FromRole;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The events that the thread of a run waits for. */
final class RunEvents {
    private final BlockingQueue<LinkEvent> queue = new LinkedBlockingQueue<>();
    private volatile boolean interrupted;

    BlockingQueue<LinkEvent> queue() {
        return queue;
    }

    /** Asks the run to end; any thread. */
    void interrupt() {
        interrupted = true;
        queue.add(new LinkEvent.Interrupted());
    }

    /** Drops the messages of processes that have ended. */
    void forgetProcesses() {
        queue.removeIf(event -> !(event instanceof LinkEvent.Interrupted));
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    boolean isInterrupted() {
        return interrupted;
    }

    /** The next event, null when none arrived in time; an interrupted thread interrupts the run. */
    LinkEvent poll(final long timeoutNs) {
        try {
            final LinkEvent event = queue.poll(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS);
            if (event instanceof LinkEvent.Said(final RoleLink link, final FromRole message)) {
                link.taken(message);
            }
            return event;
        } catch (final InterruptedException e) {
            interrupted = true;
            return new LinkEvent.Interrupted();
        }
    }
}
