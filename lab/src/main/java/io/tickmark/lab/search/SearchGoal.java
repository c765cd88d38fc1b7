package io.tickmark.lab.search;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.time.Duration;
import java.util.Map;

/**
 * When a rate counts as held, and between which bounds to look; the names are those of RFC 9971
 * (MLRsearch) without the word "goal".
 *
 * @param finalTrial length of the trials that decide
 * @param initialTrial length of the first, coarse trials
 * @param durationSum time in full-length trials after which a rate is classified
 * @param exceedRatio part of that time that may be bad
 * @param lossRatio part of the messages that a good trial may lose; in place of the plan's
 *     criterion, which may allow for runs at full speed
 * @param width largest part by which the bounds may differ; 0 for 1 %, on virtual machines 2 %
 * @param minRate lowest rate of interest; like all rates here of the whole test, whose sessions and
 *     publishers share it
 * @param maxRate highest rate of interest; the default is one that streams can still follow
 * @param seedRate where to begin; 0 for what a burst at full speed reaches
 * @param confirmations trials at the answer, each in new processes
 * @param soak one long trial at the answer; zero for none
 * @param confidence of the interval that is reported with the bounds
 * @param rateKey name of the setting that is the rate
 * @param durationKey name of the setting that is the length of a trial
 * @param referenceRate figure of another source to compare with the answer; 0 for none
 * @param reference what that figure is
 * @param fidelity how faithfully the test represents it
 * @param messagesPerSend number of application messages that a message counts as in that comparison
 */
public record SearchGoal(
        @Setting(
                        help = "Length of the trials that decide.",
                        byDefault = "10s",
                        min = 1e8,
                        max = 3600e9)
                Duration finalTrial,
        @Setting(
                        help = "Length of the first, coarse trials.",
                        byDefault = "1s",
                        min = 1e8,
                        max = 3600e9)
                Duration initialTrial,
        @Setting(
                        help = "Time in trials of full length after which a rate is classified.",
                        byDefault = "30s",
                        min = 1e8,
                        max = 36_000e9)
                Duration durationSum,
        @Setting(
                        help = "Fraction of that time that may be bad; less than 1.",
                        byDefault = "0.5",
                        unit = Setting.PART,
                        min = 0,
                        max = 0.99)
                double exceedRatio,
        @Setting(
                        help = "Fraction of the messages that a good trial may lose.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double lossRatio,
        @Setting(
                        help =
                                "Largest relative difference between the bounds; 0 for 0.01, on virtual machines 0.02.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double width,
        @Setting(
                        help = "Lowest rate to try, messages per second of the whole test.",
                        byDefault = "100",
                        min = 1,
                        max = 1e9)
                double minRate,
        @Setting(
                        help = "Highest rate to try, messages per second of the whole test.",
                        byDefault = "99M",
                        min = 1,
                        max = 1e9)
                double maxRate,
        @Setting(
                        help =
                                "Rate to begin at, messages per second of the whole test; 0 for what a burst at"
                                        + " full speed reaches.",
                        byDefault = "0",
                        min = 0,
                        max = 1e9)
                double seedRate,
        @Setting(
                        help = "Trials at the answer, each in new processes.",
                        byDefault = "2",
                        min = 0,
                        max = 100)
                int confirmations,
        @Setting(
                        help = "One long trial at the answer; 0 for none.",
                        byDefault = "60s",
                        max = 86_400e9)
                Duration soak,
        @Setting(
                        help = "Confidence of the interval stated beside the bounds.",
                        byDefault = "0.9",
                        unit = Setting.PART,
                        min = 0.5,
                        max = 0.99)
                double confidence,
        @Setting(help = "Name of the setting that is the rate.", byDefault = "rate") String rateKey,
        @Setting(
                        help = "Name of the setting that is the length of a trial.",
                        byDefault = "duration")
                String durationKey,
        @Setting(
                        help =
                                "Figure from another source to show beside the answer, per second; 0 for none.",
                        byDefault = "0",
                        min = 0,
                        max = 1e12)
                double referenceRate,
        @Setting(help = "What that figure is.") String reference,
        @Setting(help = "How closely this test matches the reference, in a few words.")
                String fidelity,
        @Setting(
                        help =
                                "Application messages that one message counts as, for comparison with the reference.",
                        byDefault = "1",
                        min = 1,
                        max = 10_000)
                int messagesPerSend) {
    /** The defaults. */
    public static final SearchGoal DEFAULT =
            Settings.read(SearchGoal.class, Map.of(), key -> "search." + key);

    /**
     * Checks conditions between settings.
     *
     * @throws UserError if the rates or lengths contradict each other
     */
    public SearchGoal {
        if (minRate >= maxRate) {
            throw UserError.usage(
                    "--min-rate %.0f is not below --max-rate %.0f; give a range to search."
                            .formatted(minRate, maxRate));
        }
        if (seedRate != 0 && (seedRate < minRate || seedRate > maxRate)) {
            throw UserError.usage(
                    "--seed-rate %.0f is not between --min-rate %.0f and --max-rate %.0f; begin within the range."
                            .formatted(seedRate, minRate, maxRate));
        }
        if (initialTrial.compareTo(finalTrial) > 0) {
            throw UserError.usage(
                    "--initial-trial is longer than --final-trial; the first trials are the short ones.");
        }
        if (durationSum.compareTo(finalTrial) < 0) {
            throw UserError.usage(
                    "--duration-sum is shorter than --final-trial; one trial alone would be longer.");
        }
    }

    /**
     * The same goal with a width.
     *
     * @param part used where this goal has none
     * @return the goal
     */
    public SearchGoal withWidth(final double part) {
        return width > 0
                ? this
                : new SearchGoal(
                        finalTrial,
                        initialTrial,
                        durationSum,
                        exceedRatio,
                        lossRatio,
                        part,
                        minRate,
                        maxRate,
                        seedRate,
                        confirmations,
                        soak,
                        confidence,
                        rateKey,
                        durationKey,
                        referenceRate,
                        reference,
                        fidelity,
                        messagesPerSend);
    }
}
