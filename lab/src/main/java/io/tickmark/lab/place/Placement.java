package io.tickmark.lab.place;

/** Starts processes somewhere: here, or by way of another host. */
public interface Placement {
    /**
     * Starts a process; does not wait for it to say anything.
     *
     * @param launch what to start
     * @return the process
     * @throws io.tickmark.kernel.settings.UserError if it cannot be started
     */
    PlacedProcess start(Launch launch);
}
