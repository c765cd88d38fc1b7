package io.tickmark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The Enter key while something runs: it ends in good order, as if it had come to its own end. It
 * looks whether there is something to read and never waits for it, so that a command in the
 * background is not suspended by its terminal; the end of the input ends nothing.
 */
final class EnterKey implements AutoCloseable {
    private static final long LOOK_MS = 100;

    /** Of {@code /proc/self/stat} behind the command's name: process group, terminal's group. */
    private static final int GROUP = 2;

    private static final int TERMINAL_GROUP = 5;

    private final InputStream in;
    private final Runnable stop;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * From now on Enter stops what runs.
     *
     * @param in to read
     * @param stop asks it to end soon; any thread
     * @param err for a line to a user at a terminal
     */
    EnterKey(final InputStream in, final Runnable stop, final PrintStream err) {
        this.in = in;
        this.stop = stop;
        if (isTerminal()) {
            err.println("Press Enter to end.");
        }
        Thread.ofPlatform().daemon().name("enter-key").start(this::look);
    }

    private void look() {
        try {
            while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (hasEnter()) {
                    stop.run();
                    return;
                }
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final IOException e) {
            return; // closed: Ctrl-C is left
        }
    }

    private boolean hasEnter() throws IOException {
        while (in.available() > 0 && !isInBackground()) {
            if (in.read() == '\n') {
                return true;
            }
        }
        return false;
    }

    private static boolean isTerminal() {
        try {
            final String input = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
            return input.startsWith("/dev/pts/") || input.startsWith("/dev/tty");
        } catch (final IOException e) {
            return false;
        }
    }

    private static boolean isInBackground() throws IOException {
        if (!isTerminal()) {
            return false;
        }
        final String stat =
                Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return !fields[GROUP].equals(fields[TERMINAL_GROUP]);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
