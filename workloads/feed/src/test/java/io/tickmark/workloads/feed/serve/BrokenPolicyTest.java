package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.client.ClientGroup;
import io.tickmark.workloads.feed.conflate.BrokenPolicy;
import io.tickmark.workloads.feed.conflate.ConflationPolicy;
import io.tickmark.workloads.feed.session.Ending;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy of a user's own that throws, among the plug-ins of a server that others use too. */
class BrokenPolicyTest {
    private static final long WAIT_NS = 120_000_000_000L;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private URLClassLoader plugins;
    private RunningServer server;

    @BeforeEach
    void start(@TempDir final Path folder) throws Exception {
        final Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(
                services.resolve(ConflationPolicy.class.getName()),
                Arrays.stream(BrokenPolicy.class.getDeclaredClasses())
                        .filter(BrokenPolicy.class::isAssignableFrom)
                        .map(Class::getName)
                        .toList());
        plugins = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(plugins);
        server = new RunningServer(Map.of("symbols", 50, "rate", 5000)).start();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        Thread.currentThread().setContextClassLoader(before);
        plugins.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken-offer", "broken-drain", "broken-due", "broken-figures"})
    void shouldEndItsSessionsAlone(final String policy) throws Exception {
        try (Socket broken = server.silentWebSocket("conflation=" + policy);
                ClientGroup others =
                        new ClientGroup(
                                SystemNanoClock.INSTANCE,
                                RoleRecording.inMemory(SystemNanoClock.INSTANCE))) {
            others.connect(
                    server.forClients(),
                    ChannelList.shipped().get("ws-binary"),
                    RunningServer.session(Map.of("conflation", "buffer")));
            assertThat(others.awaitOpen(WAIT_NS)).isTrue();
            final String all =
                    new String(broken.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(all)
                    .contains(
                            "The session ended: it failed, with the conflation policy '"
                                    + policy
                                    + "': java.lang.IllegalStateException: a fault of its own.");
            final long nowNs = System.nanoTime();
            // until a message arrived: on a busy machine no fixed time is long enough
            others.measure(nowNs, nowNs + WAIT_NS, () -> others.counts().received().get() > 0);
            assertThat(others.finish(WAIT_NS)).isTrue();
            assertThat(others.unexpectedEndings()).isEmpty();
            assertThat(others.counts().lost().get()).isZero();
            assertThat(others.counts().received().get()).isPositive();
        }
        assertThat(server.hub().failure()).isEmpty();
        assertThat(server.hub().figures().ended(Ending.Kind.FAILED))
                .as("counted, and so in the verdict of its server")
                .isEqualTo(1);
    }
}
