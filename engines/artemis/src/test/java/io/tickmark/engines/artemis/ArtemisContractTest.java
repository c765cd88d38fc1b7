package io.tickmark.engines.artemis;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerContractTest;
import io.tickmark.transport.broker.BrokerTransport;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain streams through a given server. */
@ExtendWith(SharedArtemis.class)
class ArtemisContractTest extends BrokerContractTest {
    @Override
    protected BrokerTransport<?> transport() {
        return new ArtemisTransport();
    }

    @Override
    protected ChannelUri channel() {
        return SharedArtemis.given();
    }

    @Override
    protected List<String> refused() {
        return List.of(
                "//127.0.0.1:4000,127.0.0.1:4001", "?prefix=a%20b", "?passwordFile=/etc/hostname");
    }
}
