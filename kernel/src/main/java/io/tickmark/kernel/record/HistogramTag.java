package io.tickmark.kernel.record;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tag of an interval in {@link RoleFiles#HISTOGRAMS}: {@code roundTripNs.r1.s0}.
 *
 * @param latency name of the latency: letters, digits, {@code -} and {@code _}
 * @param repeat of the trial, from 1
 * @param step of the trial, from 0
 */
public record HistogramTag(String latency, int repeat, int step) {
    private static final Pattern SHAPE =
            Pattern.compile("([A-Za-z0-9_-]{1,100})\\.r(\\d{1,9})\\.s(\\d{1,9})");

    /** Checks the name, because commas and spaces would break the log. */
    public HistogramTag {
        if (!SHAPE.matcher(format(latency, repeat, step)).matches()) {
            throw new IllegalArgumentException(
                    "no tag of a histogram: " + format(latency, repeat, step));
        }
    }

    /**
     * Reads a tag.
     *
     * @param text as written in the log
     * @return the tag, empty when it is not one of this format
     */
    public static Optional<HistogramTag> parse(final String text) {
        final Matcher matcher = SHAPE.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new HistogramTag(
                                matcher.group(1),
                                Integer.parseInt(matcher.group(2)),
                                Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return format(latency, repeat, step);
    }

    private static String format(final String latency, final int repeat, final int step) {
        return latency + ".r" + repeat + ".s" + step;
    }
}
