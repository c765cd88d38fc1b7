package io.tickmark.engines.aeron.archive;

/** What a supervisor does with the mark file of an archive that died. */
public enum MarkFileRule {
    /** Waits until it has expired, which is necessary where the process may still be alive. */
    WAIT,
    /** Removes it: the supervisor has seen the process end. */
    REMOVE
}
