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
                                new NetworkLink("eth0", false, bitsPerSecond, 1500), false, 1)));
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
