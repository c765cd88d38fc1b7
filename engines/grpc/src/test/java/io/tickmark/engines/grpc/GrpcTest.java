package io.tickmark.engines.grpc;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Closing;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.PublisherProcess;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages to the user about the other side, and its back-pressure. */
@Timeout(180)
class GrpcTest {
    private static final int LENGTH = 1024;

    private final GrpcTransport grpc = new GrpcTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    private Publication publication(final String channel) {
        return grpc.publication(ChannelUri.parse(channel), Topic.DEFAULT);
    }

    private Subscription subscription(final ChannelUri channel) {
        return grpc.subscription(channel, Topic.DEFAULT);
    }

    private static int poll(final Subscription subscription) {
        return subscription.poll((buffer, offset, length) -> {}, 100);
    }

    private static String error(final Subscription subscription) {
        until(() -> {
            poll(subscription);
            return subscription.engineErrors().isPresent();
        });
        return subscription.engineErrors().orElseThrow();
    }

    private static int freePort() throws IOException {
        return FreePort.tcp(InetAddress.getLoopbackAddress());
    }

    @Test
    void shouldSayThatNobodyAnswersUntilSomebodyDoes() throws Exception {
        final int port = freePort();
        final ChannelUri channel = ChannelUri.parse("grpc://127.0.0.1:" + port);
        try (Subscription subscription = subscription(channel)) {
            assertThat(error(subscription))
                    .startsWith(
                            "Not connected: no gRPC publisher answers at 127.0.0.1:%d (Connection refused"
                                    .formatted(port))
                    .endsWith("; start it, or give its address.");
            assertThat(subscription.isConnected()).isFalse();

            try (Publication publication = publication(channel.toString())) {
                until(() -> {
                    poll(subscription);
                    return subscription.isConnected() && publication.subscriberCount() == 1;
                });
                assertThat(subscription.engineErrors()).isEmpty();
            }
        }
    }

    @Test
    void shouldSayThatWhatAnswersSpeaksNoGrpc() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        while (true) {
                            try (Socket socket = other.accept()) {
                                socket.getOutputStream().write("SSH-2.0-other\r\n".getBytes());
                            } catch (final java.io.IOException e) {
                                return; // the test has ended
                            }
                        }
                    });
            try (Subscription subscription =
                    subscription(ChannelUri.parse("grpc://127.0.0.1:" + other.getLocalPort()))) {
                assertThat(error(subscription)).contains("no gRPC publisher answers at 127.0.0.1:");
            }
        }
    }

    @Test
    void shouldReportThatThePublisherWasKilledAndHearTheNextOne(@TempDir final Path folder)
            throws Exception {
        final ChannelUri channel = ChannelUri.parse("grpc://127.0.0.1:" + freePort());
        try (Exchange ours = grpc.exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            final Subscription subscription = ours.subscription();
            try (ServerProcess publisher = PublisherProcess.start(channel, folder)) {
                until(() -> poll(subscription) > 0);
                publisher.kill();
                until(() -> {
                    poll(subscription);
                    return !subscription.isConnected();
                });
            }
            assertThat(subscription.engineErrors().orElseThrow())
                    .startsWith("The call to the publisher broke: no gRPC publisher answers at ")
                    .endsWith("start it, or give its address.");
            assertThat(ours.publication().offer(message, 0, LENGTH))
                    .isEqualTo(Publication.NOT_CONNECTED);

            try (ServerProcess _ = PublisherProcess.start(channel, folder)) {
                until(() -> poll(subscription) > 0);
            }
        }
    }

    @Test
    void shouldMissNothingOfAPublisherThatStoodStill(@TempDir final Path folder) throws Exception {
        final ChannelUri channel = ChannelUri.parse("grpc://127.0.0.1:" + freePort());
        try (ServerProcess _ = PublisherProcess.start(channel, folder);
                Subscription subscription = subscription(channel)) {
            PublisherProcess.standStill(subscription);
        }
    }

    /** A role closes all its topics, and the other side's farewell is waited for. */
    @Test
    void shouldCloseManyEndsThoughTheOtherSideStandsStill(@TempDir final Path folder)
            throws Exception {
        final ChannelUri channel = ChannelUri.parse("grpc://127.0.0.1:" + freePort());
        try (ServerProcess _ = PublisherProcess.start(channel, folder)) {
            final List<Exchange> ends = new ArrayList<>();
            for (int cookie = 1; cookie <= 8; cookie++) {
                final Exchange end =
                        grpc.exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, cookie);
                ends.add(end);
                until(() -> poll(end.subscription()) > 0);
            }
            try (Standstill _ = new Standstill()) {
                Closing.soon("eight ends", ends);
            }
        }
    }

    @Test
    void shouldRefuseACallerWithAnotherToken(@TempDir final Path folder) throws IOException {
        final Path ours = Files.writeString(folder.resolve("ours"), "ours\n");
        final Path theirs = Files.writeString(folder.resolve("theirs"), "theirs\n");
        try (Publication publication = publication("grpc://127.0.0.1:0?tokenFile=" + ours);
                Subscription stranger =
                        subscription(publication.channel().with("tokenFile", theirs.toString()));
                Subscription friend = subscription(publication.channel())) {
            assertThat(error(stranger))
                    .isEqualTo(
                            "Not connected: the publisher refuses the token; give both sides the same ?tokenFile.");
            until(() -> {
                poll(friend);
                return friend.isConnected();
            });
            assertThat(publication.subscriberCount()).isOne();
            assertThat(publication.engineErrors().orElseThrow())
                    .contains("refused", "token is not ours");
        }
    }

    @Test
    void shouldReportThatAMessageIsTooLongForTheOtherSide() {
        try (Publication publication = publication("grpc://127.0.0.1:0");
                Subscription subscription =
                        subscription(publication.channel().with("maxPayloadBytes", "512"))) {
            until(() -> publication.subscriberCount() == 1);
            // A subscriber that was just admitted is not ready for its first moments.
            until(() -> publication.offer(message, 0, LENGTH) > 0);

            assertThat(error(subscription))
                    .contains(
                            "a message is too long for this side (gRPC message exceeds maximum size 512: 1024)",
                            "give both sides the same ?maxPayloadBytes");
        }
    }

    @Test
    void shouldHoldBackAtABoundAndLoseNothing() {
        try (Publication publication =
                        publication(
                                "grpc://127.0.0.1:0?sendPendingBytes=65536&receivePendingBytes=65536&windowBytes=65535");
                Subscription subscription = subscription(publication.channel())) {
            until(() -> publication.subscriberCount() == 1);
            int taken = 0;
            int refusedInARow = 0;
            // Refused for long enough: everything in transit has settled.
            while (refusedInARow < 1000) {
                if (publication.offer(message, 0, LENGTH) > 0) {
                    taken++;
                    refusedInARow = 0;
                } else {
                    refusedInARow++;
                    LockSupport.parkNanos(100_000);
                }
                // Three limits, and what the kernel and the library's parts buffer in between.
                assertThat(taken * LENGTH).isLessThan(16 << 20);
            }

            final int[] heard = {0};
            final int sent = taken;
            until(() -> {
                heard[0] += poll(subscription);
                return heard[0] >= sent;
            });
            assertThat(heard[0]).isEqualTo(sent);
        }
    }

    @Test
    void shouldAskForThePortOfThePublisher() {
        assertThatThrownBy(() -> subscription(ChannelUri.parse("grpc://127.0.0.1:0")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("give the port of the listening side");
    }

    @Test
    void shouldStandOnLoopbackWhereNoHostIsGiven() {
        try (Publication publication = publication("grpc:")) {
            assertThat(HostPort.of(publication.channel()).address().isLoopbackAddress()).isTrue();
        }
    }
}
