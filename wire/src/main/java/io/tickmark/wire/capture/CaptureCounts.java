package io.tickmark.wire.capture;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What tcpdump says when it ends.
 *
 * @param captured packets that it wrote, -1 where it does not say
 * @param received packets that its filter saw, -1 where it does not say; on the loopback device
 *     each counts twice, as it goes out and comes in
 * @param dropped packets that it lost, in the kernel and at the device; -1 where it does not say
 */
public record CaptureCounts(long captured, long received, long dropped) {
    private static final Pattern CAPTURED = Pattern.compile("(\\d+) packets? captured");
    private static final Pattern RECEIVED = Pattern.compile("(\\d+) packets? received by filter");
    private static final Pattern DROPPED =
            Pattern.compile("(\\d+) packets? dropped by (?:kernel|interface)");

    static CaptureCounts of(final List<String> lines) {
        long captured = -1;
        long received = -1;
        long dropped = -1;
        for (final String line : lines) {
            captured = Math.max(captured, number(CAPTURED, line));
            received = Math.max(received, number(RECEIVED, line));
            final long more = number(DROPPED, line);
            dropped = more < 0 ? dropped : Math.max(0, dropped) + more;
        }
        return new CaptureCounts(captured, received, dropped);
    }

    /** Whether a line is one of those that tell the counts. */
    static boolean isCount(final String line) {
        return Stream.of(CAPTURED, RECEIVED, DROPPED)
                .anyMatch(pattern -> pattern.matcher(line).find());
    }

    private static long number(final Pattern pattern, final String line) {
        final Matcher found = pattern.matcher(line);
        try {
            return found.find() ? Long.parseLong(found.group(1)) : -1;
        } catch (final NumberFormatException e) {
            return -1;
        }
    }
}
