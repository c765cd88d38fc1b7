package io.tickmark.engines.dds;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What tests need from the system; without it they are skipped, and say why. */
final class CycloneNeeds {
    private CycloneNeeds() {}

    static void library() {
        assumeTrue(
                CycloneLibrary.absence("").isEmpty(),
                () -> CycloneLibrary.absence("").orElseThrow());
    }

    static void daemon() {
        assumeTrue(Roudi.absence().isEmpty(), () -> Roudi.absence().orElseThrow());
    }
}
