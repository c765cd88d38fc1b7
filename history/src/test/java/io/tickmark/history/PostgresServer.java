package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of one test, in a separate folder; not as root, which it refuses. Tests of
 * other modules use it too.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final long LONGEST_SECONDS = 60;
    private static final int MOST_STARTS = 5;

    private final Path programs;
    private final Path folder;
    private int port;

    private PostgresServer(final Path programs, final Path folder) {
        this.programs = programs;
        this.folder = folder;
    }

    /** Starts one; the test is skipped where none is installed. */
    public static PostgresServer start() throws IOException, InterruptedException {
        final Optional<Path> programs = programs();
        assumeTrue(programs.isPresent(), "PostgreSQL is not installed (Debian: postgresql)");
        final Path folder = Files.createTempDirectory("tickmark-postgres");
        final PostgresServer server = new PostgresServer(programs.get(), folder);
        if (isRoot()) {
            server.run(List.of("chown", "nobody", folder.toString()));
        }
        server.run(
                asUser(
                        List.of(
                                server.program("initdb"),
                                "-D",
                                server.data(),
                                "-U",
                                "team",
                                "-A",
                                "trust",
                                "-N")));
        server.startAtAFreePort();
        return server;
    }

    /** Another program may take a port that was free a moment ago: then it is another port. */
    private void startAtAFreePort() throws IOException, InterruptedException {
        int starts = 0;
        do {
            assertThat(starts++).as("failed starts").isLessThan(MOST_STARTS);
            port = FreePort.tcp(InetAddress.getLoopbackAddress());
        } while (statusOf(asUser(controlling("start"))) != 0);
    }

    private static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .sorted()
                    .reduce((first, second) -> second);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private String program(final String name) {
        return programs.resolve(name).toString();
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /** Starts or stops it. */
    public void control(final String what) throws IOException, InterruptedException {
        run(asUser(controlling(what)));
    }

    private List<String> controlling(final String what) {
        return List.of(
                program("pg_ctl"),
                "-D",
                data(),
                "-w",
                "-m",
                "fast",
                "-l",
                folder.resolve("log").toString(),
                "-o",
                "-p %d -c listen_addresses=127.0.0.1 -c fsync=off -k %s".formatted(port, folder),
                what);
    }

    private static List<String> asUser(final List<String> command) {
        final List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("setpriv", "--reuid=nobody", "--clear-groups"));
        }
        words.addAll(command);
        return words;
    }

    private void run(final List<String> command) throws IOException, InterruptedException {
        assertThat(statusOf(command)).as(String.join(" ", command)).isZero();
    }

    private int statusOf(final List<String> command) throws IOException, InterruptedException {
        final Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Of the database that is there from the beginning. */
    public String url() {
        return url("postgres");
    }

    private String url(final String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=team";
    }

    /** Makes another database; its URL. */
    String database(final String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("create database " + name);
        }
        return url(name);
    }

    @Override
    public void close() throws IOException {
        try {
            try {
                control("stop");
            } finally {
                run(List.of("rm", "-rf", data(), folder.resolve("log").toString()));
            }
        } catch (final InterruptedException e) {
            throw new IOException("interrupted while the server stopped", e);
        }
        Files.deleteIfExists(folder);
    }
}
