package io.tickmark.kernel.host;

/**
 * Something about this machine that bears on its figures.
 *
 * @param severity how much
 * @param sentence what it is, what it does to the figures, and what to do about it
 */
public record HostCheck(Severity severity, String sentence) {
    /** How much it matters; the worst first. */
    public enum Severity {
        /** Likely to be seen in the figures. */
        WARNING,
        /** Worth knowing when figures are compared. */
        NOTE
    }
}
