package io.tickmark.kernel.settings;

/** Messages about a share that was typed without its percent sign. */
public final class MissingPercentSign {
    private MissingPercentSign() {}

    /**
     * What to write in place of a number that is more than the whole.
     *
     * @param typed the number, without a sign
     * @return the end of a sentence
     */
    public static String withSign(final String typed) {
        return "without a percent sign it is a fraction, where 0.05 is 5%%: write %s%%."
                .formatted(typed);
    }
}
