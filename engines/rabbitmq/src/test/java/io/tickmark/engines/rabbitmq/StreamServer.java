package io.tickmark.engines.rabbitmq;

import io.tickmark.transport.broker.SharedStore;

/** The server of all tests of streams. */
final class StreamServer extends SharedStore {
    static final int MOST_BYTES = 65_536;

    StreamServer() {
        super(new RabbitmqStreamTransport(), "rabbitmq-stream:?maxPayloadBytes=" + MOST_BYTES);
    }
}
