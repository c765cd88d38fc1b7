package io.tickmark.engines.pulsar;

import io.tickmark.transport.ChannelUri;

/** Plain streams through a given server, by topics that BookKeeper keeps. */
class PersistentContractTest extends PulsarContractTest {
    @Override
    protected ChannelUri channel() {
        return SharedPulsar.given().with("persistent", "true");
    }
}
