package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** The latency by which a row is judged and shown first. */
public final class Headline {
    private Headline() {}

    /**
     * Response time where there is one, because it charges stalls to the messages they delay;
     * otherwise the round trip; otherwise the first that the workload names. Where only an observer
     * timed anything, it is that, to be shown: no criterion is judged by it.
     *
     * @param row to examine
     * @return its headline latency, empty where it has none
     */
    public static Optional<LatencySummary> of(final TrialResult row) {
        return nameOf(row.latencies().keySet()).flatMap(row::latency);
    }

    /**
     * Which of several latencies is the headline; the time inside the send call never is.
     *
     * @param names of latencies, in the order in which the workload names them
     * @return one of them, empty where there is none
     */
    public static Optional<String> nameOf(final Collection<String> names) {
        return Stream.of(Latencies.RESPONSE_NS, Latencies.ROUND_TRIP_NS)
                .filter(names::contains)
                .findFirst()
                .or(() ->
                        names.stream().filter(name -> !name.equals(Latencies.SEND_NS)).findFirst());
    }
}
