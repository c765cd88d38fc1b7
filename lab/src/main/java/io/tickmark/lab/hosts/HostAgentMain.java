package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.UserError;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The main class of the agent on a host, started by ssh or in a pod: it starts role processes
 * there, forwards their streams, injects planned faults, and ends everything it started when the
 * controller orders it or is lost.
 */
public final class HostAgentMain {
    private HostAgentMain() {}

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
}
