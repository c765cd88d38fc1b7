package io.tickmark.kernel.record;

import io.tickmark.kernel.record.Progress.ProgressListener;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * What a {@link RoleRecording} is created from.
 *
 * @param directory the role's folder, which exists; empty to keep no files
 * @param repeat of the trial, from 1; several repeats share a folder and append to its files
 * @param clock the clock of all latencies
 * @param wallClock read once, to give intervals a date
 * @param resources of the process
 * @param listener called once a second with the role's progress, on the reporter's thread; must not
 *     wait for the recording
 */
public record RecordingOptions(
        Optional<Path> directory,
        int repeat,
        NanoClock clock,
        EpochNanoClock wallClock,
        ResourceSource resources,
        ProgressListener listener) {

    /**
     * A recording without files, resources and listener.
     *
     * @param clock the clock of all latencies
     * @return options
     */
    public static RecordingOptions inMemory(final NanoClock clock) {
        return new RecordingOptions(
                Optional.empty(),
                1,
                clock,
                SystemEpochNanoClock.INSTANCE,
                ResourceSource.NONE,
                progress -> {});
    }
}
