package io.tickmark.lab.hosts;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The agent on a host, a process that is started by ssh or in a pod: it starts role processes
 * there, forwards their streams, injects planned faults, and ends everything it started when the
 * controller orders it or is lost. One thread reads from the controller, others from the processes.
 */
public final class HostAgent {
    /** A controller sends a keep-alive once in five seconds. */
    static final long SILENCE_NS = 20_000_000_000L;

    private static final Duration REAP = Duration.ofSeconds(5);

    private final Path folder;
    private final String version;
    private final Frames frames;
    private final NanoClock clock;
    private final Map<Integer, HostedProcess> processes = new ConcurrentHashMap<>();
    private String address;
    private HostFolder files;
    private volatile long heardNs;

    HostAgent(final Path folder, final String version, final Frames frames, final NanoClock clock) {
        this.folder = folder;
        this.version = version;
        this.frames = frames;
        this.clock = clock;
        heardNs = clock.nanoTime();
    }

    /**
     * Serves a controller.
     *
     * @param args folder of builds and runs
     */
    public static void main(final String[] args) {
        final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        int exitCode = 1;
        try {
            out.write(Frames.MAGIC);
            exitCode =
                    new HostAgent(
                                    Path.of(args[0]).toAbsolutePath(),
                                    Build.here().version(), // derived from the running files
                                    new Frames(new FileInputStream(FileDescriptor.in), out),
                                    SystemNanoClock.INSTANCE)
                            .serve();
        } catch (final IOException e) {
            System.err.println("Cannot read from the controller: " + e);
        } catch (final UserError e) {
            System.err.println(e.getMessage());
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }

    /** Serves until it is ordered to end, or the controller is lost; returns the exit code. */
    int serve() throws IOException {
        final Path file = folder.resolve("lock-" + hostName());
        try (FileChannel lock = open(file)) {
            if (!isOurs(lock)) {
                frames.say(
                        new FromHost.Refused(
                                "another run is using it (%s); wait for that to end, or give this run another 'folder:'."
                                        .formatted(Files.readString(file).strip())));
                return 1;
            }
            Thread.ofPlatform().daemon().name("watch").start(this::watch);
            return listen();
        } finally {
            endAll();
            if (files != null) {
                files.remove();
            }
        }
    }

    /** A home folder may be shared by hosts. */
    private static String hostName() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname"))
                .strip()
                .replaceAll("[^A-Za-z0-9.-]", "_");
    }

    private FileChannel open(final Path file) throws IOException {
        try {
            Files.createDirectories(folder);
            return FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (final IOException e) {
            frames.say(refusal(e));
            throw e;
        }
    }

    private FromHost.Refused refusal(final IOException e) {
        return new FromHost.Refused(
                "its folder %s cannot be written (%s); free some space or name another 'folder:'."
                        .formatted(folder, e.getMessage()));
    }

    private boolean isOurs(final FileChannel lock) throws IOException {
        try {
            if (lock.tryLock() == null) {
                return false;
            }
        } catch (final OverlappingFileLockException e) {
            return false;
        }
        lock.truncate(0);
        lock.write(
                StandardCharsets.UTF_8.encode(
                        "process %d since %s%n"
                                .formatted(
                                        ProcessHandle.current().pid(), java.time.Instant.now())));
        return true;
    }

    /** A broken connection may give no error: a controller that is silent for long is gone. */
    private void watch() {
        while (clock.nanoTime() - heardNs < SILENCE_NS) {
            try {
                Thread.sleep(500);
            } catch (final InterruptedException e) {
                return;
            }
        }
        System.err.println("The controller was silent for 20 s, so everything was stopped.");
        endAll();
        if (files != null) {
            files.remove();
        }
        Runtime.getRuntime().halt(1);
    }

    private int listen() throws IOException {
        while (true) {
            final Optional<Frames.Frame> frame = frames.next();
            heardNs = clock.nanoTime();
            if (frame.isEmpty()) {
                return 1; // the controller died
            }
            if (frame.get().channel() != Frames.MESSAGES) {
                final HostedProcess process = processes.get(frame.get().process());
                if (process != null) {
                    process.write(frame.get().bytes());
                }
            } else if (!carryOut(Frames.message(frame.get(), ToHost.class))) {
                return 0;
            }
        }
    }

    private boolean carryOut(final ToHost order) throws IOException {
        switch (order) {
            case final ToHost.Greet greet -> welcome(greet);
            case final ToHost.Start start -> start(start);
            case final ToHost.Inject fault ->
                    with(fault.process(), process -> process.inject(fault.action(), fault.pid()));
            case final ToHost.Kill kill -> with(kill.process(), HostedProcess::kill);
            case final ToHost.Folder wanted -> make(wanted.name());
            case final ToHost.Collect wanted -> {
                // a controller that receives files is alive, although it sends nothing meanwhile
                frames.say(
                        new FromHost.Collected(
                                files.send(
                                        wanted.name(), frames, () -> heardNs = clock.nanoTime())));
            }
            case final ToHost.Echo echo ->
                    frames.say(
                            new FromHost.EchoAt(
                                    echo.isPatient()
                                            ? ClockProbe.Echo.startPatient(
                                                    address, echo.token(), clock)
                                            : ClockProbe.Echo.start(address, echo.token(), clock)));
            case final ToHost.Time _ -> frames.say(new FromHost.TimeIs(heardNs, clock.nanoTime()));
            case final ToHost.Beat _ -> {}
            case final ToHost.Bye _ -> {
                endAll();
                frames.say(new FromHost.Bye((int) ProcessHandle.current().descendants().count()));
                return false;
            }
        }
        return true;
    }

    private void welcome(final ToHost.Greet greet) throws IOException {
        address = greet.address();
        try {
            files = new HostFolder(folder.resolve("runs").resolve(greet.run()));
        } catch (final IOException e) {
            frames.say(refusal(e));
            return;
        }
        frames.say(
                new FromHost.Welcome(
                        FromHost.PROTOCOL,
                        version,
                        Runtime.version().toString(),
                        Affinity.allowedCores().size(),
                        Environment.describe(folder, Map.of())));
    }

    private void make(final String name) throws IOException {
        try {
            frames.say(new FromHost.FolderCreated(files.make(name).toString(), ""));
        } catch (final IOException e) {
            frames.say(
                    new FromHost.FolderCreated(
                            "", IoReason.of(e))); // the role then writes no files
        }
    }

    private void start(final ToHost.Start order) throws IOException {
        try {
            final HostedProcess process =
                    new HostedProcess(
                            order.process(), new LocalPlacement().start(order.launch()), frames);
            processes.put(order.process(), process);
            process.listen(() -> processes.remove(order.process()));
        } catch (final UserError e) {
            frames.say(new FromHost.Ended(order.process(), -1, e.getMessage()));
        }
    }

    private void with(final int number, final java.util.function.Consumer<HostedProcess> deed) {
        final HostedProcess process = processes.get(number);
        if (process != null) {
            deed.accept(process);
        }
    }

    private void endAll() {
        processes.values().forEach(HostedProcess::kill);
        processes.values().forEach(process -> process.awaitEnd(REAP));
    }

    /** A role's process beside the agent, and the threads that forward its streams. */
    private static final class HostedProcess {
        private static final Duration REAP = Duration.ofSeconds(5);
        private static final byte[] END = new byte[0];

        private final int number;
        private final PlacedProcess process;
        private final Frames frames;

        /** A process that does not read its input must not block the agent. */
        private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>();

        HostedProcess(final int number, final PlacedProcess process, final Frames frames) {
            this.number = number;
            this.process = process;
            this.frames = frames;
        }

        /**
         * Forwards its streams; {@code gone} is called once it has ended and all output was sent.
         */
        void listen(final Runnable gone) {
            Thread.ofPlatform().daemon().name("input-" + number).start(this::feed);
            final Thread errors =
                    Thread.ofPlatform()
                            .daemon()
                            .name("errors-" + number)
                            .start(() -> carry(process.errors(), Frames.errors(number)));
            Thread.ofPlatform()
                    .daemon()
                    .name("output-" + number)
                    .start(() -> {
                        carry(process.output(), Frames.output(number));
                        final int exitCode = process.awaitEnd(REAP).orElse(-1);
                        try {
                            errors.join(REAP.toMillis());
                            frames.say(new FromHost.Ended(number, exitCode, ""));
                        } catch (final IOException e) {
                            // the controller is gone
                        } catch (final InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        input.add(END);
                        gone.run();
                    });
        }

        private void feed() {
            try (var out = process.input()) {
                for (byte[] bytes = input.take(); bytes.length > 0; bytes = input.take()) {
                    out.write(bytes);
                    out.flush();
                }
            } catch (final IOException e) {
                // it ended; the reader of its output notices it
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void carry(final InputStream from, final int channel) {
            final byte[] buffer = new byte[16_384];
            try (from) {
                for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                    if (length > 0) {
                        frames.write(channel, buffer, 0, length);
                    }
                }
                frames.end(channel);
            } catch (final IOException e) {
                // it was killed, or the controller is gone
            }
        }

        void write(final byte[] bytes) {
            input.add(bytes);
        }

        void inject(final FaultPlan.Action action, final long pid) {
            try {
                process.inject(action, pid);
            } catch (final UserError e) {
                fail(e.getMessage());
            }
        }

        /**
         * A fault that failed must not count: the trial must not pass as if it had been injected.
         */
        private void fail(final String sentence) {
            try {
                frames.say(new FromHost.Ended(number, -1, sentence));
            } catch (final IOException e) {
                System.err.println(sentence); // the controller is gone
            }
            process.kill();
        }

        void kill() {
            process.kill();
        }

        void awaitEnd(final Duration atMost) {
            process.awaitEnd(atMost);
        }
    }
}
