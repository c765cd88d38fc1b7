package io.tickmark.kernel.time;

import java.util.List;
import org.agrona.concurrent.NanoClock;

/**
 * A machine's clock on a time line that is not its own: offset, at another rate, and steered while
 * it is read. Any thread reads, one steers; reading allocates nothing and takes no lock.
 */
public final class SteeredNanoClock implements NanoClock {
    private final NanoClock clock;
    private volatile ClockSegment[] segments;

    /**
     * A clock on the line.
     *
     * @param clock of this machine
     * @param first the mapping until it is steered
     */
    public SteeredNanoClock(final NanoClock clock, final ClockSegment first) {
        this.clock = clock;
        segments = new ClockSegment[] {first};
    }

    /**
     * Steers it: each piece holds from its beginning to that of the next. Where they meet, time
     * continues without a step if their creator ensured that.
     *
     * @param next at least one, in order; the first holds for all before it as well
     */
    public void steer(final List<ClockSegment> next) {
        if (!next.isEmpty()) {
            segments = next.toArray(ClockSegment[]::new);
        }
    }

    @Override
    public long nanoTime() {
        final ClockSegment[] known = segments;
        final long nowNs = clock.nanoTime();
        int i = known.length - 1;
        while (i > 0 && nowNs - known[i].fromNs() < 0) {
            i--;
        }
        return known[i].at(nowNs);
    }
}
