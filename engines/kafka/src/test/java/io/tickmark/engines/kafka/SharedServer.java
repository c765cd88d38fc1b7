package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.SharedStore;

/** The broker of the tests of the store. */
final class SharedServer extends SharedStore {
    SharedServer() {
        super(new KafkaTransport(), "kafka:?maxPayloadBytes=65536");
    }
}
