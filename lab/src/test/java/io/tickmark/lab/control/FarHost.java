package io.tickmark.lab.control;

import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.RoleLaunch;

/** A host called far that is this machine, with a clock that is said to be another. */
class FarHost implements Placement {
    private final Placement here = new LocalPlacement();
    private final long behindNs;

    /** Seconds behind: however busy the machine is, the start is still ahead. */
    FarHost() {
        this(3_000_000_000L);
    }

    /** So much behind the controller's clock, or ahead of it where it is less than zero. */
    FarHost(final long behindNs) {
        this.behindNs = behindNs;
    }

    @Override
    public PlacedProcess start(final RoleLaunch launch) {
        return here.start(launch);
    }

    @Override
    public String host() {
        return "far";
    }

    @Override
    public ClockReading clock() {
        return new ClockReading(0, new ClockOffset(behindNs, 0, 1));
    }
}
