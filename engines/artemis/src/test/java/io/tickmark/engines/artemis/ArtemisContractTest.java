package io.tickmark.engines.artemis;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain streams through a given server. */
@ExtendWith(SharedServer.class)
class ArtemisContractTest extends TransportContractTest {
    @Override
    protected Transport transport() {
        return new ArtemisTransport();
    }

    @Override
    protected ChannelUri channel() {
        return SharedServer.given();
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    /** ArtemisClient and server share the cores with other processes. */
    @Override
    protected Duration patience() {
        return Duration.ofSeconds(120);
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("artemis://127.0.0.1:port"),
                ChannelUri.parse("artemis://127.0.0.1:70000"),
                ChannelUri.parse("artemis://[::1:1"),
                ChannelUri.parse("artemis://127.0.0.1:61616,127.0.0.1:61617"),
                ChannelUri.parse("artemis:?prefix=a%20b"),
                ChannelUri.parse("artemis:?passwordFile=/etc/hostname"));
    }
}
