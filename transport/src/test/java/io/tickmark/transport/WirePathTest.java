package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.host.NetworkLink;
import org.junit.jupiter.api.Test;

class WirePathTest {
    private static final NetworkLink ETHERNET =
            new NetworkLink("eth0", false, 10_000_000_000L, 1500);

    @Test
    void shouldAddHeadersFrameAndGapToADatagram() {
        final WirePath.Cost cost = WirePath.datagrams(ETHERNET, false, 1).cost(700);

        // 700 + UDP 8 + IP 20 + frame 8 + 14 + 4 + gap 12
        assertThat(cost).isEqualTo(new WirePath.Cost(766, 1, false));
    }

    @Test
    void shouldPadShortFrames() {
        assertThat(WirePath.datagrams(ETHERNET, false, 1).cost(16).bytes()).isEqualTo(46 + 38);
    }

    @Test
    void shouldCountTheFramesOfAFragmentedDatagram() {
        // 4008 bytes behind IP: 1480 + 1480 + 1048, each with IP 20 and 38 of Ethernet.
        assertThat(WirePath.datagrams(ETHERNET, false, 1).cost(4000))
                .isEqualTo(new WirePath.Cost(4008 + 3 * 58, 3, false));
    }

    @Test
    void shouldCountTheFragmentHeaderOfIpv6() {
        // 4008 bytes behind IP: 1448 + 1448 + 1112, each with IP 40, fragment header 8, Ethernet
        // 38.
        assertThat(WirePath.datagrams(ETHERNET, true, 1).cost(4000))
                .isEqualTo(new WirePath.Cost(4008 + 3 * 86, 3, false));
    }

    @Test
    void shouldSendACopyToEachReceiverInUnicast() {
        assertThat(WirePath.datagrams(ETHERNET, false, 3).cost(700))
                .isEqualTo(new WirePath.Cost(3 * 766, 3, false));
    }

    @Test
    void shouldPutShortMessagesOfAnEngineTogether() {
        final WirePath aeron = new WirePath(ETHERNET, false, WirePath.Form.ENGINE, 32, 32, 1408, 1);

        // 64 + 32 = 96; 14 of them fit: 1344 + 8 + 20 + 38.
        assertThat(aeron.cost(64).bytes()).isCloseTo(1410 / 14.0, within(1e-9));
        assertThat(aeron.cost(64).atLeast()).isTrue();
        // 700 + 32 = 732, aligned 736: one in a datagram.
        assertThat(aeron.cost(700)).isEqualTo(new WirePath.Cost(736 + 66, 1, false));
    }

    @Test
    void shouldCutLongMessagesOfAnEngineUp() {
        final WirePath aeron = new WirePath(ETHERNET, false, WirePath.Form.ENGINE, 32, 32, 1408, 1);

        // 1420 = 1376 + 44; 44 + 32 = 76, aligned 96.
        assertThat(aeron.cost(1420)).isEqualTo(new WirePath.Cost(1408 + 66 + 96 + 66, 2, false));
        assertThat(aeron.cost(2 * 1376)).isEqualTo(new WirePath.Cost(2 * (1408 + 66), 2, false));
    }

    @Test
    void shouldReportTheLeastOfAByteStream() {
        // 1448 bytes fit a segment after IP 20 and TCP 32.
        final WirePath.Cost cost = WirePath.stream(ETHERNET, false, 4, 1).cost(1444);

        assertThat(cost.bytes()).isCloseTo(1448 + 38 + 52, within(1e-9));
        assertThat(cost.frames()).isCloseTo(1, within(1e-9));
        assertThat(cost.atLeast()).isTrue();
    }

    @Test
    void shouldCountWholeSegmentsOfAMessageSentAlone() {
        final WirePath tcp = WirePath.stream(ETHERNET, false, 4, 2);

        assertThat(tcp.costAlone(1444)).isEqualTo(new WirePath.Cost(2 * (1448 + 90), 2, false));
        assertThat(tcp.costAlone(1445)).isEqualTo(new WirePath.Cost(2 * (1449 + 180), 4, false));
    }
}
