package io.tickmark.lab.place;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.FaultPlan;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Starts processes on this machine. */
public final class LocalPlacement implements Placement {
    /**
     * A terminal sends Ctrl-C to all processes in the foreground. Roles must outlive it, to be
     * asked for what they measured; an ignored signal stays ignored in the program that replaces
     * the shell, and the JVM does not change that.
     */
    private static final List<String> DEAF_TO_CTRL_C =
            List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    private static final int SIGNAL_S = 5;

    /** At least one millisecond apart. */
    private static final int MOST_LOOKS = 5_000;

    /** Starts processes here. */
    public LocalPlacement() {}

    @Override
    public PlacedProcess start(final RoleLaunch launch) {
        final ClassArchive archive = launch.archive();
        return start(launch.here(archive.flags()), archive);
    }

    /**
     * Starts any command.
     *
     * @param launch what to start
     * @return the process
     * @throws UserError if it cannot be started
     */
    public PlacedProcess start(final Launch launch) {
        return start(launch, ClassArchive.NONE);
    }

    private static PlacedProcess start(final Launch launch, final ClassArchive archive) {
        final List<String> command = new ArrayList<>(DEAF_TO_CTRL_C);
        command.addAll(launch.command());
        final ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(launch.environment());
        try {
            return new LocalProcess(builder.start(), archive);
        } catch (final IOException e) {
            archive.keep(1);
            throw UserError.environment(
                    "The process "
                            + launch.name()
                            + " could not be started ("
                            + e.getMessage()
                            + "); free some memory or processes.",
                    e);
        }
    }

    private record LocalProcess(Process process, ClassArchive archive) implements PlacedProcess {
        @Override
        public OutputStream input() {
            return process.getOutputStream();
        }

        @Override
        public InputStream output() {
            return process.getInputStream();
        }

        @Override
        public InputStream errors() {
            return process.getErrorStream();
        }

        @Override
        public OptionalInt awaitEnd(final Duration atMost) {
            try {
                if (!process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                    return OptionalInt.empty();
                }
                archive.keep(process.exitValue());
                return OptionalInt.of(process.exitValue());
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return OptionalInt.empty();
            }
        }

        @Override
        public void inject(final FaultPlan.Action action, final long pid) {
            // the pid that a process reports must not be trusted with a signal
            final boolean isOwn =
                    process.descendants().anyMatch(descendant -> descendant.pid() == pid);
            final long target = isOwn ? pid : process.pid();
            final String signal =
                    switch (action) {
                        case KILL -> "KILL";
                        case STOP -> "STOP";
                        case CONTINUE -> "CONT";
                        case RESTART ->
                                throw new IllegalArgumentException(
                                        "only a role restarts what it runs");
                    };
            try {
                final Process sending =
                        new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + target)
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start();
                final boolean isSent =
                        sending.waitFor(SIGNAL_S, TimeUnit.SECONDS) && sending.exitValue() == 0;
                if (!isSent && process.isAlive()) {
                    throw UserError.environment(
                            "Signal %s could not be sent to process %d.".formatted(signal, target));
                }
                // Done when this returns: how long it takes to recover is counted from then on.
                if (action != FaultPlan.Action.CONTINUE && !awaitStandstill(target)) {
                    throw UserError.environment(
                            "Process %d kept running after signal %s.".formatted(target, signal));
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (final IOException e) {
                throw UserError.environment(
                        "Signal " + signal + " could not be sent (" + e.getMessage() + ").", e);
            }
        }

        /**
         * The kernel accepts a signal before all threads have handled it; a thread that was about
         * to send or receive continues meanwhile, for long on a machine without a free core.
         */
        private static boolean awaitStandstill(final long pid) throws InterruptedException {
            for (int looks = 0; looks < MOST_LOOKS; looks++) {
                if (!isAnyThreadRunning(pid)) {
                    return true;
                }
                Thread.sleep(1);
            }
            return false;
        }

        /** By the state after the name in each thread's {@code stat} file, see proc(5). */
        private static boolean isAnyThreadRunning(final long pid) {
            final File[] threads = new File("/proc/" + pid + "/task").listFiles();
            if (threads == null) { // it is gone, or this system has no such files
                return false;
            }
            for (final File thread : threads) {
                try {
                    final String stat =
                            Files.readString(
                                    thread.toPath().resolve("stat"), StandardCharsets.ISO_8859_1);
                    if ("TtZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0) {
                        return true;
                    }
                } catch (final IOException e) {
                    continue; // this thread has ended
                }
            }
            return false;
        }

        @Override
        public void kill() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
