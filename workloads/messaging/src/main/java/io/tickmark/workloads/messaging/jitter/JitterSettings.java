package io.tickmark.workloads.messaging.jitter;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.messaging.Buckets;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the jitter loop.
 *
 * @param duration how long to watch where no number of passes is given
 * @param loops passes; 0 for as many as the duration takes
 * @param spinCount empty turns in each pass
 * @param histogram buckets and their width in ns; empty for none
 * @param core CPU number to pin to, -1 to let the plan decide
 */
public record JitterSettings(
        @Setting(
                        help = "How long to watch, where no number of passes is given.",
                        byDefault = "10s",
                        min = 1e6,
                        max = 86_400e9)
                Duration duration,
        @Setting(
                        help = "Passes of the loop; 0 for as many as the duration takes.",
                        byDefault = "0",
                        min = 0,
                        max = 1e12)
                long loops,
        @Setting(
                        help = "Empty turns in each pass, between two readings of the clock.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000)
                int spinCount,
        @Setting(
                        help = "Histogram of the passes: number of buckets and their width in ns.",
                        min = 1,
                        max = 1_000_000_000,
                        label = "BUCKETS,NS")
                List<Integer> histogram,
        @Setting(
                        help = "CPU number to pin the loop to; -1 leaves it to the plan.",
                        byDefault = "-1",
                        min = -1,
                        max = 4095)
                int core) {
    /** Checks conditions between settings. */
    public JitterSettings {
        Buckets.check("--histogram", histogram);
    }
}
