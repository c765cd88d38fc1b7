package io.tickmark.engines.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PulsarServerTest {
    @TempDir private Path jars;

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.pulsar-pulsar-broker-4.0.7.jar", "pulsar-broker-4.0.7.jar"})
    void shouldFindAServer(final String jar) throws Exception {
        Files.createFile(jars.resolve(jar));

        assertThat(PulsarServer.hasServer(jars)).isTrue();
    }

    /** As {@code /usr} has a lib. */
    @Test
    void shouldFindNoneInAnotherFolder() throws Exception {
        Files.createFile(jars.resolve("pulsar-broker-common-4.0.7.jar"));

        assertThat(PulsarServer.hasServer(jars)).isFalse();
        assertThat(PulsarServer.hasServer(jars.resolve("absent"))).isFalse();
    }
}
