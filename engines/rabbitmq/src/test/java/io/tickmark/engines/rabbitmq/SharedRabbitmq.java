package io.tickmark.engines.rabbitmq;

import io.tickmark.transport.broker.SharedStore;

/** The server of all tests of the module. */
final class SharedRabbitmq extends SharedStore {
    static final int MOST_BYTES = 65_536;

    SharedRabbitmq() {
        super(new RabbitmqTransport(), "rabbitmq:?maxPayloadBytes=" + MOST_BYTES);
    }
}
