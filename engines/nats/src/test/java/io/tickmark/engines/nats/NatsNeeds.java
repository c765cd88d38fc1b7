package io.tickmark.engines.nats;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What tests need from the system; without it they are skipped, and say why. */
final class NatsNeeds {
    private NatsNeeds() {}

    static void server() {
        assumeTrue(
                NatsServer.PROGRAM.absence().isEmpty(),
                () -> NatsServer.PROGRAM.absence().orElseThrow());
    }
}
