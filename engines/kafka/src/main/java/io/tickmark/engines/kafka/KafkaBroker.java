package io.tickmark.engines.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;

/**
 * The main class of a broker's process: formats its directory where that was not done yet, and runs
 * broker and controller in one. An error at the start is one line on standard error.
 */
public final class KafkaBroker {
    /** Line on standard error once it accepts requests. */
    static final String READY = "tickmark: the broker is ready";

    /** Begins the line that says why it does not start. */
    static final String FAILED = "tickmark: ";

    private static final String FORMATTED = "meta.properties";

    private KafkaBroker() {}

    /**
     * Runs a broker until the process is stopped.
     *
     * @param args file of properties, and the id of the cluster
     * @throws IOException if the file cannot be read
     */
    public static void main(final String[] args) throws IOException {
        try {
            run(args[0], args[1]);
        } catch (final RuntimeException | Error e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            System.err.println(FAILED + e.getMessage() + " (" + cause + ")");
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(final String file, final String cluster) throws IOException {
        final Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        }
        if (!Files.exists(Path.of(properties.getProperty("log.dirs"), FORMATTED))) {
            format(file, cluster);
        }
        final KafkaRaftServer server =
                new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        server.startup();
        System.err.println(READY);
        server.awaitShutdown();
    }

    private static void format(final String file, final String cluster) {
        final ByteArrayOutputStream said = new ByteArrayOutputStream();
        final String[] arguments = {"format", "-t", cluster, "-c", file};
        if (StorageTool.execute(arguments, new PrintStream(said, true, StandardCharsets.UTF_8))
                != 0) {
            throw new IllegalStateException(said.toString(StandardCharsets.UTF_8).strip());
        }
    }
}
