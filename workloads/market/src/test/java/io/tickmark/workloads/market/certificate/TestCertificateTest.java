package io.tickmark.workloads.market.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.certificate.TestCertificate.TestCertificateSettings;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TestCertificateTest {
    @TempDir Path folder;

    private TestCertificateSettings settings(final String password, final String host) {
        return new TestCertificateSettings(
                folder.resolve("test.p12").toString(),
                password,
                List.of("localhost", host),
                Duration.ofDays(2));
    }

    @Test
    void shouldMakeAKeystoreForItsOwnerAlone() throws Exception {
        final Path file = TestCertificate.create(settings("secret-word", "127.0.0.1"));

        final KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, "secret-word".toCharArray());
        }
        final X509Certificate certificate = (X509Certificate) store.getCertificate("tickmark");
        assertThat(certificate.getSubjectX500Principal().getName()).contains("CN=localhost");
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactly("localhost", "127.0.0.1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /** It had been made for all to read, and was closed to them afterwards. */
    @Test
    void shouldLetNobodyElseReadTheKeyAtAnyTime() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Path seen = folder.resolve("seen");
        final Path keytool =
                Files.writeString(
                        folder.resolve("keytool"),
                        """
                        #!/bin/sh
                        while [ "$1" != -keystore ]; do shift; done
                        echo key > "$2"
                        stat -c %%A "$(dirname "$2")" > %s
                        """
                                .formatted(seen));
        Files.setPosixFilePermissions(keytool, PosixFilePermissions.fromString("rwxr-xr-x"));

        final Path file = TestCertificate.create(settings("secret-word", "127.0.0.1"), keytool);
        assertThat(seen).hasContent("drwx------");
        assertThat(file).hasContent("key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.delete(file);

        assertThatThrownBy(() ->
                        TestCertificate.create(
                                new TestCertificateSettings(
                                        folder.resolve("none/test.p12").toString(),
                                        "secret-word",
                                        List.of("localhost"),
                                        Duration.ofDays(1)),
                                keytool))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "none/test.p12 cannot be written (there is no folder "
                                + folder.resolve("none"));
    }

    @Test
    void shouldNeverOverwriteAFile() throws Exception {
        Files.writeString(folder.resolve("test.p12"), "mine");

        assertThatThrownBy(() -> TestCertificate.create(settings("secret-word", "127.0.0.1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is a file of that name already");
        assertThat(folder.resolve("test.p12")).hasContent("mine");
    }

    @Test
    void shouldRefuseAShortPasswordAndAHostThatIsNone() {
        assertThatThrownBy(() -> TestCertificate.create(settings("word", "127.0.0.1")))
                .hasMessageContaining("--key-password must have at least 6 characters");
        assertThatThrownBy(() -> TestCertificate.create(settings("secret-word", "a,dns:b")))
                .hasMessageContaining("--hosts has \"a,dns:b\"");
    }

    /** It says nothing and does not end, as a keytool that waits for something would. */
    @Test
    @Timeout(180)
    void shouldEndAKeytoolThatDoesNotEndByItself() {
        final List<String> endless = List.of("sleep", "600");
        assertThatThrownBy(() -> TestCertificate.run(endless, "", Duration.ofMillis(200)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did not finish within 200ms");
        assertThat(sleepers()).isEmpty();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> TestCertificate.run(endless, "", Duration.ofSeconds(600)))
                .hasMessageContaining("Interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(sleepers()).isEmpty();
    }

    /** Those that are still alive; one that was requested to end may take a moment. */
    private static List<ProcessHandle> sleepers() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("sleep"))
                .filter(child -> {
                    try {
                        child.onExit().get(120, TimeUnit.SECONDS);
                        return false;
                    } catch (final Exception e) {
                        return true;
                    }
                })
                .toList();
    }
}
