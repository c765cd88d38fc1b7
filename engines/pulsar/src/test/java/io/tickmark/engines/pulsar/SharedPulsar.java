package io.tickmark.engines.pulsar;

import io.tickmark.transport.broker.SharedStore;

/** The server of all tests of the module. */
final class SharedPulsar extends SharedStore {
    SharedPulsar() {
        super(new PulsarTransport(), "pulsar:");
    }
}
