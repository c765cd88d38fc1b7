package io.tickmark.lab.hosts;

import io.tickmark.lab.place.PlacedProcess;

/** A machine that an agent can be started on, and the way to it. Used by the run's thread. */
public interface HostAccess {
    /**
     * The machine's name.
     *
     * @return as results and plans call it
     */
    String name();

    /**
     * Where its roles are found.
     *
     * @return address that roles on it bind to and others connect to
     */
    String address();

    /**
     * How the way is shown while it is being taken.
     *
     * @return for example the destination of ssh
     */
    String shown();

    /**
     * Starts the agent, {@link HostAgentMain}; does not wait for it to say anything.
     *
     * @return its standard streams; where they end early, the last line of the errors says why
     * @throws io.tickmark.kernel.settings.UserError if it cannot be started
     */
    PlacedProcess agent();

    /**
     * What to do about an agent that did not start, or is not heard any more.
     *
     * @param said its last words
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
