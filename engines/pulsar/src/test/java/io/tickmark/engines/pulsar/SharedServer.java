package io.tickmark.engines.pulsar;

import io.tickmark.transport.broker.SharedStore;

/** The server of all tests of the module. */
final class SharedServer extends SharedStore {
    SharedServer() {
        super(new PulsarTransport(), "pulsar:");
    }
}
