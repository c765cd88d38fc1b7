package io.tickmark.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SockPerfDialectTest {
    private static String channel(final Map<String, Object> values, final boolean byHand) {
        return Settings.read(SockPerfDialect.Address.class, values, key -> key).channel(byHand);
    }

    @Test
    void shouldMeanAGroupWithItsInterfaceHopsAndTuning() {
        assertThat(
                        channel(
                                Map.of(
                                        "group", "239.1.2.3",
                                        "port", "4001",
                                        "interface", "eth0",
                                        "ttl", "2",
                                        "batch", "20"),
                                true))
                .isEqualTo("mcast://239.1.2.3:4001?interface=eth0&ttl=2&batch=20");
    }

    @Test
    void shouldTakeOnePortWhereBothSidesMustKnowIt() {
        assertThat(channel(Map.of(), true)).isEqualTo("mcast://239.192.0.77:14400");
        assertThat(channel(Map.of(), false)).isEqualTo("mcast://239.192.0.77:0");
    }

    @Test
    void shouldMeanUnicastToAnAddress() {
        assertThat(channel(Map.of("address", "::1", "port", "4001"), true))
                .isEqualTo("udp://[::1]:4001");
    }

    @Test
    void shouldWriteAnIpv6GroupInBrackets() {
        assertThat(channel(Map.of("group", "ff15::1", "port", "4001"), true))
                .isEqualTo("mcast://[ff15::1]:4001");
    }

    @Test
    void shouldRefuseWhatIsNoGroup() {
        for (final String group : new String[] {"10.0.0.1", "eth0", "240.0.0.1"}) {
            assertThatThrownBy(() -> channel(Map.of("group", group), true))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(group + ": is not a multicast group");
        }
    }

    @Test
    void shouldRefuseGroupAndAddressTogether() {
        assertThatThrownBy(
                        () -> channel(Map.of("group", "239.1.2.3", "address", "127.0.0.1"), true))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("give one");
    }

    @Test
    void shouldRefuseAnInterfaceForUnicast() {
        assertThatThrownBy(() -> channel(Map.of("interface", "lo", "address", "127.0.0.1"), true))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("only valid with a group");
    }
}
