package io.tickmark.bench.contest;

/**
 * A latency that is shown in full: its percentiles as measured and undisturbed, and whose its tail
 * is.
 *
 * @param what is measured
 * @param contestant that measures it
 * @param figures what the names of its figures begin with; {@link Part} ends them
 */
public record LatencyRow(String what, String contestant, String figures) {
    /** One figure of it. A contestant that cannot know one has none of that name. */
    public enum Part {
        /** Median, in ns. */
        P50,
        /** 99th percentile, in ns. */
        P99,
        /** 99.9th percentile, in ns. */
        P999,
        /** Median of the messages that the machine did not disturb, in ns. */
        UNDISTURBED_P50,
        /** 99th percentile of these, in ns. */
        UNDISTURBED_P99,
        /** 99.9th percentile of these, in ns. */
        UNDISTURBED_P999,
        /** How many of the messages the undisturbed figures leave out, in percent. */
        LEFT_OUT,
        /**
         * Of the latency above the median from 99.9 % on, what is charged to the machine, in
         * percent.
         */
        MACHINE,
        /** The same of the system under test. */
        SYSTEM,
        /** The same of the bench itself. */
        BENCH,
        /** The same of stalls whose cause is not known. */
        UNKNOWN,
        /** What no stall explains: engine, path through the kernel, or not observed. */
        REST;

        /**
         * How a contestant calls it.
         *
         * @param figures what the name begins with
         * @return a name of the map that it measures
         */
        public String of(final String figures) {
            return figures + " " + this;
        }
    }
}
