package io.tickmark.lab.live;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.kernel.record.LatencyInterval;
import java.util.List;
import java.util.Map;

/** A line of {@link LiveFile#NAME}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LiveLine.Run.class, name = "run"),
    @JsonSubTypes.Type(value = LiveTick.class, name = "tick"),
    @JsonSubTypes.Type(value = LiveLine.Row.class, name = "row"),
    @JsonSubTypes.Type(value = LiveLine.End.class, name = "end")
})
public sealed interface LiveLine permits LiveTick, LiveLine.Run, LiveLine.Row, LiveLine.End {
    /**
     * The first line.
     *
     * @param plan its name
     * @param startedAt ISO 8601
     * @param trials how many there will be
     * @param expectedSeconds expected duration
     * @param pid of the process that leads the run
     * @param pidSinceMs when that process began, ms since 1970, to distinguish it from a later one
     *     with the same number
     */
    record Run(
            String plan,
            String startedAt,
            int trials,
            double expectedSeconds,
            long pid,
            long pidSinceMs)
            implements LiveLine {}

    /**
     * A row is final.
     *
     * @param seconds since the run began
     * @param test name of the test
     * @param channel one of its channels
     * @param repeat from 1
     * @param label of the step
     * @param verdict of the row
     * @param lost messages
     * @param reasons for the verdict
     * @param ratePerSecond achieved
     * @param latencies of the whole step by name, without buckets
     */
    record Row(
            double seconds,
            String test,
            String channel,
            int repeat,
            String label,
            String verdict,
            long lost,
            List<String> reasons,
            double ratePerSecond,
            Map<String, LatencyInterval> latencies)
            implements LiveLine {}

    /**
     * The last line; a run without it still runs, or was aborted.
     *
     * @param seconds since the run began
     * @param verdict of the run
     */
    record End(double seconds, String verdict) implements LiveLine {}
}
