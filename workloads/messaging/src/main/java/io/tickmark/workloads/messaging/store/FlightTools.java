package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.record.LatencyRecorder;
import java.util.Optional;
import org.agrona.concurrent.NanoClock;

/**
 * What the publications of a stored stream share.
 *
 * @param clock of the role
 * @param stableTimes of all topics
 * @param files where each topic notes what is stable, by its store; empty without one
 */
record FlightTools(
        NanoClock clock, LatencyRecorder stableTimes, Optional<AcknowledgedFiles> files) {
    AcknowledgedCell acknowledged(final int topic) {
        return files.map(all -> all.cell(topic)).orElse(messages -> {});
    }
}
