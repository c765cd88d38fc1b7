package io.tickmark.lab.place;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.kernel.time.ClockSteering;
import io.tickmark.lab.plan.HostsPlan;
import java.nio.file.Path;
import java.util.Optional;

/** A machine on which role processes are started: this one, or another. */
@FunctionalInterface
public interface Placement {
    /**
     * Starts a process; does not wait for its first message.
     *
     * @param launch what to start
     * @return the process
     * @throws io.tickmark.kernel.settings.UserError if it cannot be started
     */
    PlacedProcess start(RoleLaunch launch);

    /**
     * The machine's name.
     *
     * @return as in the hosts file
     */
    default String host() {
        return HostsPlan.LOCAL;
    }

    /**
     * Cores that its roles may use.
     *
     * @return their number
     */
    default int cores() {
        return Affinity.allowedCores().size();
    }

    /**
     * A setting as a role on this machine needs it: where it says loopback, and other hosts take
     * part, it contains the machine's address instead.
     *
     * @param value of a setting
     * @return the same, or with the address in it
     */
    default Object localised(final Object value) {
        return value;
    }

    /**
     * Where a role on this machine writes the files of a folder of the result.
     *
     * @param folder of the result, on the controller's machine
     * @return path on this machine; the folder exists
     */
    default String folder(final Path folder) {
        return folder.toString();
    }

    /**
     * Fetches what a role wrote into the folder of the result.
     *
     * @param folder of the result, on the controller's machine
     * @throws io.tickmark.kernel.settings.UserError if some of it could not be fetched or written
     */
    default void collect(final Path folder) {
        // it wrote there
    }

    /**
     * How far this machine's monotonic clock is ahead of the controller's. Takes up to seconds;
     * never call it while roles measure.
     *
     * @return the offset and its bound, at a moment of the controller's clock
     * @throws io.tickmark.kernel.settings.UserError if the machine is lost
     */
    default ClockReading clock() {
        return new ClockReading(0, ClockOffset.SAME);
    }

    /**
     * The same in some milliseconds and with hardly any work on either machine, so that it may be
     * called while roles measure; its bound is therefore wider. Any one thread.
     *
     * @return the offset and its bound; empty where no answer arrived
     */
    default Optional<ClockReading> glance() {
        return Optional.empty();
    }

    /**
     * The steering of this machine's clock to the controller's time line, for all trials of a run.
     *
     * @return the same each time; empty where it is the controller's machine
     */
    default Optional<ClockSteering> steering() {
        return Optional.empty();
    }

    /**
     * How this machine's clock is synchronised.
     *
     * @return as of {@link io.tickmark.kernel.host.TimeSync#state}; empty where not known
     */
    default String timeSync() {
        return "";
    }
}
