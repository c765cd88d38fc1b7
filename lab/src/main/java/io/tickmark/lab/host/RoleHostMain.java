package io.tickmark.lab.host;

import io.tickmark.lab.plan.RoleCatalog;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The main class of a role's process. It speaks with its controller over standard input and file
 * descriptor 1, which it keeps for itself: what libraries print goes to standard error. When its
 * standard input ends, because the controller died, it ends soon, whatever its roles do.
 */
public final class RoleHostMain {
    /** Time for the hooks. */
    private static final long HOOKS_MS = 2000;

    private RoleHostMain() {}

    /**
     * Serves a controller.
     *
     * @param args none
     */
    public static void main(final String[] args) {
        final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        int exitCode = 1;
        try {
            exitCode =
                    new RoleHost(
                                    new FileInputStream(FileDescriptor.in),
                                    out,
                                    RoleCatalog.load(),
                                    SystemNanoClock.INSTANCE)
                            .serve();
        } catch (final IOException e) {
            System.err.println("The controller cannot be heard: " + e);
        } finally {
            exit(exitCode);
        }
    }

    /**
     * Ends the process with the hooks of engines, which remove driver folders and shared memory;
     * but roles that do not end, and hooks that wait for them, must not keep it.
     */
    private static void exit(final int exitCode) {
        final Thread lastResort =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(HOOKS_MS);
                            } catch (final InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            Runtime.getRuntime().halt(exitCode);
                        },
                        "last-resort");
        lastResort.setDaemon(true);
        lastResort.start();
        System.exit(exitCode);
    }
}
