package io.tickmark.cli.option;

import java.util.List;

/** The scripts of the FIX fan-out benchmark, which take their arguments in their own order. */
public final class FanOutDialect {
    /** {@code runFanoutConsumers.sh}. */
    public static final Dialect CONSUMERS = taking("host", "consumers", "progressEvery");

    /** {@code runFanoutProducers.sh}. */
    public static final Dialect PRODUCERS =
            taking("host", "producers", "messages", "rate", "every");

    private FanOutDialect() {}

    private static Dialect taking(final String... keys) {
        return new Dialect() {
            @Override
            public List<String> positional() {
                return List.of(keys);
            }

            @Override
            public String page() {
                return "fix-antenna-fan-out.md";
            }
        };
    }
}
