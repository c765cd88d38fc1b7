package io.tickmark.engines.artemis;

import io.tickmark.transport.broker.SharedStore;

/** The server of all tests of the module. */
final class SharedArtemis extends SharedStore {
    SharedArtemis() {
        super(new ArtemisTransport(), "artemis:?serverHeapMib=256");
    }
}
