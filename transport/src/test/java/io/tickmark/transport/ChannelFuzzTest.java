package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.settings.UserError;
import java.nio.charset.StandardCharsets;

final class ChannelFuzzTest {
    private static final Transports TRANSPORTS = new Transports();

    @FuzzTest(maxDuration = "1m")
    void shouldReadAChannelOrSayWhatIsWrong(final byte[] bytes) {
        try {
            final ChannelUri read = ChannelUri.parse(new String(bytes, StandardCharsets.UTF_8));
            assertThat(ChannelUri.parse(read.toString())).isEqualTo(read);
            final Transport transport = TRANSPORTS.of(read);
            // Names are not looked up here.
            final ChannelUri local =
                    read.authority().matches("[0-9:,.\\[\\]]*")
                            ? read
                            : read.withAuthority("127.0.0.1:0");
            assertThat(transport.traits(local).maxPayloadBytes()).isPositive();
        } catch (final UserError e) {
            assertThat(e).hasMessageStartingWith("--channel");
        }
    }
}
