package io.tickmark.lab.result;

import io.tickmark.kernel.record.HistogramTag;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads a role's {@code latency.hlog} as far as it is intact. */
public final class IntervalLog {
    /** A day of intervals of a second is about 40 MB. */
    private static final long MAX_BYTES = 256L << 20;

    private IntervalLog() {}

    /**
     * Reads a log.
     *
     * @param file to read
     * @param each receives the intervals one by one
     * @return what is wrong with the file, as a clause; empty where it is intact
     */
    public static Optional<String> read(final Path file, final Consumer<Interval> each) {
        long intervals = 0;
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.of("is missing");
            }
            if (Files.size(file) > MAX_BYTES) {
                return Optional.of("is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
                    HistogramLogReader reader = new HistogramLogReader(in)) {
                while (reader.hasNext()) {
                    final EncodableHistogram next = reader.nextIntervalHistogram();
                    if (next == null && !reader.hasNext()) {
                        break; // a log with only a header
                    }
                    if (!(next instanceof final Histogram histogram)) {
                        return broken(intervals);
                    }
                    Interval.of(histogram).ifPresent(each);
                    intervals++;
                }
            }
            return Optional.empty();
        } catch (final IOException e) {
            return Optional.of("cannot be read (" + e.getClass().getSimpleName() + ")");
        } catch (final RuntimeException e) {
            return broken(intervals); // the decoder may throw anything on a torn line
        }
    }

    private static Optional<String> broken(final long intervals) {
        return Optional.of("is damaged after " + intervals + " intervals");
    }

    /**
     * What one role recorded of one latency in one interval.
     *
     * @param tag latency, repeat and step
     * @param startMs when it began, since 1970
     * @param histogram in ns
     */
    public record Interval(HistogramTag tag, long startMs, Histogram histogram) {
        /** An interval of a log; empty where its tag is not one of ours. */
        static Optional<Interval> of(final Histogram histogram) {
            return Optional.ofNullable(histogram.getTag())
                    .flatMap(HistogramTag::parse)
                    .map(tag -> new Interval(tag, histogram.getStartTimeStamp(), histogram));
        }
    }
}
