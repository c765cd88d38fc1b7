package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.settings.UserError;

/** How many messages of a rate carry a time stamp: a number, or all. */
public final class LatencyRate {
    private LatencyRate() {}

    /**
     * Reads it.
     *
     * @param text a number or {@code all}
     * @param ratePerSecond of all messages
     * @param option as the user knows it
     * @return messages per second with a time stamp
     */
    public static long parse(final String text, final long ratePerSecond, final String option) {
        if (text.equalsIgnoreCase("all")) {
            return ratePerSecond;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw UserError.usage(
                    "%s is '%s'; it must be a number of messages per second, or all."
                            .formatted(option, text));
        }
        final long rate = Long.parseLong(text);
        if (rate > ratePerSecond) {
            throw UserError.usage(
                    "%s is %d, more than the rate of %d messages per second; lower it, or use all."
                            .formatted(option, rate, ratePerSecond));
        }
        return rate;
    }
}
