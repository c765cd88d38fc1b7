package io.tickmark.lab.verdict;

/** Reasons of verdicts that differ in their figures only. */
public final class Reasons {
    private Reasons() {}

    /**
     * The criterion that a reason is about.
     *
     * @param reason of a verdict
     * @return the reason with {@code #} for its numbers, which differ from repeat to repeat, and
     *     what follows from them; 99th and 99.9th remain
     */
    public static String criterion(final String reason) {
        return reason.replaceAll("\\d++([.,]\\d+)*+(e[-+]?\\d+)?+(?!th)", "#")
                .replaceAll("#([-, ]+#)+", "#")
                .replaceAll("# (\\w+?)s ", "# $1 "); // 1 message, 2 messages
    }
}
