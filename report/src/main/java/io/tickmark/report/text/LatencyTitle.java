package io.tickmark.report.text;

import io.tickmark.kernel.result.Latencies;
import java.util.Locale;

/** The name of a latency for people. */
public final class LatencyTitle {
    private static final String UNIT = "Ns";

    private LatencyTitle() {}

    /**
     * The title of a latency; one of a single workload is its name in words.
     *
     * @param name as in the result, for example {@code postRoundTripNs}
     * @return for example {@code Post round trip}
     */
    public static String of(final String name) {
        return switch (name) {
            case Latencies.ROUND_TRIP_NS -> "Round trip";
            case Latencies.RESPONSE_NS -> "Response time";
            case Latencies.SERVICE_NS -> "Service time";
            case Latencies.SEND_NS -> "Time inside the send call";
            case Latencies.STABLE_NS -> "Stable time";
            default -> words(name);
        };
    }

    private static String words(final String name) {
        final String stem =
                name.endsWith(UNIT) && name.length() > UNIT.length()
                        ? name.substring(0, name.length() - UNIT.length())
                        : name;
        final String words =
                stem.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return words.isEmpty()
                ? words
                : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
