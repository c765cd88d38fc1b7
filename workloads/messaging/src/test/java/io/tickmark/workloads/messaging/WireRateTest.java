package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.kernel.result.Counts;
import io.tickmark.transport.WirePath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WireRateTest {
    private static final long SECOND_NS = 1_000_000_000;

    private static WireRate rate(final long bitsPerSecond) {
        return new WireRate(
                Optional.of(
                        WirePath.datagrams(
                                new NetworkLink("eth0", false, bitsPerSecond, 1500), false, 1)),
                false);
    }

    private static Map<String, Long> counts(final WireRate rate, final long messages) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        rate.addTo(counts, 700, messages);
        return counts;
    }

    @Test
    void shouldCountBytesAndFramesOfAllMessages() {
        assertThat(counts(rate(0), 1_000))
                .containsEntry(Counts.WIRE_BYTES, 766_000L)
                .containsEntry(Counts.WIRE_FRAMES, 1_000L);
    }

    @Test
    void shouldGiveEachPingAPacketOfItsOwn() {
        final WirePath aeron =
                new WirePath(
                        new NetworkLink("eth0", false, 0, 1500),
                        false,
                        WirePath.Form.ENGINE,
                        32,
                        32,
                        1408,
                        1);
        final Map<String, Long> counts = new LinkedHashMap<>();
        final Map<String, Object> link = new LinkedHashMap<>();

        final WireRate pings = new WireRate(Optional.of(aeron), true);
        pings.addTo(counts, 64, 100);
        pings.describe(link, 64);

        // 64 + 32 = 96, with UDP 8, IP 20 and Ethernet 38.
        assertThat(counts)
                .containsEntry(Counts.WIRE_BYTES, 16_200L)
                .containsEntry(Counts.WIRE_FRAMES, 100L);
        assertThat(link).containsEntry("wireBytesAreLeast", false);
    }

    @Test
    void shouldWarnWhereNoRoomIsLeftToRecover() {
        final WireRate rate = rate(1_000_000_000);

        // 766 bytes, 150,000 a second: 919 Mbit/s.
        assertThat(rate.caution(counts(rate, 150_000), SECOND_NS))
                .hasValueSatisfying(said ->
                        assertThat(said).contains("92 % of what eth0 carries (1.00 Gbit/s)"));
        assertThat(rate.caution(counts(rate, 140_000), SECOND_NS)).isEmpty();
    }

    @Test
    void shouldNotWarnOfALinkOfUnknownSpeed() {
        assertThat(rate(0).caution(counts(rate(0), 1_000_000_000), SECOND_NS)).isEmpty();
    }
}
