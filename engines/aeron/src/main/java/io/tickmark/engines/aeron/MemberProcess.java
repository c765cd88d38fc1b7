package io.tickmark.engines.aeron;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.store.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;

/**
 * One member of a store in a separate process, for both sides: the process that starts it, and the
 * member itself. It shuts down in an orderly way when it is asked to, and never outlives the
 * process that started it. Any thread, one at a time.
 */
public final class MemberProcess implements AutoCloseable {
    private static final String READY = "tickmark: the member is ready";
    private static final String FAILED = "tickmark: the member does not start: ";

    /** Allows for a JVM that starts on a loaded machine, and mark files that must expire. */
    public static final Duration START_PATIENCE = Duration.ofSeconds(90);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(20);

    /** A mark file expires after 10 s. */
    private static final long MARK_FILE_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long RETRY_MS = 200;
    private static final String ACTIVE = "active";

    /** Thrown by a client of the driver that did not run for long while it started. */
    private static final List<String> GIVEN_UP =
            List.of(
                    "heartbeat timestamp counter",
                    "service interval exceeded",
                    "client timeout",
                    "MediaDriver keepalive");

    /** Aeron's buffers and the archive's checksums need these, as those of every role do. */
    private static final List<String> JVM =
            List.of(
                    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-XX:+UseSerialGC",
                    "-Xmx256m");

    private final String name;
    private final ServerProcess process;

    private MemberProcess(final String name, final ServerProcess process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a member and waits until it is ready.
     *
     * @param name subject of messages about it
     * @param main class that calls {@link #run}
     * @param arguments for it
     * @param log file for its output
     * @return the member
     * @throws UserError if it does not start
     */
    public static MemberProcess start(
            final String name, final Class<?> main, final List<String> arguments, final Path log) {
        final MemberProcess member = launch(name, main, arguments, log);
        member.awaitReady();
        return member;
    }

    /**
     * Starts a member; {@link #awaitReady()} waits for it.
     *
     * @param name subject of messages about it
     * @param main class that calls {@link #run}
     * @param arguments for it
     * @param log file for its output
     * @return the member
     * @throws UserError if no process can be started
     */
    public static MemberProcess launch(
            final String name, final Class<?> main, final List<String> arguments, final Path log) {
        return new MemberProcess(
                name, ServerProcess.start(ServerProcess.java(JVM, main, arguments), Map.of(), log));
    }

    /**
     * Waits until it is ready.
     *
     * @throws UserError if it does not start
     */
    public void awaitReady() {
        final Optional<String> why = process.awaitReady(READY, FAILED, START_PATIENCE);
        if (why.isPresent()) {
            kill();
            throw UserError.environment(
                    "%s does not start: %s.".formatted(name, why.get().replaceAll("\\.$", "")));
        }
    }

    /**
     * Whether it runs.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Whether it has ended without having been asked to.
     *
     * @return false while it runs, and where it was killed or closed
     */
    public boolean hasEndedByItself() {
        return process.hasEndedByItself();
    }

    /**
     * How it ended without having been asked to.
     *
     * @param title what users call it, with its number
     * @return a sentence; empty while it runs, and where it was killed or closed
     */
    public Optional<String> ended(final String title) {
        return hasEndedByItself()
                ? process.howEnded()
                        .map(how ->
                                "%s, which tickmark started, has ended %s.".formatted(title, how))
                : Optional.empty();
    }

    /** Kills it at once, like a crash; returns when it is gone. */
    public void kill() {
        process.kill();
    }

    /** Shuts it down in an orderly way, or kills it after a while. */
    @Override
    public void close() {
        process.stop(CLOSE_PATIENCE);
    }

    /**
     * Within the process: runs until it is asked to end, and closes what runs then.
     *
     * @param launch starts the member
     */
    public static void run(final Supplier<AutoCloseable> launch) {
        try {
            final AutoCloseable member = launch.get();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(member)));
            System.err.println(READY);
        } catch (final RuntimeException e) {
            System.err.println(FAILED + ErrorNotes.sentence(e));
            Runtime.getRuntime().halt(3);
        }
        while (true) {
            pause(Long.MAX_VALUE);
        }
    }

    private static void close(final AutoCloseable member) {
        try {
            member.close();
        } catch (final Exception e) {
            System.err.println(ErrorNotes.sentence(e));
        }
    }

    /**
     * Within the process: launches a part, waiting until the mark file of an earlier run has
     * expired, retrying where the driver gave it up while it started, and once after any other
     * error.
     *
     * @param launch starts the part
     * @param mend what to do before a retry; may throw the reason
     * @param <T> the part
     * @return the part
     */
    public static <T> T patiently(final Supplier<T> launch, final Consumer<RuntimeException> mend) {
        final long deadlineNs = SystemNanoClock.INSTANCE.nanoTime() + MARK_FILE_NS;
        boolean isMended = false;
        while (true) {
            try {
                return launch.get();
            } catch (final RuntimeException e) {
                final String reason = ErrorNotes.sentence(e);
                final boolean passes =
                        reason.contains(ACTIVE) || GIVEN_UP.stream().anyMatch(reason::contains);
                if (!passes && !isMended) {
                    isMended = true;
                    mend.accept(e);
                } else if (!passes || SystemNanoClock.INSTANCE.nanoTime() - deadlineNs > 0) {
                    throw e;
                }
                pause(RETRY_MS);
            }
        }
    }

    private static void pause(final long ms) {
        try {
            Thread.sleep(ms);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Within the process: a factory of threads that run on one core.
     *
     * @param core its number, -1 for any
     * @return the factory
     */
    public static ThreadFactory pinnedTo(final int core) {
        return work ->
                new Thread(() -> {
                    if (core >= 0) {
                        Affinity.pin(core).ifPresent(System.err::println);
                    }
                    work.run();
                });
    }
}
