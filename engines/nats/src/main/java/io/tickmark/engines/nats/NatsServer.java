package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;

/** One {@code nats-server} of ours, a child process with a configuration file. */
final class NatsServer implements AutoCloseable {
    /** Names the server's program by environment. */
    static final String VARIABLE = "TICKMARK_NATS_SERVER";

    private static final String PROGRAM = "nats-server";
    private static final Duration START_PATIENCE = Duration.ofSeconds(20);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_NS = 5_000_000;
    private static final int MOST_ERRORS = 3;
    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)");

    private final NatsChannel channel;
    private final HostPort address;
    private final ServerProcess process;

    private NatsServer(
            final NatsChannel channel, final HostPort address, final ServerProcess process) {
        this.channel = channel;
        this.address = address;
        this.process = process;
    }

    /** Why none can be started; empty where the program is installed. */
    static Optional<String> absence() {
        return program().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "the server ("
                                + name()
                                + ") is not installed, so only one that runs already can be used;"
                                + " Debian's package is nats-server");
    }

    private static String name() {
        final String chosen = System.getenv(VARIABLE);
        return chosen == null || chosen.isBlank() ? PROGRAM : chosen;
    }

    private static Optional<Path> program() {
        return ServerProcess.find(name());
    }

    static Path required(final NatsChannel channel) {
        return program()
                .orElseThrow(() -> channel.failed(absence().orElse("no server is here"), null));
    }

    /** Whether the program is of 2.10 or later, which syncs when it is told. */
    static boolean syncsOnRequest(final NatsChannel channel) {
        try {
            final Process asked =
                    new ProcessBuilder(required(channel).toString(), "--version")
                            .redirectErrorStream(true)
                            .start();
            asked.getOutputStream().close();
            final String said = new String(asked.getInputStream().readAllBytes());
            final Matcher version = VERSION.matcher(said);
            if (!version.find()) {
                throw channel.failed(name() + " does not tell its version", null);
            }
            final int major = Integer.parseInt(version.group(1));
            return major > 2 || major == 2 && Integer.parseInt(version.group(2)) >= 10;
        } catch (final IOException e) {
            throw channel.failed(name() + " cannot be run (" + e.getMessage() + ")", e);
        }
    }

    /**
     * Starts one and waits until it listens.
     *
     * @param address with its port
     * @param folder for configuration and log
     * @param more lines of configuration
     */
    static NatsServer start(
            final NatsChannel channel,
            final HostPort address,
            final Path folder,
            final String more) {
        final NatsServer server = launch(channel, address, folder, more);
        server.awaitReady();
        return server;
    }

    /** Starts one as {@link #start} does; {@link #awaitReady()} waits for it. */
    static NatsServer launch(
            final NatsChannel channel,
            final HostPort address,
            final Path folder,
            final String more) {
        final Path program = required(channel);
        final Path configuration = folder.resolve("nats-server.conf");
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    configuration,
                    """
                    listen: "%s"
                    max_payload: %d
                    %s
                    """
                            .formatted(address.authority(), channel.serverPayloadBytes(), more));
        } catch (final IOException e) {
            throw channel.failed(configuration + " cannot be written: " + e.getMessage(), e);
        }
        final ServerProcess process =
                ServerProcess.start(
                        List.of(program.toString(), "-c", configuration.toString()),
                        Map.of(),
                        folder.resolve("nats-server.log"));
        return new NatsServer(channel, address, process);
    }

    /** Waits until it listens; one that does not is ended. */
    void awaitReady() {
        try {
            awaitListening();
        } catch (final RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private void awaitListening() {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!listens()) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > START_PATIENCE.toNanos()) {
                throw channel.failed(
                        "nats-server does not listen within %d seconds (%s)"
                                .formatted(START_PATIENCE.toSeconds(), process.lastWords(2)),
                        null);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        // Somebody else may be listening there; ours would have ended then.
        LockSupport.parkNanos(LOOK_NS);
        if (!process.isAlive()) {
            throw ended();
        }
    }

    private boolean listens() {
        if (!process.isAlive()) {
            throw ended();
        }
        try (Socket probe = new Socket()) {
            probe.connect(address.socketAddress(), 100);
            return process.lastWords(200).contains("Server is ready");
        } catch (final IOException e) {
            return false;
        }
    }

    private UserError ended() {
        final String said = process.lastWords(1);
        if (said.contains("address already in use")) {
            return channel.failed(
                    "port %d is in use; choose another, or 0 for any free one"
                            .formatted(address.port()),
                    null);
        }
        return channel.failed("nats-server does not start: " + stripped(said), null);
    }

    /** Without process id, time and level. */
    private static String stripped(final String line) {
        return line.replaceFirst("^.*\\[[A-Z]{3}] ", "").replaceFirst("\\.$", "");
    }

    InetSocketAddress socketAddress() {
        return address.socketAddress();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Its process id, for those who want to stop or kill it. */
    long pid() {
        return process.pid();
    }

    /** Errors in its log, the first few. */
    List<String> errors() {
        return Stream.of("[ERR]", "[FTL]")
                .flatMap(level -> process.complaints(level, MOST_ERRORS).stream())
                .map(error -> error.replaceFirst("([^.])$", "$1."))
                .toList();
    }

    boolean hasEndedByItself() {
        return process.hasEndedByItself();
    }

    void kill() {
        process.kill();
    }

    /** Ends it in good order. */
    @Override
    public void close() {
        process.stop(STOP_PATIENCE);
    }
}
