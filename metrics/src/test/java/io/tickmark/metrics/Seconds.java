package io.tickmark.metrics;

import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.live.LiveTick.LiveRole;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The reports of a run once a second, for tests. */
final class Seconds {
    static final String CHANNEL = "udp://127.0.0.1:0";

    private static final long HIGHEST_NS = 3_600_000_000_000L;

    private Seconds() {}

    /** A trial without reports yet. */
    static LiveTick beginning(final int trial) {
        return tick(1.5, trial, "connecting", List.of());
    }

    /** A second in which that many messages had been sent since the counts began. */
    static LiveTick sent(final int trial, final long sent) {
        final Histogram histogram = new Histogram(1, HIGHEST_NS, 3);
        histogram.recordValue(1_000);
        histogram.recordValue(1_001);
        histogram.recordValue(70_000);
        final LiveRole pub =
                new LiveRole(
                        "stream-pub",
                        1,
                        "64B",
                        Map.of("sent", sent),
                        Map.of("sent", 499.5),
                        Map.of(
                                "lagNs",
                                2_000_000L,
                                "stalledNs",
                                3_000_000L,
                                "stalledWaitingNs",
                                2_500_000L),
                        Map.of());
        final LiveRole sub =
                new LiveRole(
                        "stream-sub",
                        2,
                        "64B",
                        Map.of("received", 990L),
                        Map.of("received", 990.5),
                        Map.of(),
                        Map.of("responseNs", LatencyInterval.of(histogram)));
        return tick(1.5, trial, "measuring", List.of(pub, sub));
    }

    /** A second, that long after those above, in which nobody had received anything. */
    static LiveTick silent(final int trial, final double secondsLater) {
        final LiveRole sub =
                new LiveRole(
                        "stream-sub",
                        2,
                        "64B",
                        Map.of("received", 990L),
                        Map.of(),
                        Map.of(),
                        Map.of());
        return tick(1.5 + secondsLater, trial, "measuring", List.of(sub));
    }

    private static LiveTick tick(
            final double seconds, final int trial, final String phase, final List<LiveRole> roles) {
        return new LiveTick(
                seconds, "t", "stream", CHANNEL, 1, trial, 3, phase, roles, 10L, 40_000L);
    }
}
