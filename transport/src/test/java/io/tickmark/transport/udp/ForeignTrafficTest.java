package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignTrafficTest extends UdpFixture {
    private static final int DATAGRAMS = 3000;
    private static final int LONGEST = 2000;

    @Test
    void shouldPingAPlainEchoService() throws IOException {
        final DatagramSocket echo = opened(new DatagramSocket(0, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().start(() -> echo(echo));
        final Exchange exchange =
                connect(ChannelUri.parse("udp://127.0.0.1:" + echo.getLocalPort()));
        final Collected collected = new Collected();

        for (int i = 1; i <= 100; i++) {
            Collected.offer(exchange.publication(), "ping " + i);
            collected.await(exchange.subscription(), i);
            assertThat(collected.messages()).last().isEqualTo("ping " + i);
        }
    }

    /** RFC 862, until its socket is closed. */
    private static void echo(final DatagramSocket socket) {
        final DatagramPacket packet = new DatagramPacket(new byte[LONGEST], LONGEST);
        try {
            while (!socket.isClosed()) {
                packet.setLength(LONGEST);
                socket.receive(packet);
                socket.send(packet);
            }
        } catch (final IOException e) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp://127.0.0.1:0",
                "udp://127.0.0.1:0?batch=20",
                "mcast://239.255.77.9:0",
                "mcast://239.255.77.9:0?batch=20"
            })
    void shouldTakeAnyBytesFromAnybody(final String channel) throws IOException {
        final Exchange exchange = exchange(ChannelUri.parse(channel));
        final Subscription subscription = exchange.subscription();
        final Random random = new Random(channel.hashCode());
        final long[] bytes = new long[2];
        int received = 0;

        try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            stranger.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF,
                    NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
            final SocketAddress target = address(exchange.channel());
            for (int i = 0; i < DATAGRAMS; i++) {
                final byte[] garbage = new byte[random.nextInt(LONGEST)];
                random.nextBytes(garbage);
                stranger.send(new DatagramPacket(garbage, garbage.length, target));
                bytes[0] += garbage.length;
                received += subscription.poll((buffer, at, length) -> bytes[1] += length, 7);
            }
            final int[] late = {received};
            Waiting.until(() -> {
                late[0] += subscription.poll((buffer, at, length) -> bytes[1] += length, 7);
                return late[0] + subscription.lost() >= DATAGRAMS;
            });
        }

        assertThat(bytes[1]).isPositive().isLessThanOrEqualTo(bytes[0]);
        if (subscription.lost() == 0) {
            assertThat(bytes[1]).isEqualTo(bytes[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://0.0.0.0:0", "udp://0.0.0.0:0?batch=20"})
    void shouldSendNothingToAStrangerWhoDidNotGreet(final String channel) throws IOException {
        final Exchange bound = bind(channel);
        final Random random = new Random(7);
        try (DatagramChannel stranger = DatagramChannel.open()) {
            stranger.configureBlocking(false);
            stranger.connect(
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(),
                            Integer.parseInt(bound.channel().authority().split(":")[1])));
            final Collected garbage = new Collected();
            for (int i = 1; i <= 1000; i++) {
                final byte[] bytes = new byte[1 + random.nextInt(100)];
                random.nextBytes(bytes);
                stranger.write(ByteBuffer.wrap(bytes));
                garbage.await(bound.subscription(), i);
            }
            assertThat(bound.publication().subscriberCount()).isZero();
            assertThat(Collected.offer(bound.publication(), "data"))
                    .isEqualTo(Publication.NOT_CONNECTED);

            final Exchange peer = connect(bound.channel());
            Collected.greet(peer);
            garbage.await(bound.subscription(), 1001);
            Collected.offer(bound.publication(), "data");
            bound.publication().flush();

            assertThat(new Collected().await(peer.subscription(), 1).messages())
                    .containsExactly("data");
            assertThat(stranger.read(ByteBuffer.allocate(LONGEST))).isZero();
        }
    }

    private Exchange exchange(final ChannelUri channel) {
        if (channel.scheme().equals("udp")) {
            return bind(channel.toString());
        }
        final MulticastTransport transport = new MulticastTransport();
        final Exchange sender =
                opened(transport.exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0));
        return opened(transport.exchange(sender.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, 1));
    }

    private static SocketAddress address(final ChannelUri channel) {
        final String[] parts = channel.authority().split(":");
        return new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
    }
}
