package io.tickmark.engines.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What tests need from the system; without it they are skipped, and say why. */
final class RedisNeeds {
    private RedisNeeds() {}

    static void server() {
        final var absence = new RedisTransport().missing();
        assumeTrue(absence.isEmpty(), () -> absence.orElseThrow());
    }
}
