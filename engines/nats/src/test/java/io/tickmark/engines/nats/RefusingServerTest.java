package io.tickmark.engines.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.ServerProcess;
import java.net.ServerSocket;
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

    @TempDir private Path folder;

    @BeforeAll
    static void needServer() {
        Needed.server();
    }

    @Test
    void shouldReportWhatTheServerRefusesToPublish() throws Exception {
        final NatsTransport nats = new NatsTransport();
        final BrokerChannel<NatsParameters> any = nats.channel(ChannelUri.parse("nats:"));
        final HostPort free;
        try (ServerSocket socket = new ServerSocket(0, 1, any.address().address())) {
            free = any.address().withPort(socket.getLocalPort());
        }
        final Path configuration = Files.writeString(folder.resolve("nats.conf"), CONFIGURATION);
        try (ServerProcess server =
                        ServerProcess.start(
                                List.of(
                                        NatsServer.PROGRAM.required(any).toString(),
                                        "-c",
                                        configuration.toString(),
                                        "-a",
                                        free.host(),
                                        "-p",
                                        Integer.toString(free.port())),
                                Map.of(),
                                folder.resolve("server.log"));
                Exchange ours = opened(nats, server, free)) {
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

    private static Exchange opened(
            final NatsTransport nats, final ServerProcess server, final HostPort at)
            throws Exception {
        assertThat(server.awaitReady("Server is ready", "", Duration.ofSeconds(60))).isEmpty();
        return nats.exchange(
                ChannelUri.parse("nats://" + at.authority()), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }
}
