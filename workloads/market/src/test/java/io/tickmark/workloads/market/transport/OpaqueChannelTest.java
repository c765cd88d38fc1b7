package io.tickmark.workloads.market.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.transport.AcceptOptions;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.Rssl;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpaqueChannelTest {
    private static final int BYTES = 100;
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(90);

    private Server server;
    private OpaqueChannel sending;
    private OpaqueChannel receiving;

    @BeforeEach
    void startLibrary() {
        TransportSender.startLibrary();
    }

    @AfterEach
    void close() {
        sending.close();
        receiving.close();
        server.close(TransportFactory.createError());
        Transport.uninitialize();
    }

    private void connect(final Map<String, ?> ofSender) {
        final ConnectionSettings settings =
                Settings.read(ConnectionSettings.class, ofSender, key -> key);
        final ConnectionSettings others =
                Settings.read(ConnectionSettings.class, Map.of(), key -> key);
        server = Rssl.bind("127.0.0.1", "--host", 0, "--port", settings);
        receiving =
                new OpaqueChannel(
                        Transport.connect(
                                Rssl.connectTo(
                                                "127.0.0.1",
                                                server.portNumber(),
                                                others,
                                                Duration.ofSeconds(1))
                                        .connectionList()
                                        .getFirst()
                                        .connectOptions(),
                                TransportFactory.createError()),
                        others);
        final AcceptOptions options = TransportFactory.createAcceptOptions();
        Channel accepted = null;
        while (accepted == null) {
            receiving.isUp();
            accepted = server.accept(options, TransportFactory.createError());
        }
        sending = new OpaqueChannel(accepted, settings);
        boolean up = false;
        while (!up) {
            up = sending.isUp() & receiving.isUp();
        }
    }

    private void send() {
        final TransportBuffer buffer = sending.begin(BYTES);
        buffer.data().put(new byte[BYTES]);
        sending.end(buffer);
    }

    private void awaitMessage() {
        final long beginNs = System.nanoTime();
        while (receiving.read() == null) {
            assertThat(receiving.isGone()).isFalse();
            assertThat(System.nanoTime() - beginNs).isLessThan(LONGEST_NS);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldWriteEachMessageAtOnce() {
        connect(Map.of("directWrite", true));
        send();
        awaitMessage();
    }

    @Test
    void shouldWriteWhenTheHighWaterMarkIsReached() {
        connect(Map.of("directWrite", false, "highWaterMarkBytes", 2 * BYTES));
        for (int i = 0; i < 3; i++) {
            send();
        }
        awaitMessage();
    }
}
