package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A separate ssh server on one of the hosts in namespaces, with its own keys. */
final class SshServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/sshd");
    private static final int PORT = 2222;

    private final Process process;

    private SshServer(final Process process) {
        this.process = process;
    }

    /**
     * Makes keys and the configuration of a client that knows them, in {@code folder}.
     *
     * @return the client's configuration file
     */
    static Path keys(final Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(PROGRAM), "hosts need openssh-server");
        Files.createDirectories(Path.of("/run/sshd"));
        for (final String key : List.of("host", "user", "stranger")) {
            run(
                    folder,
                    List.of(
                            "ssh-keygen",
                            "-q",
                            "-t",
                            "ed25519",
                            "-N",
                            "",
                            "-f",
                            folder.resolve(key).toString()));
        }
        Files.copy(folder.resolve("user.pub"), folder.resolve("authorized"));
        known(folder, "known", "host");
        known(folder, "known-otherwise", "stranger");
        Files.createFile(folder.resolve("known-none"));
        client(folder, "foreign", "stranger", "known");
        client(folder, "unseen", "user", "known-none");
        client(folder, "changed", "user", "known-otherwise");
        return client(folder, "client", "user", "known");
    }

    /** A file that takes this key for that of each host. */
    private static void known(final Path folder, final String name, final String key)
            throws IOException {
        final List<String> known = new ArrayList<>();
        for (int host = 1; host <= 4; host++) {
            known.add(
                    "[%s]:%d %s"
                            .formatted(
                                    Namespaces.ip4(host),
                                    PORT,
                                    Files.readString(folder.resolve(key + ".pub")).strip()));
        }
        Files.write(folder.resolve(name), known);
    }

    private static Path client(
            final Path folder, final String name, final String key, final String known)
            throws IOException {
        return Files.writeString(
                folder.resolve(name),
                """
                Host *
                  Port %d
                  User root
                  IdentityFile %s
                  IdentitiesOnly yes
                  UserKnownHostsFile %s
                  StrictHostKeyChecking yes
                """
                        .formatted(PORT, folder.resolve(key), folder.resolve(known)));
    }

    /**
     * Starts a server on a host, with the keys of {@code folder}. All hosts share the cores of one
     * machine, which the controller does not know: what runs there must be told not to spin.
     */
    static SshServer start(final Namespaces hosts, final int host, final Path folder)
            throws IOException, InterruptedException {
        final Path configuration =
                Files.writeString(
                        folder.resolve("server-" + host),
                        """
                        ListenAddress %s:%d
                        HostKey %s
                        AuthorizedKeysFile %s
                        StrictModes no
                        PasswordAuthentication no
                        UsePAM no
                        PermitRootLogin yes
                        PidFile none
                        """
                                .formatted(
                                        Namespaces.ip4(host),
                                        PORT,
                                        folder.resolve("host"),
                                        folder.resolve("authorized")));
        final Path log = folder.resolve("server-" + host + ".log");
        final Launch launch =
                hosts.on(host, Launch.of(PROGRAM, "-D", "-e", "-f", configuration.toString()));
        final Process process = launch.start(log, log);
        Job.await("a server in " + log, () -> !process.isAlive() || listens(log));
        assertThat(listens(log)).as(Files.readString(log)).isTrue();
        return new SshServer(process);
    }

    private static boolean listens(final Path log) {
        try {
            return Files.readString(log).contains("listening");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(final Path folder, final List<String> command)
            throws IOException, InterruptedException {
        final Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("failed: " + command);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
