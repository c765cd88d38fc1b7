package io.tickmark.lab.hosts;

import io.tickmark.lab.place.PlacedProcess;

/** A machine that an agent can be started on, and how to reach it. Used by the run's thread. */
public interface HostAccess {
    /**
     * The machine's name.
     *
     * @return as results and plans call it
     */
    String name();

    /**
     * Address of its roles.
     *
     * @return address that roles on it bind to and others connect to
     */
    String address();

    /**
     * How the connection is shown while it is being opened.
     *
     * @return for example the destination of ssh
     */
    String shown();

    /**
     * Starts the agent, {@link HostAgent}; does not wait for its first message.
     *
     * @return its standard streams; where they close early, the last line of the errors says why
     * @throws io.tickmark.kernel.settings.UserError if it cannot be started
     */
    PlacedProcess agent();

    /**
     * What to do about an agent that did not start, or does not respond any more.
     *
     * @param said its last output
     * @return a sentence that names the machine
     */
    String trouble(String said);

    /**
     * What to do about another version of tickmark there.
     *
     * @return a sentence that names the machine
     */
    String otherVersion();
}
