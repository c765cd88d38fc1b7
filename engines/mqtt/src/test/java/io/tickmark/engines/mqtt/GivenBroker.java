package io.tickmark.engines.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A broker that another party set up and runs, with its own settings. */
final class GivenBroker implements AutoCloseable {
    private final Path configuration;
    private final int port;
    private ServerProcess process;

    /** Starts it; it may read files that only its user can read. */
    GivenBroker(final Path folder, final String... settings) throws IOException {
        configuration = folder.resolve("given.conf");
        port = FreePort.tcp(InetAddress.getLoopbackAddress());
        Files.writeString(
                configuration,
                """
                listener %d 127.0.0.1
                user %s
                log_dest stderr
                %s
                """
                        .formatted(
                                port,
                                System.getProperty("user.name"),
                                String.join("\n", settings)));
        start();
    }

    void start() {
        process =
                ServerProcess.start(
                        List.of(
                                ServerProcess.find("mosquitto").orElseThrow().toString(),
                                "-c",
                                configuration.toString()),
                        Map.of(),
                        configuration.resolveSibling("given.log"));
        assertThat(process.awaitReady(" running", "Error: ", Duration.ofSeconds(120))).isEmpty();
    }

    ChannelUri channel(final String parameters) {
        return ChannelUri.parse("mqtt://127.0.0.1:" + port + "?" + parameters);
    }

    int port() {
        return port;
    }

    void kill() {
        process.kill();
    }

    /** Suspends it: it exists but no longer responds. */
    void freeze() throws Exception {
        assertThat(
                        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                                .start()
                                .waitFor())
                .isZero();
    }

    @Override
    public void close() {
        process.close();
    }
}
