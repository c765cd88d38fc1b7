package io.tickmark.engines.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import org.junit.jupiter.api.Test;

class ChronicleBusyThreadsTest {
    private final ChronicleTransport chronicle = new ChronicleTransport();

    @Test
    void shouldCountTheThreadThatSyncsOfThePublisherAlone() {
        final ChannelUri synced = ChannelUri.parse("chronicle:?sync=true");

        assertThat(chronicle.busyPublisherThreads(synced)).isEqualTo(1);
        assertThat(chronicle.busyPublisherThreads(ChannelUri.parse("chronicle:"))).isZero();
        assertThat(chronicle.busyThreads(synced, ExchangeSide.CONNECT)).isZero();
    }
}
