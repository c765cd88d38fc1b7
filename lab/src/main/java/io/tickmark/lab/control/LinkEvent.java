package io.tickmark.lab.control;

import io.tickmark.lab.protocol.FromRole;

/** What happens to a role process, as the controller's one thread takes it from its queue. */
sealed interface LinkEvent {
    /** A message came. */
    record Said(RoleLink link, FromRole message) implements LinkEvent {}

    /** The process said something that cannot be lived with: too much, or too long. */
    record Unbearable(RoleLink link, String sentence) implements LinkEvent {}

    /**
     * Nothing more can be heard of the process, or it hears nothing: it is not worth waiting for.
     */
    record OutOfReach(RoleLink link, String sentence) implements LinkEvent {}

    /** Something of it was dropped, which costs no measurement; the user is told. */
    record Warned(String sentence) implements LinkEvent {}

    /** The process ended; the text is the last line it wrote, possibly empty. */
    record Ended(RoleLink link, int exitCode, String lastWords) implements LinkEvent {}

    /** The run is to end now. */
    record Interrupted() implements LinkEvent {}
}
