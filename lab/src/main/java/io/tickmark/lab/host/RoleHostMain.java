package io.tickmark.lab.host;

import io.tickmark.lab.plan.RoleCatalog;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The main class of a role's process. It communicates with its controller over standard input and
 * file descriptor 1, which it reserves: output of libraries is redirected to standard error. When
 * its standard input closes, because the controller died, it ends soon, whatever its roles do.
 */
public final class RoleHostMain {
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
            System.err.println("Cannot read from the controller: " + e);
        } catch (final RuntimeException | Error e) {
            e.printStackTrace(); // otherwise it would be lost with the end of the process
            System.err.println(
                    "Ended by a defect: " + e); // last, as it becomes the reason of the trial
        } finally {
            ProcessEnd.ofRole(exitCode);
        }
    }
}
