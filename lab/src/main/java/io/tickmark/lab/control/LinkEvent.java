package io.tickmark.lab.control;

import io.tickmark.lab.protocol.FromRole;

/** Events of a role process, as the controller's single thread takes them from its queue. */
sealed interface LinkEvent {
    /** A message arrived. */
    record Said(RoleLink link, FromRole message) implements LinkEvent {}

    /** The process sent output beyond the limits: too much, or too long. */
    record Unbearable(RoleLink link, String sentence) implements LinkEvent {}

    /**
     * Nothing more can be received from the process, or it receives nothing: waiting for it is
     * pointless.
     */
    record OutOfReach(RoleLink link, String sentence) implements LinkEvent {}

    /**
     * Some of its output was dropped, which does not affect the measurement; the user is informed.
     */
    record Warned(String sentence) implements LinkEvent {}

    /** The process ended; the text is the last line it wrote, possibly empty. */
    record Ended(RoleLink link, int exitCode, String lastWords) implements LinkEvent {}

    /** The run has to end now. */
    record Interrupted() implements LinkEvent {}
}
