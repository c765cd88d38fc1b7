package io.tickmark.lab.control;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.lab.control.RunEvents.LinkEvent;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ProtocolException;
import io.tickmark.lab.protocol.ToRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The controller's end of one role process: two threads read its streams, and put it into the
 * controller's queue; one writes its orders.
 */
final class RoleLink {
    /**
     * Limit of lines on the message stream that are not messages; native code of an engine may
     * print some.
     */
    private static final int MOST_GARBAGE = 100;

    /**
     * Lines for the user and progress that the controller has not taken yet: one process may serve
     * a run of days, and lines that were taken use no room.
     */
    static final int MOST_WAITING = 100_000;

    private static final Duration REAP = Duration.ofSeconds(5);
    private static final long JOIN_MS = 5_000;

    /** How messages begin, see {@link Lines}. */
    private static final Pattern MESSAGE = Pattern.compile("\\{\"type\":\"([a-z-]+)\"");

    private static final Set<String> TALK = Set.of("progress", "tell");

    private final String name;
    private final PlacedProcess process;
    private final RoleLog log;
    private final Orders orders;
    private final BlockingQueue<LinkEvent> events;
    private final Thread messages;
    private final Thread errors;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long pid = -1;
    private boolean hasSentTooMuch;

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

    /** Sends a message; a process that does not read, or is gone, is reported by an event. */
    void send(final ToRole message) {
        orders.send(message)
                .ifPresent(trouble ->
                        events.add(orders.isDeaf() ? outOfReach(trouble) : misbehaved(trouble)));
    }

    /** Injects a planned fault. */
    void inject(final FaultPlan.Action action) {
        process.inject(action, pid);
    }

    private void readMessages() {
        final Lines.Reader reader = new Lines.Reader(process.output());
        int garbage = 0;
        try {
            for (Optional<String> line = reader.next(); line.isPresent(); line = reader.next()) {
                if (!understood(line.get()) && ++garbage == MOST_GARBAGE) {
                    events.add(misbehaved("printed over its messages"));
                }
            }
        } catch (final ProtocolException e) {
            events.add(outOfReach("sent a line without end"));
            drain();
        } catch (final IOException e) {
            // the stream closes when the process is killed
        }
        final OptionalInt exitCode = process.awaitEnd(REAP);
        join(errors); // for its last output
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
            if (isPartOfAResult(line)) {
                events.add(misbehaved("printed into one of its messages, which is lost"));
            }
            return false;
        }
    }

    /** Output of native code does no harm by itself, nor do lines that it splits. */
    private static boolean isPartOfAResult(final String line) {
        final Matcher type = MESSAGE.matcher(line);
        while (type.find()) {
            if (!TALK.contains(type.group(1))) {
                return true;
            }
        }
        return false;
    }

    private void warnOfLoss() {
        log.takeLoss()
                .ifPresent(e ->
                        events.add(
                                new LinkEvent.Warned(
                                        "Some or all of what %s printed is missing from its log (%s)."
                                                .formatted(name, IoReason.of(e)))));
    }

    private static boolean isTalk(final FromRole message) {
        return message instanceof FromRole.Output || message instanceof FromRole.Progress;
    }

    /** So that no process can exhaust the controller's memory with output. */
    private boolean isWelcome(final FromRole message) {
        if (!isTalk(message)) {
            return true;
        }
        if (waiting.get() < MOST_WAITING) {
            waiting.incrementAndGet();
            return true;
        }
        if (!hasSentTooMuch) {
            hasSentTooMuch = true;
            events.add(misbehaved("sent too many messages for the user"));
        }
        return false;
    }

    /** The controller has taken a message of this process out of its queue; any thread. */
    void taken(final FromRole message) {
        if (isTalk(message)) {
            waiting.decrementAndGet();
        }
    }

    private LinkEvent misbehaved(final String what) {
        return new LinkEvent.Unbearable(this, sentence(what));
    }

    private LinkEvent outOfReach(final String what) {
        return new LinkEvent.OutOfReach(this, sentence(what));
    }

    private String sentence(final String what) {
        return "The process of " + name + " " + what + ".";
    }

    private void drain() {
        final byte[] buffer = new byte[8192];
        try {
            while (process.output().read(buffer) >= 0) {
                continue; // until it is killed
            }
        } catch (final IOException e) {
            // already closed
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
                            misbehaved(
                                    "wrote more than %d MiB to its output"
                                            .formatted(RoleLog.FLOOD_BYTES >> 20)));
                }
            }
        } catch (final IOException e) {
            // the stream closes when the process is killed
        }
    }

    /**
     * Waits for the end of the process, which was ordered to end, and kills it after the given
     * time.
     */
    void end(final Duration grace) {
        process.awaitEnd(grace);
        kill();
    }

    /** Kills the process at once, and its threads; idempotent. */
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

    /**
     * Sends orders to one role process. A separate thread writes them, because a pipe that is not
     * read blocks its writer for ever; the sender waits for that thread, but only for a short time.
     */
    private static final class Orders implements AutoCloseable {
        /** A live process reads an order at once; one on a swapping machine takes longer. */
        static final long PATIENCE_S = 5;

        /** The error of an order; empty for success. */
        private record Written(Optional<String> trouble) {}

        private final OutputStream out;
        private final BlockingQueue<Optional<ToRole>> waiting = new LinkedBlockingQueue<>();
        private final BlockingQueue<Written> written = new LinkedBlockingQueue<>();
        private final Thread writer;
        private boolean isDeaf;
        private volatile boolean isOver;

        Orders(final String name, final OutputStream out, final Thread.Builder threads) {
            this.out = out;
            writer = threads.name("orders-of-" + name).start(this::write);
        }

        private void write() {
            try (out) {
                while (true) {
                    final Optional<ToRole> order = waiting.take();
                    if (order.isEmpty()) {
                        return;
                    }
                    written.add(new Written(write(order.get())));
                }
            } catch (final InterruptedException | IOException e) {
                // the process ended; the reader of its messages notices it
            } finally {
                isOver = true;
                written.add(
                        new Written(Optional.empty())); // the queue is empty, so this does not wait
            }
        }

        private Optional<String> write(final ToRole order) {
            try {
                Lines.send(out, order);
                return Optional.empty();
            } catch (final ProtocolException e) {
                return Optional.of("would be sent commands that are too long: " + e.getMessage());
            } catch (final IOException e) {
                return Optional.empty(); // as above
            }
        }

        boolean isDeaf() {
            return isDeaf;
        }

        /**
         * Sends an order; returns what is wrong with the process if it does not receive it,
         * otherwise empty.
         */
        Optional<String> send(final ToRole order) {
            if (isDeaf || isOver) {
                return Optional.empty(); // reported before, or gone
            }
            waiting.add(Optional.of(order));
            try {
                final Written done = written.poll(PATIENCE_S, TimeUnit.SECONDS);
                if (done != null) {
                    return done.trouble();
                }
                isDeaf = true;
                return Optional.of("has not read its commands for " + PATIENCE_S + " s: it hangs");
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        /** Stops sending, and closes the stream as soon as no write blocks it. */
        @Override
        public void close() {
            waiting.add(Optional.empty());
        }

        /** The thread that writes, to wait for its end. */
        Thread writer() {
            return writer;
        }
    }

    /**
     * What a role process wrote besides messages: in its {@code role.log} up to a limit, the rest
     * is only counted. Never fails; any thread.
     */
    static final class RoleLog implements AutoCloseable {
        /** Most that is kept. */
        static final long KEPT_BYTES = 4L << 20;

        /** More than this is a flood. */
        static final long FLOOD_BYTES = 16L << 20;

        private static final int LONGEST_LAST_LINE = 300;

        private final OutputStream out;
        private final StringBuilder lastLine = new StringBuilder();
        private String lastWords = "";
        private long written;

        /** Why its file is incomplete; empty where it is complete, and once it was reported. */
        private Optional<IOException> loss = Optional.empty();

        private boolean hasLost;

        RoleLog(final Optional<Path> file) {
            out = file.map(this::open).orElseGet(OutputStream::nullOutputStream);
        }

        private OutputStream open(final Path file) {
            try {
                return Files.newOutputStream(
                        file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (final IOException e) {
                lose(e);
                return OutputStream.nullOutputStream();
            }
        }

        /** Adds output; true while it is not a flood. */
        synchronized boolean add(final byte[] bytes, final int length) {
            final int kept = (int) Math.max(0, Math.min(length, KEPT_BYTES - written));
            try {
                out.write(bytes, 0, kept);
            } catch (final IOException e) {
                lose(e); // a full disk affects only the log, not the measurement
            }
            written += length;
            for (int i = 0; i < length; i++) {
                remember((char) (bytes[i] & 0xff));
            }
            return written <= FLOOD_BYTES;
        }

        private void lose(final IOException e) {
            if (!hasLost) {
                hasLost = true;
                loss = Optional.of(e);
            }
        }

        /** Why its file is incomplete, reported once. */
        synchronized Optional<IOException> takeLoss() {
            final Optional<IOException> taken = loss;
            loss = Optional.empty();
            return taken;
        }

        synchronized void addLine(final String line) {
            final byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
            add(bytes, bytes.length);
        }

        private void remember(final char c) {
            if (c == '\n') {
                if (!lastLine.toString().isBlank()) {
                    lastWords = lastLine.toString();
                }
                lastLine.setLength(0);
            } else if (lastLine.length() < LONGEST_LAST_LINE) {
                lastLine.append(c < ' ' || c > '~' ? '?' : c);
            }
        }

        /** The last line that is not blank. */
        synchronized String lastWords() {
            return lastLine.toString().isBlank() ? lastWords : lastLine.toString();
        }

        @Override
        public synchronized void close() {
            try (out) {
                if (written > KEPT_BYTES) {
                    out.write(
                            ("\n... and %d bytes more.\n".formatted(written - KEPT_BYTES))
                                    .getBytes(StandardCharsets.UTF_8));
                }
            } catch (final IOException e) {
                // as above
            }
        }
    }
}
