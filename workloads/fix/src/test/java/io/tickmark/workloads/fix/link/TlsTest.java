package io.tickmark.workloads.fix.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.trial.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    @TempDir static Path folder;

    private static String keys;

    /** A key and its own certificate, which both sides trust. */
    @BeforeAll
    static void makeKeys() throws Exception {
        keys = folder.resolve("keys.p12").toString();
        final Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "gateway",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                "changeit",
                                "-keystore",
                                keys)
                        .redirectErrorStream(true)
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void shouldCarrySessionsOverTlsWithCertificatesOfBothSides() throws Exception {
        try (Trial trial =
                new Trial(Map.of("tls", true, "keyStore", keys, "trustStore", keys))
                        .gateway(Map.of())
                        .consumers(Map.of("consumers", 5))
                        .producers(
                                Map.of("producers", 2, "messages", 2000, "rate", 4000, "every", 1))
                        .start()) {
            final long sent = trial.count("producers", "sent"); // fewer on a busy machine
            assertThat(sent).isPositive();
            assertThat(trial.count("consumers", "received")).isEqualTo(5 * sent);
            assertThat(trial.count("consumers", "corrupted")).isZero();
        }
    }

    @Test
    void shouldSayThatItDoesNotBelieveACertificate() {
        try (Trial trial =
                new Trial(Map.of("tls", true)).gateway(Map.of("keyStore", keys)).start()) {
            assertThatThrownBy(() -> trial.consumers(Map.of()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("name it with --trust-store");
        }
    }

    @Test
    void shouldNotSendInClearWhereSomebodyNamesCertificates() {
        assertThatThrownBy(() -> new Trial(Map.of("keyStore", keys)).gateway(Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--key-store: is for encrypted connections; give --tls, too, or leave it out.");
    }

    @Test
    void shouldSayThatAFileIsNotThere() {
        assertThatThrownBy(() ->
                        new Trial(Map.of("tls", true, "keyStore", "none.p12")).gateway(Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("(none.p12 does not exist)");
    }

    @Test
    void shouldNeedACertificate() {
        assertThatThrownBy(() -> new Trial(Map.of("tls", true)).gateway(Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--key-store");
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() throws Exception {
        final Path file = Files.writeString(folder.resolve("not.p12"), "no keys");
        assertThatThrownBy(() ->
                        new Trial(Map.of("tls", true, "keyStore", file.toString()))
                                .gateway(Map.of()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--key-store " + file)
                .hasMessageContaining("(it has another format)");
    }
}
