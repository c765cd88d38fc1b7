package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.socket.KernelTimes;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelTimesTest extends UdpFixture {
    /** By which two readings of two clocks may be apart. */
    private static final long CLOCKS_NS = 100_000;

    private static final int PINGS = 300;
    private static final int MOST_UNSTAMPED = 100_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[32]);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp://127.0.0.1:0?kernelTimes=true",
                "udp://[::1]:0?kernelTimes=true",
                "udp://127.0.0.1:0?kernelTimes=true&receiveBufferBytes=8192"
            })
    void shouldReportWhenEachMessageWentToTheDeviceAndCameToTheSocket(final String channel) {
        final Exchange bound = bind(channel);
        final Exchange connected = connect(bound.channel());
        assertThat(bound.subscription().kernelStamps()).isEqualTo(KernelStamps.KEPT);
        awaitStamps(bound, connected);
        assertThat(bound.publication().facts().get(KernelTimes.FACT).toString())
                .startsWith("software; lo ");

        for (int i = 0; i < PINGS; i++) {
            final long beforeNs = System.nanoTime();
            final long ping = send(bound.publication());
            final long pingArrivedNs = received(connected.subscription());
            final long echoedNs = System.nanoTime();
            send(connected.publication());
            final long arrivedNs = received(bound.subscription());
            final long afterNs = System.nanoTime();

            final long departedNs = bound.publication().departedNs(ping);
            assertThat(departedNs)
                    .as("ping %d", i)
                    .isBetween(beforeNs - CLOCKS_NS, pingArrivedNs + CLOCKS_NS);
            assertThat(bound.publication().queuedNs(ping))
                    .as("ping %d, before it departed", i)
                    .isBetween(beforeNs - CLOCKS_NS, departedNs + CLOCKS_NS);
            assertThat(pingArrivedNs).as("ping %d", i).isLessThan(echoedNs + CLOCKS_NS);
            assertThat(arrivedNs)
                    .as("echo %d", i)
                    .isBetween(echoedNs - CLOCKS_NS, afterNs + CLOCKS_NS);
        }
    }

    @Test
    void shouldReportHowLongAMessageWaitedInItsSocket() {
        final Exchange bound = bind("udp://127.0.0.1:0?kernelTimes=true");
        final Exchange connected = connect(bound.channel());
        awaitStamps(bound, connected);
        send(connected.publication());
        bound.subscription().await(TimeUnit.MINUTES.toNanos(1));
        final long thereNs = System.nanoTime();
        sleep(20);

        assertThat(received(bound.subscription())).isBetween(1L, thereNs + CLOCKS_NS);
    }

    @Test
    void shouldForgetDeparturesOfLongAgoAndOfOthers() {
        final Exchange bound = bind("udp://127.0.0.1:0?kernelTimes=true");
        final Exchange connected = connect(bound.channel());
        Collected.greet(connected);
        received(bound.subscription());
        final long first = send(bound.publication());
        for (int i = 0; i < KernelTimes.MOST; i++) {
            send(bound.publication());
        }

        assertThat(bound.publication().departedNs(first)).isZero();
        assertThat(bound.publication().queuedNs(first)).isZero();
    }

    /** The kernel may count a send that it refuses. */
    @Test
    void shouldKeepStepAfterSendsThatWereRefused() {
        final Exchange first = bind("udp://127.0.0.1:0?kernelTimes=true");
        final Exchange connected = connect(first.channel());
        first.close();
        for (int i = 0; i < 10; i++) {
            connected.publication().offer(message, 0, message.capacity());
        }
        final Exchange bound = bind(first.channel().toString());
        Collected.greet(connected);
        received(bound.subscription());
        send(bound.publication());
        received(connected.subscription());

        final long beforeNs = System.nanoTime();
        final long position = send(connected.publication());
        final long afterNs = System.nanoTime();
        received(bound.subscription());
        send(bound.publication());
        received(connected.subscription());

        assertThat(connected.publication().departedNs(position))
                .isBetween(beforeNs - CLOCKS_NS, afterNs + CLOCKS_NS);
    }

    @Test
    void shouldReportNothingWhereNobodyAskedForIt() {
        final Exchange bound = bind("udp://127.0.0.1:0");
        final Exchange connected = connect(bound.channel());
        final long position = send(connected.publication());

        assertThat(bound.subscription().kernelStamps()).isEqualTo(KernelStamps.NOT_ASKED);
        assertThat(received(bound.subscription())).isZero();
        assertThat(connected.publication().departedNs(position)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp://127.0.0.1:0?kernelTimes=true&batch=8",
                "mcast://239.1.2.3:40456?kernelTimes=true&batch=8"
            })
    void shouldRefuseBatches(final String channel) {
        final ChannelUri uri = ChannelUri.parse(channel);
        assertThatThrownBy(() ->
                        (channel.startsWith("udp") ? new UdpTransport() : new MulticastTransport())
                                .traits(uri))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith(
                        "kernelTimes=true needs datagrams that are sent one by one; leave out batch.");
    }

    /**
     * Where no other socket of the machine wants stamps, the kernel begins a moment after it was
     * asked.
     */
    private void awaitStamps(final Exchange bound, final Exchange connected) {
        long arrivedNs = 0;
        for (int i = 0; arrivedNs == 0 && i < MOST_UNSTAMPED; i++) {
            Collected.greet(connected);
            arrivedNs = received(bound.subscription());
        }
        assertThat(arrivedNs).as("stamps").isPositive();
    }

    private long send(final Publication publication) {
        final long position = publication.offer(message, 0, message.capacity());
        assertThat(position).isPositive();
        return position;
    }

    /** When the next message reached its socket. */
    private static long received(final Subscription subscription) {
        final long[] arrivedNs = {-1};
        Waiting.until(() ->
                subscription.poll(
                                (buffer, offset, length) -> arrivedNs[0] = subscription.arrivedNs(),
                                1)
                        == 1);
        return arrivedNs[0];
    }

    private static void sleep(final long ms) {
        try {
            Thread.sleep(ms);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
