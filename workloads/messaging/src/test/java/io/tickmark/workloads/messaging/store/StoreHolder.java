package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Holds the folder of a store in a separate process until it is killed. */
final class StoreHolder implements AutoCloseable {
    private static final String TAKEN = "taken ";

    private final Process process;
    private final Path root;

    /** Starts one, which has taken its folder: an empty name means a new one. */
    StoreHolder(final String storeDirectory) throws IOException {
        process =
                new ProcessBuilder(
                                List.of(
                                        ProcessHandle.current().info().command().orElse("java"),
                                        "-Xmx64m",
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        StoreHolder.class.getName(),
                                        storeDirectory))
                        .redirectErrorStream(true)
                        .start();
        final BufferedReader output = process.inputReader();
        final StringBuilder said = new StringBuilder();
        String line = output.readLine();
        while (line != null && !line.startsWith(TAKEN)) {
            said.append(line);
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException(said.toString());
        }
        root = Path.of(line.substring(TAKEN.length()));
    }

    Path root() {
        return root;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Takes the named folder and waits until it is killed, at the latest until its parent ends. */
    public static void main(final String[] args) throws IOException {
        final StoreDirectory taken = take(args[0], false);
        System.out.println(TAKEN + taken.data().getParent());
        System.in.transferTo(System.out);
    }

    static StoreDirectory take(final String storeDirectory, final boolean keepStored) {
        return StoreDirectory.take(
                Settings.read(
                        StoreSettings.class,
                        Map.of("storeDirectory", storeDirectory, "keepStored", keepStored),
                        key -> key),
                "store-1");
    }
}
