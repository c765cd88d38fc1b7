package io.tickmark.kernel.host;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How deep idle cores may sleep, as the environment record lists it: {@code C6 133 us}. */
final class SleepStates {
    /** Waking takes longer than a message on loopback. */
    static final long SLOW_US = 20;

    private static final Pattern WAKE = Pattern.compile("(\\d{1,9}) us");

    private SleepStates() {}

    static long slowestWakeUs(final String states) {
        final Matcher wake = WAKE.matcher(states);
        long slowest = 0;
        while (wake.find()) {
            slowest = Math.max(slowest, Long.parseLong(wake.group(1)));
        }
        return slowest;
    }
}
