package io.tickmark.engines.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What tests need from the system; without it they are skipped, and say why. */
final class Needed {
    private Needed() {}

    static void server() {
        final var absence = new RedisTransport().missing();
        assumeTrue(absence.isEmpty(), () -> absence.orElseThrow());
    }

    /** The interpreter of a Python with the packages of config/test-python.txt. */
    static String python() {
        final String python = System.getenv("TICKMARK_TEST_PYTHON");
        assumeTrue(
                python != null,
                "no Python environment for counterparts: TICKMARK_TEST_PYTHON is not set");
        return python;
    }
}
