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

    /** Events of a role process, as the controller's single thread takes them from its queue. */
    sealed interface LinkEvent {
        /** A message arrived. */
        record Said(RoleLink link, FromRole message) implements LinkEvent {}

        /** The process sent output beyond the limits: too much, or too long. */
        record Unbearable(RoleLink link, String sentence) implements LinkEvent {}

        /**
         * Nothing more can be received from the process, or it receives nothing: waiting for it is
         * pointless.
         */
        record OutOfReach(RoleLink link, String sentence) implements LinkEvent {}

        /**
         * Some of its output was dropped, which does not affect the measurement; the user is
         * informed.
         */
        record Warned(String sentence) implements LinkEvent {}

        /** The process ended; the text is the last line it wrote, possibly empty. */
        record Ended(RoleLink link, int exitCode, String lastWords) implements LinkEvent {}

        /** The run has to end now. */
        record Interrupted() implements LinkEvent {}
    }
}
