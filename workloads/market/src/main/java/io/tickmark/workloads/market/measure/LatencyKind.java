package io.tickmark.workloads.market.measure;

/** Kinds of message that carry a time stamp, each in a separate field. */
public enum LatencyKind {
    /** An update; TIM_TRK_1. */
    UPDATE("Upd", ""),
    /** A returned post; TIM_TRK_2. */
    POST("Pst", "post"),
    /** A generic message; TIM_TRK_3. */
    GENERIC("Gen", "generic");

    private final String word;
    private final String prefix;

    LatencyKind(final String word, final String prefix) {
        this.word = word;
        this.prefix = prefix;
    }

    /**
     * The word in latency files.
     *
     * @return three letters
     */
    public String word() {
        return word;
    }

    /**
     * Name of a latency of this kind.
     *
     * @param latency {@code responseNs} or {@code serviceNs}
     * @return the same for updates, else with the kind before it ({@code postServiceNs})
     */
    public String latency(final String latency) {
        return prefix.isEmpty()
                ? latency
                : prefix + Character.toUpperCase(latency.charAt(0)) + latency.substring(1);
    }
}
