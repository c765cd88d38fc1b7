package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.serve.ChannelSettings.ChannelEncoding;
import io.tickmark.workloads.feed.serve.ChannelSettings.ChannelTransport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelListTest {
    @Test
    void shouldShipAChannelOfEachTransport() {
        assertThat(ChannelList.shipped().channels().stream().map(ChannelSettings::transport))
                .contains(ChannelTransport.values());
    }

    @Test
    void shouldReadAChannelWithItsDefaults() {
        final ChannelList list =
                ChannelList.read("channels:\n  - {name: mine, transport: stream}\n", "mine.yaml");
        final ChannelSettings mine = list.get("mine");
        assertThat(mine.title()).isEqualTo("mine");
        assertThat(mine.encoding()).isEqualTo(ChannelEncoding.BINARY);
        assertThat(mine.flush()).isEqualTo(Duration.ofMillis(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "channels: [{name: a, transport: events, encoding: binary}]|events are text",
                "channels: [{name: a, transport: carrier-pigeon}]|mine.yaml channel 1 key 'transport'",
                "channels: [{name: A B, transport: stream}]|up to 40 of a-z",
                "channels: [{name: a, transport: stream}, {name: a, transport: polling}]|names must differ",
                "channels: [{name: a, transport: stream, colour: red}]|key 'colour' is not a setting",
                "channels: []|must hold one key",
                "[]|must hold one key",
                "channels: [|line 1",
                "channels: [7]|must be keys and values"
            })
    void shouldNameFileAndKeyOfWhatIsWrong(final String text, final String words) {
        assertThatThrownBy(() -> ChannelList.read(text, "mine.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(words);
    }

    @Test
    void shouldNameTheChannelsThereAre() {
        assertThatThrownBy(() -> ChannelList.shipped().get("rtmp"))
                .hasMessageContaining("'rtmp' is not a channel")
                .hasMessageContaining("ws-binary");
    }
}
