package io.tickmark.lab.compare;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import java.util.Map;

/**
 * How runs are compared.
 *
 * @param minEffect smallest relevant difference, as a part of the figure
 * @param errorRate part of the reported differences that may be due to chance (false discovery
 *     rate); where nothing differs, the probability that anything is called different
 * @param undisturbed whether latencies are those of messages that the machine did not delay
 */
public record CompareSettings(
        @Setting(
                        help = "Smallest difference worth reporting: 3% or 0.03.",
                        byDefault = "0.03",
                        unit = Setting.PART,
                        min = 0.0001,
                        max = 10,
                        label = "PART")
                double minEffect,
        @Setting(
                        help =
                                "Fraction of the reported differences that may be due to chance (false discovery rate).",
                        byDefault = "0.05",
                        unit = Setting.PART,
                        min = 0.0001,
                        max = 0.5,
                        label = "PART")
                double errorRate,
        @Setting(
                        help =
                                "Judge latencies by the undisturbed figures instead of those measured; rows that have none, or"
                                        + " of which the runs leave out different fractions, are not judged. Losses, rates and"
                                        + " criteria stay as measured.")
                boolean undisturbed) {
    /** The defaults. */
    public static final CompareSettings DEFAULT =
            Settings.read(CompareSettings.class, Map.of(), key -> key);
}
