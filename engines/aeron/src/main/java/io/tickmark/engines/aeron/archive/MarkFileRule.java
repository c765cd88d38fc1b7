package io.tickmark.engines.aeron.archive;

/** What a supervisor does with the mark file of an archive that died. */
public enum MarkFileRule {
    /** Waits until it has expired, as it must where it cannot know that the process is gone. */
    WAIT,
    /** Removes it: the supervisor has seen the process end. */
    REMOVE
}
