package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeveralSubscribersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "aeron:udp?control=127.0.0.1:0|control-mode=dynamic",
                "aeron:udp?endpoint=[::1]:0",
                "aeron:udp?endpoint=localhost:0",
                "aeron:udp?endpoint=127.0.0.1:0|threading=shared",
                "aeron:udp?endpoint=127.0.0.1:0|fc=max",
                "aeron:udp?endpoint=127.0.0.1:0|threading=dedicated|idle=sleep"
            })
    void shouldReachSeveralSubscribersThroughOneAddress(final String channel) {
        try (Pair pair = new Pair(channel + "|term-length=64k", 3)) {
            pair.sendAndReceiveAll(200, 64);
            pair.reply();

            assertThat(pair.bound().publication().wirePath().orElseThrow().copies()).isEqualTo(3);
            assertThat(pair.connected(1).publication().wirePath().orElseThrow().copies()).isOne();
        }
    }

    @Test
    void shouldReachEachAddressOfAList() throws IOException {
        final String destinations = "127.0.0.1:" + freePort() + ",127.0.0.1:" + freePort();
        final String channel =
                "aeron:udp?control-mode=manual|term-length=64k|destinations=" + destinations;

        try (Pair pair = new Pair(channel, 2)) {
            pair.sendAndReceiveAll(200, 64);
            pair.reply();

            assertThat(pair.bound().publication().wirePath().orElseThrow().copies()).isEqualTo(2);
            assertThatThrownBy(() -> Pair.connect(pair.bound().channel(), 3))
                    .hasMessageContaining("has 2 destinations, but this is subscriber 3");
        }
    }

    @Test
    void shouldShareOneSocketAmongTheTopicsOfASubscriber() {
        try (Pair pair = new Pair("aeron:udp?endpoint=127.0.0.1:0|term-length=64k", 1)) {
            assertThat(pair.connected(1).channel().parameters())
                    .containsEntry("control", pair.bound().channel().parameters().get("endpoint"))
                    .containsKey("endpoint");
        }
    }

    private static int freePort() throws IOException {
        return FreePort.udp(InetAddress.getLoopbackAddress());
    }
}
