package io.tickmark.lab.tail;

import java.util.Arrays;
import java.util.List;

/**
 * The clock of another host on the controller's time line, by pairs of readings that a role there
 * noted once a second. Its kernel and its JVM date by that clock.
 */
final class ClockLine {
    /** The controller's own host. */
    static final ClockLine SAME = new ClockLine(List.of());

    private final long[] ownNs;
    private final long[] lineNs;

    /** {@code readings} of the host's own clock and of the line at that moment, in order. */
    ClockLine(final List<long[]> readings) {
        ownNs = readings.stream().mapToLong(each -> each[0]).toArray();
        lineNs = readings.stream().mapToLong(each -> each[1]).toArray();
    }

    /** A time of the host's own clock; before and after all readings the nearest two hold. */
    long at(final long ns) {
        if (ownNs.length == 0) {
            return ns;
        }
        final int found = Arrays.binarySearch(ownNs, ns);
        final int from = Math.clamp(found >= 0 ? found : -found - 2, 0, Math.max(0, last() - 1));
        final long sinceNs = ns - ownNs[from];
        final long tookNs = ownNs[Math.min(from + 1, last())] - ownNs[from];
        final long gainedNs = lineNs[Math.min(from + 1, last())] - lineNs[from] - tookNs;
        return lineNs[from]
                + sinceNs
                + (tookNs == 0 ? 0 : Math.round((double) gainedNs * sinceNs / tookNs));
    }

    private int last() {
        return ownNs.length - 1;
    }

    boolean isKnown() {
        return ownNs.length > 0;
    }
}
