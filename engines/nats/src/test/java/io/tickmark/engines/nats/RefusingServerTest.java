package io.tickmark.engines.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that does not permit publishing reports it asynchronously, and continues. */
@Timeout(120)
class RefusingServerTest {
    private static final String CONFIGURATION =
            """
            authorization {
              users = [ {user: guest, password: guest, permissions: {publish: {deny: ">"}}} ]
            }
            no_auth_user: guest
            """;

    private final NatsTransport nats = new NatsTransport();

    @TempDir private Path folder;

    @BeforeAll
    static void needServer() {
        Needed.server();
    }

    @Test
    void shouldReportWhatTheServerRefusesToPublish() throws Exception {
        final HostPort free = free();
        try (ServerProcess server = server(free, CONFIGURATION);
                Exchange ours = opened(server, free)) {
            while (ours.note().isEmpty()) {
                ours.publication().offer(new UnsafeBuffer(new byte[64]), 0, 64);
                ours.publication().doWork();
                Thread.sleep(1);
            }

            assertThat(ours.note().orElseThrow())
                    .startsWith("The NATS client reported ")
                    .containsIgnoringCase("permissions violation for publish");
        }
    }

    @Test
    void shouldSayThatTheServerAsksForCredentials() throws Exception {
        final HostPort free = free();
        try (ServerProcess server =
                server(free, "authorization { user: guest, password: guest }\n")) {
            assertThatThrownBy(() -> opened(server, free))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("asks for credentials, which cannot be given here")
                    .hasMessageContaining("?start");
        }
    }

    private HostPort free() throws IOException {
        final HostPort any = nats.channel(ChannelUri.parse("nats:")).address();
        return any.withPort(FreePort.tcp(any.address()));
    }

    private ServerProcess server(final HostPort at, final String text) throws IOException {
        final Path configuration = Files.writeString(folder.resolve("nats.conf"), text);
        return ServerProcess.start(
                List.of(
                        NatsServer.PROGRAM
                                .required(nats.channel(ChannelUri.parse("nats:")))
                                .toString(),
                        "-c",
                        configuration.toString(),
                        "-a",
                        at.host(),
                        "-p",
                        Integer.toString(at.port())),
                Map.of(),
                folder.resolve("server.log"));
    }

    private Exchange opened(final ServerProcess server, final HostPort at) {
        assertThat(server.awaitReady("Server is ready", "", Duration.ofSeconds(60))).isEmpty();
        return nats.exchange(
                ChannelUri.parse("nats://" + at.authority()), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }
}
