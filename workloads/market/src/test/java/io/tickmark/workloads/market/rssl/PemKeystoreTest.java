package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.certificate.TestCertificate;
import io.tickmark.workloads.market.certificate.TestCertificate.TestCertificateSettings;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemKeystoreTest {
    private static final String PASSWORD = "changeit";

    @TempDir static Path folder;
    private static Path certificate;
    private static Path key;

    @BeforeAll
    static void writePemFiles() throws Exception {
        final Path made =
                TestCertificate.create(
                        new TestCertificateSettings(
                                folder.resolve("test.p12").toString(),
                                PASSWORD,
                                List.of("localhost"),
                                Duration.ofDays(2)));
        final KeyStore store = KeyStore.getInstance(made.toFile(), PASSWORD.toCharArray());
        final String alias = store.aliases().nextElement();
        certificate = pem("CERTIFICATE", store.getCertificate(alias).getEncoded());
        key = pem("PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    }

    private static Path pem(final String kind, final byte[] content) throws Exception {
        return Files.writeString(
                folder.resolve(kind),
                "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                        .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
    }

    /** As the library does, for each connection anew. */
    private static KeyStore read(final PemKeystore from) throws Exception {
        final KeyStore store = KeyStore.getInstance("JKS");
        try (FileInputStream in = new FileInputStream(from.file())) {
            store.load(in, from.password().toCharArray());
        }
        return store;
    }

    /** A role that is killed had left a file with the server's key. */
    @Test
    void shouldHoldTheKeyOfAServerInMemoryAlone() throws Exception {
        final PemKeystore keystore = PemKeystore.serving(certificate, key);
        assertThat(Files.readSymbolicLink(Path.of(keystore.file())).toString())
                .startsWith("/memfd:tickmark-keys");
        for (int connection = 0; connection < 2; connection++) {
            assertThat(read(keystore).getKey("server", keystore.password().toCharArray()))
                    .isNotNull();
        }
    }

    @Test
    void shouldHoldEachKeystoreByItself() throws Exception {
        final PemKeystore server = PemKeystore.serving(certificate, key);
        final PemKeystore client = PemKeystore.trusting(certificate);
        assertThat(client.file()).isNotEqualTo(server.file());
        assertThat(read(client).isCertificateEntry("trusted-1")).isTrue();
        assertThat(read(server).isKeyEntry("server")).isTrue();
    }
}
