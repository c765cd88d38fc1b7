package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostAddressTest {
    @ParameterizedTest
    @CsvSource({
        "udp://127.0.0.1:0, udp://10.1.0.2:0",
        "aeron:udp?endpoint=localhost:40123|term-length=64k, aeron:udp?endpoint=10.1.0.2:40123|term-length=64k",
        "tcp://[::1]:4001?nodelay, tcp://10.1.0.2:4001?nodelay",
        "127.0.0.1, 10.1.0.2",
        "udp://127.0.0.10:0, udp://127.0.0.10:0",
        "udp://localhost.example:0, udp://localhost.example:0",
        "mcast://239.1.2.3:4001, mcast://239.1.2.3:4001",
        "shm:prices, shm:prices",
    })
    void shouldPutTheAddressOfTheHostInPlaceOfLoopback(final String before, final String after) {
        assertThat(HostAddress.inPlaceOfLoopback(before, "10.1.0.2")).isEqualTo(after);
    }

    @Test
    void shouldPutAnIpv6AddressIntoBracketsAndLookIntoLists() {
        assertThat(HostAddress.inPlaceOfLoopback(List.of("tcp://127.0.0.1:1", 7), "fd00::2"))
                .isEqualTo(List.of("tcp://[fd00::2]:1", 7));
        assertThat(HostAddress.inPlaceOfLoopback(5L, "fd00::2")).isEqualTo(5L);
    }
}
