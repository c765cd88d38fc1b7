package io.tickmark.wire;

import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.wire.match.ApplicationLog;
import io.tickmark.wire.match.EpochOffset;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * What is known of a capture beside the file.
 *
 * @param directory for the files of the time line and of the sessions; empty for none
 * @param repeat of the trial, from 1
 * @param trialId whose stamped messages count; 0 for any
 * @param offset of the clocks of capture and stamps
 * @param log what the application measured
 * @param dropped packets that the capture lost
 * @param kept by the number of a step, what gets the times of its pings on the wire
 */
public record WireContext(
        Optional<Path> directory,
        int repeat,
        int trialId,
        Optional<EpochOffset> offset,
        Optional<ApplicationLog> log,
        OptionalLong dropped,
        IntFunction<MessageLog> kept) {
    /** Nothing is known. */
    public static final WireContext NONE =
            new WireContext(
                    Optional.empty(),
                    1,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    step -> MessageLog.off());
}
