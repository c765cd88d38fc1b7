package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.FaultPlan;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The controller's end of the stream to one agent. One thread demultiplexes what arrives; another
 * sends a keep-alive every five seconds. Requests are sent by one thread at a time.
 */
final class AgentLink implements AutoCloseable {
    private static final long BEAT_MS = 5_000;

    /** A frame is written in one piece: each write may be a separate message in the layer below. */
    private static final int FRAME_BYTES = 1 << 16;

    private static final Duration GRACE = Duration.ofSeconds(3);

    /** No part of a file is included. */
    private static final long COLLECT_S = 60;

    private final String host;
    private final HostAccess machine;
    private final PlacedProcess agent;
    private final Frames frames;
    private final BlockingQueue<FromHost> answers = new LinkedBlockingQueue<>();
    private final Map<Integer, RemoteProcess> processes = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Thread errorsReader;
    private final Thread reader;
    private final Thread heart;
    private final FetchedFiles fetched = new FetchedFiles();
    private final StringBuilder errors = new StringBuilder();
    private volatile String lost = "";
    private volatile String refusal;

    AgentLink(final HostAccess machine) {
        this.machine = machine;
        host = machine.name();
        agent = machine.agent();
        frames = new Frames(agent.output(), new BufferedOutputStream(agent.input(), FRAME_BYTES));
        errorsReader =
                Thread.ofPlatform().daemon().name("errors-of-" + host).start(this::readErrors);
        reader = Thread.ofPlatform().daemon().name("link-to-" + host).start(this::read);
        heart = Thread.ofPlatform().daemon().name("heart-for-" + host).start(this::beat);
    }

    boolean isOpen() {
        return lost.isEmpty();
    }

    private void beat() {
        try {
            while (isOpen()) {
                Thread.sleep(BEAT_MS);
                frames.say(new ToHost.Beat());
            }
        } catch (final IOException | InterruptedException e) {
            // the reader has the reason
        }
    }

    private void readErrors() {
        final byte[] buffer = new byte[4096];
        try (InputStream in = agent.errors()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                synchronized (errors) {
                    errors.append(new String(buffer, 0, length, StandardCharsets.UTF_8));
                    if (errors.length() > 10_000) {
                        errors.delete(0, errors.length() - 5_000);
                    }
                }
            }
        } catch (final IOException e) {
            // the reader of the messages detects the end
        }
    }

    private void read() {
        String reason = "the connection ended";
        try {
            if (!begins()) {
                throw new IOException("it has no agent");
            }
            for (Optional<Frames.Frame> frame = frames.next();
                    frame.isPresent();
                    frame = frames.next()) {
                take(frame.get());
            }
        } catch (final IOException e) {
            reason = e.getMessage();
        }
        lose(reason);
    }

    /** Skips what a login shell prints. */
    private boolean begins() throws IOException {
        final byte[] last = new byte[Frames.MAGIC.length];
        final InputStream in = agent.output();
        for (int count = 0; count < 65_536; count++) {
            final int next = in.read();
            if (next < 0) {
                return false;
            }
            System.arraycopy(last, 1, last, 0, last.length - 1);
            last[last.length - 1] = (byte) next;
            if (Arrays.equals(last, Frames.MAGIC)) {
                return true;
            }
        }
        return false;
    }

    private void take(final Frames.Frame frame) throws IOException {
        if (frame.channel() == Frames.FILES) {
            fetched.write(frame.bytes());
            return;
        }
        if (frame.channel() != Frames.MESSAGES) {
            final RemoteProcess process = processes.get(frame.process());
            if (process != null) {
                process.heard(frame.stream(), frame.bytes());
            }
            return;
        }
        switch (Frames.message(frame, FromHost.class)) {
            case final FromHost.Ended end -> {
                final RemoteProcess process = processes.remove(end.process());
                if (process != null) {
                    process.ended(end.exitCode(), end.sentence());
                }
            }
            case final FromHost.FileBegins begins -> fetched.open(begins.name());
            case final FromHost.Refused refused -> {
                refusal = refused.sentence();
                answers.add(refused);
            }
            case final FromHost answer -> answers.add(answer);
        }
    }

    private void lose(final String reason) {
        try {
            errorsReader.join(GRACE.toMillis()); // they say more than the end of the output
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        final String words;
        synchronized (errors) {
            words =
                    errors.toString().isBlank()
                            ? Objects.requireNonNullElse(refusal, reason)
                            : Ssh.words(errors.toString().getBytes(StandardCharsets.UTF_8));
        }
        lost = words;
        answers.add(new FromHost.Refused(words));
        processes
                .values()
                .forEach(process -> process.ended(-1, "Host " + host + " was lost: " + words));
        processes.clear();
    }

    void send(final ToHost message) {
        try {
            frames.say(message);
        } catch (final IOException e) {
            throw lost();
        }
    }

    private UserError lost() {
        try {
            reader.join(2 * GRACE.toMillis()); // it has the reason
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return trouble(lost.isEmpty() ? "it does not listen" : lost);
    }

    /** An agent that refuses may be gone by the time its message is read. */
    private UserError trouble(final String said) {
        return UserError.environment(
                said.equals(refusal)
                        ? "Host " + host + " refuses: " + said
                        : machine.trouble(said));
    }

    /** Sends a request, and waits for the answer. */
    synchronized <A extends FromHost> A ask(
            final ToHost question, final Class<A> answer, final long seconds) {
        answers.clear(); // a request that was given up may have been answered since
        if (!isOpen()) {
            throw lost();
        }
        send(question);
        return await(answer, seconds);
    }

    <A extends FromHost> A await(final Class<A> answer, final long seconds) {
        FromHost came;
        long partsBefore;
        try {
            do { // files have no time limit
                partsBefore = fetched.parts();
                came = answers.poll(seconds, TimeUnit.SECONDS);
            } while (came == null && fetched.parts() > partsBefore);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw UserError.environment("Host " + host + ": waiting for it was interrupted.");
        }
        if (came instanceof FromHost.Refused(final String sentence)) {
            throw trouble(sentence);
        }
        if (!answer.isInstance(came)) {
            throw UserError.environment(
                    "Host %s has not answered for %d s; see whether it is overloaded."
                            .formatted(host, seconds));
        }
        return answer.cast(came);
    }

    PlacedProcess start(final RoleLaunch launch) {
        final int number = numbers.incrementAndGet();
        final RemoteProcess process = new RemoteProcess(number, this, frames);
        processes.put(number, process);
        send(new ToHost.Start(number, launch));
        return process;
    }

    /**
     * Fetches the files of a folder there; throws where some are missing. A host that stops in the
     * middle is given up: what it sends later would be written to another folder.
     */
    synchronized void collect(final String name, final Path folder) {
        fetched.begin(folder);
        final String missing;
        final String trouble;
        try {
            missing = ask(new ToHost.Collect(name), FromHost.Collected.class, COLLECT_S).trouble();
        } catch (final UserError e) {
            agent.kill();
            throw UserError.environment(
                    "Not all that roles wrote on host %s is in the result. %s"
                            .formatted(host, e.getMessage()),
                    e);
        } finally {
            trouble = fetched.end();
        }
        if (!missing.isEmpty()) {
            throw UserError.environment(
                    "What a role wrote on host %s is missing: %s.".formatted(host, missing));
        }
        if (!trouble.isEmpty()) {
            throw UserError.environment(
                    "What roles wrote on host %s cannot all be kept in %s (%s); make room or allow writing there."
                            .formatted(host, folder.getParent(), trouble));
        }
    }

    @Override
    public void close() {
        heart.interrupt();
        try {
            agent.input().close();
        } catch (final IOException e) {
            // closed by the other side
        }
        agent.awaitEnd(GRACE);
        agent.kill();
    }

    /** A role's process on another host, as the controller sees it. */
    private static final class RemoteProcess implements PlacedProcess {
        private final int number;
        private final AgentLink link;
        private final Frames frames;
        private final Heard output = new Heard();
        private final Heard errors = new Heard();
        private final CompletableFuture<Integer> end = new CompletableFuture<>();

        RemoteProcess(final int number, final AgentLink link, final Frames frames) {
            this.number = number;
            this.link = link;
            this.frames = frames;
        }

        void heard(final int stream, final byte[] bytes) {
            (stream == Frames.OUTPUT ? output : errors).add(bytes);
        }

        void ended(final int exitCode, final String sentence) {
            if (!sentence.isEmpty()) {
                errors.add((sentence + "\n").getBytes(StandardCharsets.UTF_8));
            }
            end.complete(exitCode);
            output.add(new byte[0]);
            errors.add(new byte[0]);
        }

        @Override
        public Thread.Builder threads() {
            return Thread.ofVirtual();
        }

        @Override
        public OutputStream input() {
            return new OutputStream() {
                @Override
                public void write(final int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(final byte[] bytes, final int offset, final int length)
                        throws IOException {
                    if (length > 0) {
                        frames.write(Frames.input(number), bytes, offset, length);
                    }
                }

                @Override
                public void close() throws IOException {
                    if (!end.isDone()) {
                        frames.end(Frames.input(number));
                    }
                }
            };
        }

        @Override
        public InputStream output() {
            return output;
        }

        @Override
        public InputStream errors() {
            return errors;
        }

        @Override
        public OptionalInt awaitEnd(final Duration atMost) {
            return PlacedProcess.awaitEnd(end, atMost);
        }

        @Override
        public void inject(final FaultPlan.Action action, final long pid) {
            link.send(new ToHost.Inject(number, action, pid));
        }

        @Override
        public void kill() {
            if (!end.isDone() && link.isOpen()) {
                try {
                    frames.say(new ToHost.Kill(number));
                } catch (final IOException e) {
                    // the reader of the link is about to end it, with the reason
                }
            }
        }

        /** Bytes as delivered by the reader of the link; an empty array ends them. */
        private static final class Heard extends InputStream {
            private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
            private byte[] chunk = new byte[0];
            private int at;
            private boolean isEnd;

            void add(final byte[] bytes) {
                queue.add(bytes);
            }

            @Override
            public int read() throws IOException {
                final byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(final byte[] bytes, final int offset, final int length)
                    throws IOException {
                try {
                    if (!isEnd && at == chunk.length) {
                        chunk = queue.take();
                        at = 0;
                        isEnd = chunk.length == 0;
                    }
                } catch (final InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted");
                }
                if (isEnd) {
                    return -1;
                }
                final int part = Math.min(length, chunk.length - at);
                System.arraycopy(chunk, at, bytes, offset, part);
                at += part;
                return part;
            }
        }
    }

    /**
     * Writes the received files of a host to a folder of the result. What cannot be written there
     * is dropped and the reason kept, so that reading the stream continues. Thread-safe.
     */
    static final class FetchedFiles {
        private Optional<Path> folder = Optional.empty();
        private Optional<OutputStream> file = Optional.empty();
        private String trouble = "";
        private int leftOut;
        private volatile long parts;

        /** Writes files to a folder, until {@link #end}. */
        synchronized void begin(final Path into) {
            folder = Optional.of(into);
            trouble = "";
            leftOut = 0;
        }

        /**
         * Only into the requested folder; a file with an invalid name is skipped, counted and
         * reported.
         */
        synchronized void open(final String name) {
            closeFile();
            if (folder.isEmpty()) {
                return; // of a request that was given up, which was reported then
            }
            if (!Arrays.stream(name.split("/")).allMatch(HostFolder.NAME.asMatchPredicate())) {
                leftOut++;
                return;
            }
            final Path target = folder.get().resolve(name);
            try {
                Files.createDirectories(target.getParent());
                file = Optional.of(Files.newOutputStream(target));
            } catch (final IOException e) {
                trouble = IoReason.of(e);
            }
        }

        synchronized void write(final byte[] bytes) {
            parts++;
            if (file.isPresent()) {
                try {
                    file.get().write(bytes);
                } catch (final IOException e) {
                    trouble = IoReason.of(e);
                    closeFile();
                }
            }
        }

        private void closeFile() {
            try {
                if (file.isPresent()) {
                    file.get().close();
                }
            } catch (final IOException e) {
                trouble = IoReason.of(e);
            }
            file = Optional.empty();
        }

        /** Parts received so far, kept or not: an increase means that the host still sends. */
        long parts() {
            return parts;
        }

        /**
         * Ends writing; returns in a few words why some could not be written, empty where all were.
         */
        synchronized String end() {
            closeFile();
            folder = Optional.empty();
            return trouble.isEmpty() && leftOut > 0
                    ? "%d of them have names that are not known here".formatted(leftOut)
                    : trouble;
        }
    }
}
