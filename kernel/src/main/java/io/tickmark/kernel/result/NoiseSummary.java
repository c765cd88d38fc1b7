package io.tickmark.kernel.result;

import java.util.List;
import java.util.OptionalLong;

/**
 * The noise floor of a set of cores: gaps seen by a loop that does nothing but read the clock.
 *
 * @param durationNs how long each core was watched
 * @param cores one entry for each core watched
 */
public record NoiseSummary(long durationNs, List<CoreNoise> cores) {
    /**
     * One core.
     *
     * @param core number, -1 where the thread was not pinned
     * @param minNs shortest pass of the loop
     * @param p9999Ns 99.99th percentile of the passes; absent with fewer than ten values above it
     * @param maxNs longest gap
     * @param gapsOver10UsPerSecond gaps above 10 us
     * @param stolenPart share of the time lost in gaps above 10 us, 0 to 1
     */
    public record CoreNoise(
            int core,
            long minNs,
            OptionalLong p9999Ns,
            long maxNs,
            double gapsOver10UsPerSecond,
            double stolenPart) {
        /** A result that does not have it has null here. */
        public CoreNoise {
            p9999Ns = p9999Ns == null ? OptionalLong.empty() : p9999Ns;
        }
    }

    /** Copies the list. */
    public NoiseSummary {
        cores = List.copyOf(cores);
    }

    /**
     * The longest gap of all cores.
     *
     * @return ns, 0 when none was watched
     */
    public long maxNs() {
        return cores.stream().mapToLong(CoreNoise::maxNs).max().orElse(0);
    }
}
