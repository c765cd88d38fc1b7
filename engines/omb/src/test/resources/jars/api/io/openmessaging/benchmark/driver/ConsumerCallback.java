package io.openmessaging.benchmark.driver;

import java.nio.ByteBuffer;

/** The framework's interface, written for tests from its public description. */
public interface ConsumerCallback {
    void messageReceived(byte[] payload, long publishTimestamp);

    void messageReceived(ByteBuffer payload, long publishTimestamp);
}
