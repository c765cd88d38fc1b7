package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.eta.transport.ConnectOptions;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/** What is passed to the library about a connection. */
class RsslTest {
    private static ConnectionSettings read(final Map<String, ?> settings) {
        return Settings.read(ConnectionSettings.class, settings, key -> key);
    }

    @Test
    void shouldHandBuffersAndSocketOptionsToTheLibrary() {
        final ConnectionSettings settings =
                read(
                        Map.of(
                                "inputBuffers",
                                77,
                                "outputBuffers",
                                33,
                                "socketReceiveBytes",
                                70_000,
                                "socketSendBytes",
                                60_000,
                                "tcpNoDelay",
                                false,
                                "maxDispatchCount",
                                5));

        final ConnectOptions options =
                Rssl.connectTo("somewhere", 14002, settings, Duration.ofSeconds(1))
                        .connectionList()
                        .getFirst()
                        .connectOptions();

        assertThat(options.numInputBuffers()).isEqualTo(77);
        assertThat(options.guaranteedOutputBuffers()).isEqualTo(33);
        assertThat(options.sysRecvBufSize()).isEqualTo(70_000);
        assertThat(options.sysSendBufSize()).isEqualTo(60_000);
        assertThat(options.tcpOpts().tcpNoDelay()).isFalse();
        assertThat(settings.dispatchCountOrDefault()).isEqualTo(5);
    }

    /** A smaller window than a segment of a loopback can bring both sides to a stand. */
    @Test
    void shouldReceiveMoreThanASegmentByDefault() {
        final ConnectOptions options =
                Rssl.connectTo("somewhere", 14002, read(Map.of()), Duration.ofSeconds(1))
                        .connectionList()
                        .getFirst()
                        .connectOptions();

        assertThat(options.sysRecvBufSize()).isGreaterThan(2 * 65_536);
    }

    @Test
    void shouldListenOnTheAddressAskedForAlone() throws Exception {
        // the library listens once it is started
        try (ReactorLoop _ =
                new ReactorLoop(IdleStrategies.pausing(1, SystemNanoClock.INSTANCE), 1)) {
            final Server server = Rssl.bind("127.0.0.2", "--host", 0, "--port", read(Map.of()));
            try (Socket there = new Socket("127.0.0.2", server.portNumber())) {
                assertThat(there.isConnected()).isTrue();
            }
            assertThatThrownBy(() -> new Socket("127.0.0.1", server.portNumber()).close())
                    .isInstanceOf(ConnectException.class);
            server.close(TransportFactory.createError());
        }
    }
}
