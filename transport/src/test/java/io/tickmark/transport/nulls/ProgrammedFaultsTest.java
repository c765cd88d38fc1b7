package io.tickmark.transport.nulls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** On a virtual clock that jumps from release to release, all programmed faults occur exactly. */
class ProgrammedFaultsTest {
    private static final long INTERVAL_NS = 1_000_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Stamp.SHORT_LENGTH]);
    private long nowNs = 123_456_789;

    private record Arrival(long sequence, long latencyNs) {}

    @Test
    void shouldDeliverAtOnceByDefault() {
        assertThat(run("null:", 3))
                .containsExactly(new Arrival(0, 0), new Arrival(1, 0), new Arrival(2, 0));
    }

    @Test
    void shouldDelayEveryMessageByTheSame() {
        final List<Arrival> arrivals = run("null:?delay=37us", 1000);

        assertThat(arrivals).hasSize(1000).allMatch(arrival -> arrival.latencyNs == 37_000);
    }

    @Test
    void shouldDelayThePickedPartOtherwise() {
        final List<Arrival> arrivals =
                run("null:?delay=10us&bimodalDelay=500us&bimodalPart=0.01", 1000);

        assertThat(arrivals)
                .hasSize(1000)
                .allSatisfy(arrival ->
                        assertThat(arrival.latencyNs)
                                .isEqualTo(arrival.sequence % 100 == 74 ? 500_000 : 10_000));
    }

    @Test
    void shouldKeepTheOrderBehindASlowMessage() {
        final List<Arrival> arrivals =
                run("null:?delay=0ns&bimodalDelay=2500us&bimodalPart=0.01", 80);

        assertThat(arrivals.subList(74, 78))
                .containsExactly(
                        new Arrival(74, 2_500_000),
                        new Arrival(75, 1_500_000),
                        new Arrival(76, 500_000),
                        new Arrival(77, 0));
    }

    @Test
    void shouldHoldBackDuringAStallAndLetAllOutAtItsEnd() {
        final List<Arrival> arrivals = run("null:?stallEvery=1s&stallFor=200ms", 2000);

        assertThat(arrivals)
                .hasSize(2000)
                .allSatisfy(arrival -> {
                    final long phaseNs = arrival.sequence * INTERVAL_NS % 1_000_000_000;
                    assertThat(arrival.latencyNs)
                            .isEqualTo(phaseNs < 800_000_000 ? 0 : 1_000_000_000 - phaseNs);
                });
    }

    @Test
    void shouldLoseEveryHundredthOfOnePercent() {
        final List<Arrival> arrivals = run("null:?lossPart=0.01", 1000);

        assertThat(arrivals).hasSize(990).noneMatch(arrival -> arrival.sequence % 100 == 99);
    }

    @Test
    void shouldDeliverThePickedPartTwice() {
        final List<Arrival> arrivals = run("null:?duplicatePart=0.01&delay=5us", 1000);

        assertThat(arrivals).hasSize(1010);
        assertThat(arrivals.subList(49, 51))
                .containsExactly(new Arrival(49, 5_000), new Arrival(49, 5_000));
    }

    @Test
    void shouldSwapEveryTenthPair() {
        final List<Arrival> arrivals = run("null:?reorderPairs=10", 100);

        assertThat(arrivals).hasSize(100);
        assertThat(arrivals.subList(17, 21))
                .extracting(Arrival::sequence)
                .containsExactly(17L, 19L, 18L, 20L);
        assertThat(arrivals.stream().filter(arrival -> arrival.latencyNs == INTERVAL_NS))
                .hasSize(5);
    }

    @Test
    void shouldLetTheFirstOfAPairGoAloneWhenNoSecondOneComes() {
        final List<Arrival> arrivals = run("null:?reorderPairs=1", 3);

        assertThat(arrivals)
                .containsExactly(
                        new Arrival(1, 0),
                        new Arrival(0, INTERVAL_NS),
                        new Arrival(2, DelayProgram.LONGEST_HOLD_NS));
    }

    @Test
    void shouldNeverLoseOrCountWhatControlsATest() {
        final NullTransport transport = new NullTransport(() -> nowNs);
        try (NullExchange binder =
                        open(transport, ChannelUri.parse("null:?lossPart=1"), ExchangeSide.BIND);
                NullExchange connector = open(transport, binder.channel(), ExchangeSide.CONNECT)) {
            final List<Integer> flags = new ArrayList<>();
            for (final int flag :
                    new int[] {Stamp.HELLO, 0, Stamp.WELCOME, Stamp.WARM_UP, Stamp.END}) {
                Stamp.write(message, 0, nowNs, 0, flag, 0, 1);
                binder.publication().offer(message, 0, Stamp.SHORT_LENGTH);
            }
            connector
                    .subscription()
                    .poll((buffer, offset, length) -> flags.add(Stamp.flags(buffer, offset)), 10);

            assertThat(flags).containsExactly(Stamp.HELLO, Stamp.WELCOME, Stamp.END);
        }
    }

    @Test
    void shouldBringTheWayBackAtOnceAndWhole() {
        final NullTransport transport = new NullTransport(() -> nowNs);
        try (NullExchange binder =
                        open(
                                transport,
                                ChannelUri.parse("null:?lossPart=1&delay=1ms"),
                                ExchangeSide.BIND);
                NullExchange connector = open(transport, binder.channel(), ExchangeSide.CONNECT)) {
            Stamp.write(message, 0, nowNs, 0, 0, 0, 1);
            connector.publication().offer(message, 0, Stamp.SHORT_LENGTH);

            assertThat(binder.nextReleaseNs()).isLessThanOrEqualTo(nowNs);
            assertThat(binder.subscription().poll((buffer, offset, length) -> {}, 10)).isOne();
            assertThat(binder.nextReleaseNs()).isEqualTo(NullExchange.NEVER);
        }
    }

    private List<Arrival> run(final String channel, final int messages) {
        final NullTransport transport = new NullTransport(() -> nowNs);
        final List<Arrival> arrivals = new ArrayList<>();
        try (NullExchange binder = open(transport, ChannelUri.parse(channel), ExchangeSide.BIND);
                NullExchange connector = open(transport, binder.channel(), ExchangeSide.CONNECT)) {
            final long startNs = nowNs;
            for (int sequence = 0; sequence < messages; sequence++) {
                jumpTo(startNs + sequence * INTERVAL_NS, binder, connector, arrivals);
                Stamp.write(message, 0, nowNs, sequence, 0, 0, 1);
                assertThat(binder.publication().offer(message, 0, Stamp.SHORT_LENGTH))
                        .isNotEqualTo(Publication.BACK_PRESSURED);
            }
            jumpTo(nowNs + 10_000_000_000L, binder, connector, arrivals);
        }
        return arrivals;
    }

    /** Moves time on to each release on the way. */
    private void jumpTo(
            final long timeNs,
            final NullExchange binder,
            final NullExchange connector,
            final List<Arrival> arrivals) {
        while (nextNs(binder, connector) <= timeNs) {
            nowNs = Math.max(nowNs, nextNs(binder, connector));
            binder.publication().doWork();
            connector
                    .subscription()
                    .poll(
                            (buffer, offset, length) ->
                                    arrivals.add(
                                            new Arrival(
                                                    Stamp.sequence(buffer, offset),
                                                    nowNs - Stamp.intendedNs(buffer, offset))),
                            1);
        }
        nowNs = timeNs;
    }

    private static long nextNs(final NullExchange binder, final NullExchange connector) {
        return Math.min(binder.nextReleaseNs(), connector.nextReleaseNs());
    }

    private static NullExchange open(
            final NullTransport transport, final ChannelUri channel, final ExchangeSide side) {
        return transport.exchange(channel, Topic.DEFAULT, side, 1);
    }
}
