package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationsTest {
    private final UnsafeBuffer name =
            new UnsafeBuffer(ByteBuffer.allocateDirect(UdpEndpoint.ENCODED_BYTES));

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldLearnEachPeerOnceUpToTheLimit(final String host) throws UnknownHostException {
        final Destinations peers = Destinations.peersThatSaidHello();
        final int more = Destinations.MAX_LEARNED + 10;

        for (int round = 0; round < 3; round++) {
            for (int port = 1; port <= more; port++) {
                hear(peers, host, port);
            }
        }

        assertThat(peers.count()).isEqualTo(Destinations.MAX_LEARNED);
        assertThat(peers.ignored()).isEqualTo(3 * 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldKeepOnlyTheOneHeardLast(final String host) throws UnknownHostException {
        final Destinations last = Destinations.lastHeard();
        assertThat(last.count()).isZero();

        hear(last, host, 4001);
        final int length = hear(last, host, 4002);

        assertThat(last.count()).isEqualTo(1);
        assertThat(last.nameLength()).isEqualTo(length);
        final UnsafeBuffer kept = new UnsafeBuffer(last.name(0), length);
        assertThat(UdpEndpoint.encodedPort(kept, 0)).isEqualTo(4002);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.2", "::2"})
    void shouldTellHostsApartThatUseTheSamePort(final String other) throws UnknownHostException {
        final Destinations peers = Destinations.peersThatSaidHello();

        hear(peers, other.replace('2', '1'), 4001);
        hear(peers, other, 4001);

        assertThat(peers.count()).isEqualTo(2);
    }

    private int hear(final Destinations peers, final String host, final int port)
            throws UnknownHostException {
        final UdpEndpoint endpoint = new UdpEndpoint(host, InetAddress.getByName(host), port);
        final int length = endpoint.encode(name, 0, 0);
        peers.heard(name, length);
        return length;
    }
}
