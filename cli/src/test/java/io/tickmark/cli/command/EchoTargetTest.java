package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EchoTargetTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    /** On a busy machine those that answer may get no core for a while. */
    private static final int PATIENCE_MS = 60_000;

    private static void shouldRefuse(
            final String target, final UserError.Kind kind, final String... words) {
        shouldRefuse(() -> EchoTarget.check(target, true, PATIENCE_MS), kind, words);
    }

    private static void shouldRefuse(
            final ThrowingCallable check, final UserError.Kind kind, final String... words) {
        assertThatThrownBy(check)
                .isInstanceOfSatisfying(
                        UserError.class, error -> assertThat(error.kind()).isEqualTo(kind))
                .hasMessageStartingWith("--target")
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nowhere",
                "foo://127.0.0.1:7",
                "wss://127.0.0.1:7",
                "shm:",
                "null:",
                "multicast://239.1.1.1:7"
            })
    void shouldNameTheFormsWhereNoEchoCanBe(final String target) {
        shouldRefuse(
                target,
                UserError.Kind.USAGE,
                target,
                "udp://HOST:PORT, tcp://HOST:PORT or ws://HOST:PORT/PATH");
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp://127.0.0.1", "tcp://127.0.0.1:0", "ws://127.0.0.1/echo"})
    void shouldAskForAPort(final String target) {
        shouldRefuse(target, UserError.Kind.USAGE, target, "it has no port");
    }

    @Test
    void shouldSayWhatIsWrongWithAnAddressInTheOptionsWords() {
        shouldRefuse("udp://127.0.0.1:99999", UserError.Kind.USAGE, "'99999' is not a port");
        shouldRefuse("tcp://127.0.0.1:7?fast=1", UserError.Kind.USAGE, "fast");
        shouldRefuse("ws://127.0.0.1:7/a b", UserError.Kind.USAGE, "'/a b' is not a path");
    }

    @Test
    void shouldSayAtOnceThatNothingListens() throws IOException {
        final int tcpPort;
        try (ServerSocket free = new ServerSocket(0, 1, LOOPBACK)) {
            tcpPort = free.getLocalPort();
        }
        final int udpPort;
        try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
            udpPort = free.getLocalPort();
        }
        shouldRefuse(
                "tcp://127.0.0.1:" + tcpPort, UserError.Kind.ENVIRONMENT, "nothing listens there");
        shouldRefuse(
                "ws://127.0.0.1:" + tcpPort, UserError.Kind.ENVIRONMENT, "nothing listens there");
        shouldRefuse(
                "udp://127.0.0.1:" + udpPort, UserError.Kind.ENVIRONMENT, "nothing listens there");
    }

    @Test
    void shouldSayThatAServiceDoesNotEcho() throws IOException {
        try (DatagramSocket silent = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
            final String target = "udp://127.0.0.1:" + silent.getLocalPort();
            shouldRefuse(
                    () -> EchoTarget.check(target, true),
                    UserError.Kind.ENVIRONMENT,
                    "no echo came back within 3 s");
        }
    }

    @Test
    void shouldTakeAServiceThatEchoes() throws Exception {
        try (DatagramSocket echo = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
                ServerSocket listener = new ServerSocket(0, 1, LOOPBACK)) {
            final FutureTask<Integer> udp =
                    new FutureTask<>(() -> {
                        final DatagramPacket packet = new DatagramPacket(new byte[64], 64);
                        echo.receive(packet);
                        echo.send(packet);
                        return packet.getLength();
                    });
            final FutureTask<Integer> tcp =
                    new FutureTask<>(() -> {
                        try (Socket peer = listener.accept()) {
                            final byte[] ping = peer.getInputStream().readNBytes(8);
                            peer.getOutputStream().write(ping);
                            return ping.length;
                        }
                    });
            Thread.ofPlatform().daemon().start(udp);
            Thread.ofPlatform().daemon().start(tcp);

            EchoTarget.check("udp://127.0.0.1:" + echo.getLocalPort(), true, PATIENCE_MS);
            EchoTarget.check("tcp://127.0.0.1:" + listener.getLocalPort(), true, PATIENCE_MS);

            assertThat(udp.get()).isPositive();
            assertThat(tcp.get()).isPositive();
        }
    }

    private static final byte[] PREFIX = {'e', 'c', 'h', 'o'};

    /** Any bytes were taken for an echo, and ten seconds later none had come back. */
    @Test
    void shouldSayThatAServiceAnswersSomethingElse() throws Exception {
        final String words =
                "it answers, but does not send back what it got (12 bytes came back for 8)";
        try (DatagramSocket service = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
                ServerSocket listener = new ServerSocket(0, 1, LOOPBACK)) {
            Thread.ofPlatform()
                    .daemon()
                    .start(
                            new FutureTask<>(() -> {
                                final byte[] bytes = new byte[64];
                                System.arraycopy(PREFIX, 0, bytes, 0, PREFIX.length);
                                final DatagramPacket packet = new DatagramPacket(bytes, 4, 60);
                                service.receive(packet);
                                packet.setData(bytes, 0, packet.getLength() + 4);
                                service.send(packet);
                                return null;
                            }));
            Thread.ofPlatform()
                    .daemon()
                    .start(
                            new FutureTask<>(() -> {
                                try (Socket peer = listener.accept()) {
                                    final byte[] bytes = new byte[12];
                                    System.arraycopy(PREFIX, 0, bytes, 0, PREFIX.length);
                                    peer.getInputStream().readNBytes(bytes, 4, 8);
                                    peer.getOutputStream().write(bytes);
                                }
                                return null;
                            }));

            shouldRefuse(
                    "udp://127.0.0.1:" + service.getLocalPort(), UserError.Kind.ENVIRONMENT, words);
            shouldRefuse(
                    "tcp://127.0.0.1:" + listener.getLocalPort(),
                    UserError.Kind.ENVIRONMENT,
                    words);
        }
        final ChannelUri channel = ChannelUri.parse("ws://127.0.0.1:0/echo");
        final MutableDirectBuffer longer = new UnsafeBuffer(new byte[64]);
        longer.putBytes(0, PREFIX);
        try (Exchange service = bound(channel)) {
            answering(
                    service,
                    (buffer, offset, length) -> {
                        longer.putBytes(PREFIX.length, buffer, offset, length);
                        service.publication().offer(longer, 0, PREFIX.length + length);
                    },
                    () ->
                            shouldRefuse(
                                    service.channel().toString(),
                                    UserError.Kind.ENVIRONMENT,
                                    words));
        }
    }

    private static Exchange bound(final ChannelUri channel) {
        return new Transports().of(channel).exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    /** Hands messages to a service while something is done. */
    private static void answering(
            final Exchange exchange, final MessageHandler service, final Runnable action)
            throws InterruptedException {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!isOver.get()) {
                                exchange.subscription().poll(service, 1);
                                Thread.yield();
                            }
                        });
        try {
            action.run();
        } finally {
            isOver.set(true);
            thread.join();
        }
    }

    /** The ping is made by the JDK's WebSocket, the echo by our own. */
    @Test
    void shouldTakeAWebSocketThatEchoesAndSayWhatAnotherPathAnswers() throws Exception {
        try (Exchange echo = bound(ChannelUri.parse("ws://127.0.0.1:0/echo"))) {
            answering(
                    echo,
                    (buffer, offset, length) -> echo.publication().offer(buffer, offset, length),
                    () -> {
                        final String target = echo.channel().toString();
                        EchoTarget.check(target, true, PATIENCE_MS);
                        shouldRefuse(
                                target + "es",
                                UserError.Kind.ENVIRONMENT,
                                "it refuses a WebSocket: the status of its answer is 404");
                    });
        }
    }

    /** Another machine pings it. */
    @Test
    void shouldNotPingWhatIsMeasuredFromElsewhere() {
        assertThat(
                        org.assertj.core.api.Assertions.catchThrowable(
                                () -> EchoTarget.check("tcp://127.0.0.1:1", false)))
                .isNull();
    }
}
