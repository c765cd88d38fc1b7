package io.tickmark.lab.control;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ProtocolException;
import io.tickmark.lab.protocol.ToRole;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The controller's end of one role process: two threads read its streams, and put what they read
 * into the controller's queue; one writes its orders.
 */
final class RoleLink {
    /**
     * Lines on the message stream that are no messages; native code of an engine may print some.
     */
    private static final int MOST_GARBAGE = 100;

    /**
     * Lines for the user and progress that the controller has not taken yet: one process may serve
     * a run of days, and what is taken takes no room.
     */
    static final int MOST_WAITING = 100_000;

    private static final Duration REAP = Duration.ofSeconds(5);
    private static final long JOIN_MS = 5_000;

    private final String name;
    private final PlacedProcess process;
    private final RoleLog log;
    private final Orders orders;
    private final BlockingQueue<LinkEvent> events;
    private final Thread messages;
    private final Thread errors;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long pid = -1;
    private boolean hasToldTooMuch;

    RoleLink(
            final String name,
            final PlacedProcess process,
            final Optional<Path> logFile,
            final BlockingQueue<LinkEvent> events) {
        this.name = name;
        this.process = process;
        this.events = events;
        log = new RoleLog(logFile);
        orders = new Orders(name, process.input(), process.threads());
        errors = process.threads().name("errors-of-" + name).start(this::readErrors);
        messages = process.threads().name("link-" + name).start(this::readMessages);
    }

    String name() {
        return name;
    }

    /**
     * Says something; one that does not listen is told about by an event, as is a process that is
     * gone.
     */
    void send(final ToRole message) {
        orders.send(message).ifPresent(trouble -> events.add(unbearable(trouble)));
    }

    /** Does a planned fault. */
    void inflict(final FaultPlan.Action action) {
        process.inflict(action, pid);
    }

    private void readMessages() {
        final Lines.Reader reader = new Lines.Reader(process.output());
        int garbage = 0;
        try {
            for (Optional<String> line = reader.next(); line.isPresent(); line = reader.next()) {
                if (!understood(line.get()) && ++garbage == MOST_GARBAGE) {
                    events.add(unbearable("printed over its messages"));
                }
            }
        } catch (final ProtocolException e) {
            events.add(unbearable("sent a line without end"));
            drain();
        } catch (final IOException e) {
            // the stream closes when the process is killed
        }
        final OptionalInt exitCode = process.awaitEnd(REAP);
        join(errors); // for its last words
        warnOfLoss();
        events.add(new LinkEvent.Ended(this, exitCode.orElse(-1), log.lastWords()));
    }

    private boolean understood(final String line) {
        try {
            final FromRole message = Lines.parse(line, FromRole.class);
            if (message instanceof final FromRole.Hello hello) {
                pid = hello.pid();
            }
            if (isWelcome(message)) {
                events.add(new LinkEvent.Said(this, message));
            }
            return true;
        } catch (final ProtocolException e) {
            log.addLine("[no message] " + line);
            warnOfLoss();
            return false;
        }
    }

    private void warnOfLoss() {
        log.takeLoss()
                .ifPresent(e ->
                        events.add(
                                new LinkEvent.Warned(
                                        "What %s printed is not, or not all, in its log (%s)."
                                                .formatted(name, IoReason.of(e)))));
    }

    private static boolean isTalk(final FromRole message) {
        return message instanceof FromRole.Tell || message instanceof FromRole.Progress;
    }

    /** So that no process can fill the controller's memory with talk. */
    private boolean isWelcome(final FromRole message) {
        if (!isTalk(message)) {
            return true;
        }
        if (waiting.get() < MOST_WAITING) {
            waiting.incrementAndGet();
            return true;
        }
        if (!hasToldTooMuch) {
            hasToldTooMuch = true;
            events.add(unbearable("told the user too much"));
        }
        return false;
    }

    /** The controller has taken a message of this process out of its queue; any thread. */
    void taken(final FromRole message) {
        if (isTalk(message)) {
            waiting.decrementAndGet();
        }
    }

    private LinkEvent unbearable(final String what) {
        return new LinkEvent.Unbearable(this, "The process of " + name + " " + what + ".");
    }

    private void drain() {
        final byte[] buffer = new byte[8192];
        try {
            while (process.output().read(buffer) >= 0) {
                continue; // until it is killed
            }
        } catch (final IOException e) {
            // it was
        }
    }

    private void readErrors() {
        final byte[] buffer = new byte[8192];
        boolean isFlood = false;
        try (InputStream in = process.errors()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                final boolean isBearable = log.add(buffer, length);
                warnOfLoss();
                if (!isBearable && !isFlood) {
                    isFlood = true;
                    events.add(
                            unbearable(
                                    "wrote more than %d MiB to its output"
                                            .formatted(RoleLog.FLOOD_BYTES >> 20)));
                }
            }
        } catch (final IOException e) {
            // the stream closes when the process is killed
        }
    }

    /** Ends the process, which was told to end, after the time at the latest. */
    void end(final Duration grace) {
        process.awaitEnd(grace);
        kill();
    }

    /** Ends the process at once, and its threads; idempotent. */
    void kill() {
        process.kill();
        orders.close();
        process.awaitEnd(REAP);
        join(orders.writer());
        join(messages);
        join(errors);
        log.close();
    }

    private static void join(final Thread thread) {
        try {
            thread.join(JOIN_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
