package io.tickmark.engines.dds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NetworkTest {
    /** By name where it has no address of that family, as in many containers. */
    @Test
    void shouldNameTheInterfaceOfAnAddressForTheOtherFamily() {
        assertThat(Network.inOtherFamily("127.0.0.1", true)).isIn("0:0:0:0:0:0:0:1", "lo");
        assertThat(Network.inOtherFamily("127.0.0.1", false)).isEqualTo("127.0.0.1");
    }

    @Test
    void shouldLeaveAnAddressThatNoInterfaceHasToTheCheck() {
        assertThat(Network.inOtherFamily("192.0.2.1", true)).isEqualTo("192.0.2.1");
    }
}
