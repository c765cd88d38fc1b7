package io.tickmark.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DdsLatencyDialectTest {
    private static Map<String, Object> meant(final Map<String, Object> typed) {
        return new DdsLatencyDialect().meant(typed, key -> "-" + key);
    }

    @Test
    void shouldLeaveAloneWhatSaysNothingOfAChannel() {
        final Map<String, Object> typed = Map.of("channel", "shm:", "samples", "5");

        assertThat(meant(typed)).isEqualTo(typed);
    }

    @Test
    void shouldMakeADdsChannelFromSingleOptions() {
        final Map<String, Object> typed =
                Map.of(
                        "samples",
                        "5",
                        "domainId",
                        "88",
                        "transport",
                        "1",
                        "reliable",
                        "true",
                        "nic",
                        "10.0.0.1",
                        "peer",
                        "10.0.0.2,10.0.0.3",
                        "multicastReceiveAddress",
                        "225.1.2.3",
                        "multicastTtl",
                        "1");

        assertThat(meant(typed))
                .isEqualTo(
                        Map.of(
                                "samples",
                                "5",
                                "channel",
                                "dds://88?reliable=true&transport=1&nic=10.0.0.1"
                                        + "&peer=10.0.0.2,10.0.0.3&multicast=225.1.2.3&ttl=1"));
    }

    @Test
    void shouldMeanDomainZeroWhereOnlyTheTransportIsGiven() {
        assertThat(meant(Map.of("transport", "2"))).containsEntry("channel", "dds://0?transport=2");
    }

    @Test
    void shouldCompleteADdsChannelThatIsNamed() {
        assertThat(meant(Map.of("channel", "dds://7?ttl=2", "nic", "lo")))
                .isEqualTo(Map.of("channel", "dds://7?ttl=2&nic=lo"));
    }

    @Test
    void shouldRefuseOptionsOfADdsChannelForAnother() {
        assertThatThrownBy(() -> meant(Map.of("channel", "shm:", "nic", "lo")))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("-nic: only valid with a DDS channel, and shm: is none");
    }

    @Test
    void shouldRefuseTwoDomains() {
        assertThatThrownBy(() -> meant(Map.of("channel", "dds://7", "domainId", "8")))
                .isInstanceOf(UserError.class)
                .hasMessage("-domainId 8: --channel dds://7 names another domain; give one.");
    }
}
