package io.tickmark.lab.hosts;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.LocalPlacement;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.NanoClock;

/** What an agent does: one thread hears the controller, others the processes. */
final class HostAgent {
    /** A controller says once in five seconds that it lives. */
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

    /** Serves until told to end, or nobody is heard any more; returns the exit code. */
    int serve() throws IOException {
        final Path file = folder.resolve("lock-" + hostName());
        try (FileChannel lock = open(file)) {
            if (!isOurs(lock)) {
                frames.say(
                        new FromHost.Refused(
                                "another run has it (%s); wait for its end, or give this run another 'folder:'."
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

    /** A cable that was cut says nothing: who is not heard for long is gone. */
    private void watch() {
        while (clock.nanoTime() - heardNs < SILENCE_NS) {
            try {
                Thread.sleep(500);
            } catch (final InterruptedException e) {
                return;
            }
        }
        System.err.println("The controller was not heard for 20 s, so all was ended.");
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
            } else if (!obey(Frames.message(frame.get(), ToHost.class))) {
                return 0;
            }
        }
    }

    private boolean obey(final ToHost order) throws IOException {
        switch (order) {
            case final ToHost.Greet greet -> welcome(greet);
            case final ToHost.Start start -> start(start);
            case final ToHost.Inflict fault ->
                    with(fault.process(), process -> process.inflict(fault.action(), fault.pid()));
            case final ToHost.Kill kill -> with(kill.process(), HostedProcess::kill);
            case final ToHost.Folder wanted -> make(wanted.name());
            case final ToHost.Collect wanted -> {
                // who takes files is there, although nothing else is heard meanwhile
                files.send(wanted.name(), frames, () -> heardNs = clock.nanoTime());
                frames.say(new FromHost.Collected());
            }
            case final ToHost.Echo echo ->
                    frames.say(
                            new FromHost.EchoAt(
                                    echo.isPatient()
                                            ? ClockEcho.startPatient(address, echo.token(), clock)
                                            : ClockEcho.start(address, echo.token(), clock)));
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
            frames.say(new FromHost.Made(files.make(name).toString()));
        } catch (final IOException e) {
            frames.say(new FromHost.Made("")); // the role then writes no files, and says so
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
}
