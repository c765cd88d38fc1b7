package io.tickmark.workloads.market.certificate;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Creates a keystore with a key and a certificate that it has signed itself: servers show it,
 * clients that are given the same file trust it. Only for tests on one's own hosts. It is created
 * with the JDK's keytool, because the JDK has no public way to sign a certificate.
 */
public final class TestCertificate {
    private static final int MIN_PASSWORD = 6;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final FileAttribute<?> FOR_ITS_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> FOR_ITS_OWNER_TO_ENTER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * What a test certificate is to be.
     *
     * @param out keystore to write
     * @param keyPassword of the keystore
     * @param hosts it is good for, the first one is its name
     * @param validity how long it is good
     */
    public record TestCertificateSettings(
            @Setting(help = "Keystore to write.", byDefault = "tickmark-test.p12", label = "FILE")
                    String out,
            @Setting(help = "Password of the keystore.", byDefault = "tickmark", label = "WORD")
                    String keyPassword,
            @Setting(
                            help = "Names and addresses of the servers that it is valid for.",
                            byDefault = "localhost,127.0.0.1",
                            label = "HOST,...")
                    List<String> hosts,
            @Setting(help = "How long it is valid.", byDefault = "720h", min = 3.6e12, max = 3.2e16)
                    Duration validity) {
        /** Copies the list. */
        public TestCertificateSettings {
            hosts = List.copyOf(hosts);
        }
    }

    private TestCertificate() {}

    /**
     * Creates the keystore.
     *
     * @param settings what it is to be
     * @return the file, readable for its owner only
     * @throws UserError if the file exists already or cannot be written
     */
    public static Path create(final TestCertificateSettings settings) {
        return create(settings, Path.of(System.getProperty("java.home"), "bin", "keytool"));
    }

    static Path create(final TestCertificateSettings settings, final Path keytool) {
        final Path file = Path.of(settings.out());
        if (Files.exists(file)) {
            throw exists(file);
        }
        if (settings.keyPassword().length() < MIN_PASSWORD) {
            throw UserError.usage(
                    "--key-password must have at least %d characters.".formatted(MIN_PASSWORD));
        }
        write(file, made(settings, keytool));
        return file;
    }

    private static UserError exists(final Path file) {
        return UserError.usage(
                file + ": there is a file of that name already; name another with --out.");
    }

    /** keytool creates files that everyone may read: it does so where nobody else gets. */
    private static byte[] made(final TestCertificateSettings settings, final Path keytool) {
        try {
            final Path folder = Files.createTempDirectory("tickmark-key", FOR_ITS_OWNER_TO_ENTER);
            final Path made = folder.resolve("made.p12");
            try {
                run(command(keytool, made, settings), settings.keyPassword(), LONGEST);
                return Files.readAllBytes(made);
            } finally {
                Files.deleteIfExists(made);
                Files.delete(folder);
            }
        } catch (final IOException e) {
            throw noPlace(IoReason.of(e), e);
        } catch (final UnsupportedOperationException e) {
            throw noPlace("its files have no owners", e);
        }
    }

    private static UserError noPlace(final String why, final Exception e) {
        return UserError.environment(
                "The keystore cannot be made in %s (%s); name another folder in -Djava.io.tmpdir of TICKMARK_JAVA_OPTS."
                        .formatted(System.getProperty("java.io.tmpdir"), why),
                e);
    }

    private static void write(final Path file, final byte[] keystore) {
        try {
            Files.createFile(file, FOR_ITS_OWNER);
        } catch (final FileAlreadyExistsException e) {
            throw exists(file);
        } catch (final NoSuchFileException e) {
            throw notWritten(file, "there is no folder " + file.toAbsolutePath().getParent(), e);
        } catch (final IOException e) {
            throw notWritten(file, IoReason.of(e), e);
        } catch (final UnsupportedOperationException e) {
            throw notWritten(file, "files there have no owners", e);
        }
        try {
            Files.write(file, keystore);
        } catch (final IOException e) {
            file.toFile().delete(); // half a keystore is none
            throw notWritten(file, IoReason.of(e), e);
        }
    }

    private static UserError notWritten(final Path file, final String why, final Exception e) {
        return UserError.environment(
                "%s cannot be written (%s); name another with --out.".formatted(file, why), e);
    }

    private static List<String> command(
            final Path keytool, final Path file, final TestCertificateSettings settings) {
        final List<String> names = new ArrayList<>();
        for (final String host : settings.hosts()) {
            if (!host.matches("[A-Za-z0-9.:-]{1,253}")) {
                throw UserError.usage(
                        "--hosts has \"%s\", which is neither a name nor an address."
                                .formatted(host));
            }
            names.add((host.matches("[0-9.]+|.*:.*") ? "ip:" : "dns:") + host);
        }
        return List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "tickmark",
                "-keyalg",
                "RSA",
                "-keysize",
                "3072",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass:env",
                PASSWORD_VARIABLE,
                "-dname",
                "CN=" + settings.hosts().getFirst() + ", O=tickmark test",
                "-ext",
                "SAN=" + String.join(",", names),
                "-validity",
                Long.toString(Math.max(1, settings.validity().toDays())));
    }

    /** Not on the command line, where everyone could read it. */
    private static final String PASSWORD_VARIABLE = "TICKMARK_KEY_PASSWORD";

    /** Runs a command to its end, or ends it when its time is over. */
    static void run(final List<String> command, final String password, final Duration longest) {
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(PASSWORD_VARIABLE, password);
        Process process = null;
        try {
            process = builder.start();
            process.getOutputStream().close();
            // its output fits into the pipe; reading first would wait for its end without a limit
            if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                throw UserError.environment(
                        "The JDK's keytool did not finish within %s."
                                .formatted(Durations.format(longest)));
            }
            final String said =
                    new String(
                            process.getInputStream().readNBytes(1 << 16), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw UserError.environment(
                        "The JDK's keytool reported: " + said.strip().replaceAll("\\s+", " "));
            }
        } catch (final IOException e) {
            throw UserError.environment("The JDK's keytool cannot be run: " + e.getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw UserError.environment("Interrupted while the certificate was made.", e);
        } finally {
            if (process != null) {
                process.destroyForcibly(); // of no effect once it has ended
            }
        }
    }
}
