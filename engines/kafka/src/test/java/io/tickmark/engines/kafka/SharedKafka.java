package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.SharedStore;

/** The broker of the tests of the store. */
final class SharedKafka extends SharedStore {
    SharedKafka() {
        super(new KafkaTransport(), "kafka:?maxPayloadBytes=65536");
    }
}
