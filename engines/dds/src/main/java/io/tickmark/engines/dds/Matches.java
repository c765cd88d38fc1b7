package io.tickmark.engines.dds;

import java.util.Map;

/** How many ends a writer or reader is matched with, and why it is not matched with others. */
final class Matches {
    /** dds_public_qosdefs.h, RTPS: ids of the policies that can be incompatible. */
    private static final Map<Integer, String> POLICIES =
            Map.of(
                    2, "durability",
                    3, "presentation",
                    4, "deadline",
                    5, "latencyBudget",
                    6, "ownership",
                    8, "liveliness",
                    11, "reliability",
                    12, "destinationOrder",
                    23, "dataRepresentation",
                    24, "typeConsistency");

    private volatile int count;
    private volatile String incompatible = "";

    void count(final int now) {
        count = now;
    }

    int count() {
        return count;
    }

    void incompatible(final int policy) {
        incompatible = POLICIES.getOrDefault(policy, "policy " + policy);
    }

    /** Name of the policy because of which some other end did not match; empty for none. */
    String incompatible() {
        return incompatible;
    }
}
