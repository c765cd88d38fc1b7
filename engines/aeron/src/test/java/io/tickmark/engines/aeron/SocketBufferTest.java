package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Exchange;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the kernel grants of the buffers that a channel asks for. */
class SocketBufferTest {
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:0|term-length=64k";

    @Test
    void shouldReportTheBuffersGranted() {
        try (Exchange bound = Pair.bind(CHANNEL + "|so-rcvbuf=160k|so-sndbuf=128k")) {
            assertThat(bound.subscription().facts())
                    .containsEntry("receiveBufferBytes", 160 << 10)
                    .doesNotContainKey("receiveBufferBytesAsked");
            assertThat(bound.publication().facts()).containsEntry("sendBufferBytes", 128 << 10);
            assertThat(bound.note()).isEmpty();
        }
    }

    /** It is more than the kernel gives anybody. */
    @Test
    void shouldWarnThatTheKernelGrantsLess() {
        try (Exchange bound = Pair.bind(CHANNEL + "|so-rcvbuf=2000000000")) {
            final Map<String, Object> facts = bound.subscription().facts();

            assertThat((int) facts.get("receiveBufferBytes")).isBetween(1000, 1_999_999_999);
            assertThat(facts).containsEntry("receiveBufferBytesAsked", 2_000_000_000);
            assertThat(bound.note().orElseThrow())
                    .startsWith("so-rcvbuf asks for 2,000,000,000 bytes, and the kernel grants ")
                    .endsWith("raise net.core.rmem_max, or ask for less.");
        }
    }

    @Test
    void shouldReportNothingThatTheChannelDoesNotAskFor() {
        try (Exchange bound = Pair.bind(CHANNEL)) {
            assertThat(bound.subscription().facts()).doesNotContainKey("receiveBufferBytes");
            assertThat(bound.publication().facts()).doesNotContainKey("sendBufferBytes");
            assertThat(bound.note()).isEmpty();
        }
    }
}
