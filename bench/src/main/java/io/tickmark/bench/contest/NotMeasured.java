package io.tickmark.bench.contest;

/** A contestant that has no figure this time; the message is a sentence that says why. */
public final class NotMeasured extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * With the reason.
     *
     * @param sentence that says why
     */
    public NotMeasured(final String sentence) {
        super(sentence);
    }

    /**
     * With the reason and its cause.
     *
     * @param sentence that says why
     * @param cause of it
     */
    public NotMeasured(final String sentence, final Throwable cause) {
        super(sentence, cause);
    }
}
