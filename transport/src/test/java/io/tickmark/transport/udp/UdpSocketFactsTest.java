package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Waiting;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class UdpSocketFactsTest extends UdpFixture {
    private final Collected collected = new Collected();

    @Test
    void shouldReportTheBuffersGranted() {
        final Subscription subscription =
                subscription("udp://127.0.0.1:0?receiveBufferBytes=20000&sendBufferBytes=30000");
        final Publication publication = publication(subscription);

        assertThat(subscription.facts()).containsEntry("receiveBufferBytes", 20_000);
        assertThat(publication.facts()).containsEntry("sendBufferBytes", 30_000);
    }

    @Test
    void shouldReportABufferThatNobodyAskedForInTheSameUnit() throws Exception {
        final Publication publication = publication(subscription("udp://127.0.0.1:0"));

        try (DatagramChannel plain = DatagramChannel.open()) {
            assertThat(publication.facts())
                    .containsEntry(
                            "sendBufferBytes", plain.getOption(StandardSocketOptions.SO_SNDBUF));
        }
    }

    @Test
    void shouldReportABufferThatTheSystemCut() {
        final Subscription subscription =
                subscription("udp://127.0.0.1:0?receiveBufferBytes=2000000000");

        final Map<String, Object> facts = subscription.facts();

        assertThat((int) facts.get("receiveBufferBytes")).isBetween(1000, 1_999_999_999);
        assertThat(facts).containsEntry("receiveBufferBytesAsked", 2_000_000_000);
    }

    /** What a subscriber must report after its core was taken away for a long time. */
    @Test
    void shouldHoldThousandsOfLargeMessagesInABufferBeyondTheUsualLimit() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?receiveBufferBytes=96M");
        assumeTrue(
                !subscription.facts().containsKey("receiveBufferBytesAsked"),
                "this user may not have more than net.core.rmem_max");
        final Publication publication = publication(subscription);
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(8192));
        final int sent = 5_000; // a tenth of it fits the usual 4 MB
        for (int i = 0; i < sent; i++) {
            assertThat(publication.offer(message, 0, message.capacity())).isPositive();
        }

        final int[] received = {0};
        Waiting.until(() -> {
            subscription.poll((buffer, offset, length) -> received[0]++, sent);
            return received[0] + subscription.lost() == sent;
        });

        assertThat(subscription.lost()).isZero();
    }

    @Test
    void shouldReportWhetherTheSystemAllowsBusyPolling() {
        final Map<String, Object> facts = subscription("udp://127.0.0.1:0?busyPollUs=50").facts();

        if (facts.containsKey("busyPollRefused")) {
            assertThat(facts).containsEntry("busyPollUs", 0);
        } else {
            assertThat(facts).containsEntry("busyPollUs", 50);
        }
    }

    @Test
    void shouldStillReportFactsWhenClosed() {
        final Subscription subscription = subscription("udp://127.0.0.1:0");
        final Publication publication = publication(subscription);
        Collected.offer(publication, "one");
        collected.await(subscription, 1);

        subscription.close();
        publication.close();

        assertThat(subscription.facts()).containsEntry("handedOver", 1L);
        assertThat(publication.facts()).containsEntry("accepted", 1L).containsEntry("batch", 0);
        assertThat(subscription.lost()).isZero();
    }

    @Test
    void shouldCountWhatAFullReceiveBufferDropped() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?receiveBufferBytes=2304");
        final Publication publication = publication(subscription);
        final int sent = 200;
        for (int i = 0; i < sent; i++) {
            assertThat(Collected.offer(publication, "m" + i)).isPositive();
        }

        Waiting.until(() -> {
            subscription.poll(collected, sent);
            return collected.messages().size() + subscription.lost() == sent;
        });

        assertThat(subscription.lost()).isPositive();
        assertThat(subscription.facts()).containsEntry("socketDrops", subscription.lost());
    }

    @Test
    void shouldCountADatagramThatIsTooLongForTheBufferAndNotHandItOver() {
        for (final boolean batched : new boolean[] {false, true}) {
            final ChannelUri channel = ChannelUri.parse("udp://127.0.0.1:0");
            final UdpSocket socket = opened(UdpSocket.open(channel, false, SocketTuning.NONE));
            socket.bind(UdpEndpoint.of(channel), 0);
            final Subscription small =
                    new UdpSubscription(socket, Destinations.connected(), channel, batched, 10);
            final Publication publication = publication("udp://127.0.0.1:" + socket.port());
            final Collected whole = new Collected();

            Collected.offer(publication, "0123456789");
            Collected.offer(publication, "0123456789a");
            Collected.offer(publication, "01234");

            assertThat(whole.await(small, 2).messages()).containsExactly("0123456789", "01234");
            assertThat(small.facts()).containsEntry("truncated", 1L);
        }
    }

    @Test
    void shouldSetHopsAndServiceType() {
        final Subscription subscription = subscription("udp://127.0.0.1:0");
        final Publication publication = publication(subscription.channel() + "?ttl=7&tos=16");

        Collected.offer(publication, "marked");

        assertThat(collected.await(subscription, 1).messages()).containsExactly("marked");
    }

    @Test
    void shouldSayWhichPortIsInUseAndWhatToDo() {
        final String taken = subscription("udp://127.0.0.1:0").channel().toString();

        final UserError error = catchThrowableOfType(UserError.class, () -> subscription(taken));

        final String port = taken.substring(taken.lastIndexOf(':') + 1);
        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error)
                .hasMessageStartingWith("--channel " + taken + ": port " + port + " is in use; ");
    }

    @Test
    void shouldSayThatAnAddressIsNotOfThisHost() {
        final UserError error =
                catchThrowableOfType(UserError.class, () -> subscription("udp://192.0.2.254:4001"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error).hasMessageContaining("192.0.2.254 is not an address of this host");
    }

    @Test
    void shouldAskForThePortToSendTo() {
        final UserError error =
                catchThrowableOfType(UserError.class, () -> publication("udp://127.0.0.1:0"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error).hasMessageContaining("has no port to send to");
    }

    @Test
    void shouldUseLoopbackWhereNoHostIsWritten() {
        assertThat(subscription("udp:").channel().authority()).startsWith("127.0.0.1:");
        assertThat(subscription("udp://:0").channel().authority()).startsWith("127.0.0.1:");
    }

    @Test
    void shouldCallTheParametersAsNetworkToolsDo() {
        assertThat(SettingDescriptor.of(MulticastTransport.Parameters.class))
                .extracting(SettingDescriptor::key)
                .containsExactly(
                        "batch",
                        "sendBufferBytes",
                        "receiveBufferBytes",
                        "busyPollUs",
                        "tos",
                        "kernelTimes",
                        "ttl",
                        "interface",
                        "loop");
    }
}
