package io.tickmark.lab.result;

import io.tickmark.kernel.record.HistogramTag;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * What one role recorded of one latency in one interval.
 *
 * @param tag latency, repeat and step
 * @param startMs when it began, since 1970
 * @param histogram in ns
 */
public record LoggedInterval(HistogramTag tag, long startMs, Histogram histogram) {
    /** An interval of a log; empty where its tag is not one of ours. */
    static Optional<LoggedInterval> of(final Histogram histogram) {
        return Optional.ofNullable(histogram.getTag())
                .flatMap(HistogramTag::parse)
                .map(tag -> new LoggedInterval(tag, histogram.getStartTimeStamp(), histogram));
    }
}
