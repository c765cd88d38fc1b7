package io.tickmark.kernel.settings;

/**
 * An error that the user can correct, as one sentence that names the option, file, line or byte and
 * says what to do. Shown without a stack trace.
 */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Which exit code ends the command. */
    public enum Kind {
        /** Bad usage or input: exit code 2. */
        USAGE(2),
        /** The environment is not suitable (engine absent, port in use, disk full): exit code 3. */
        ENVIRONMENT(3);

        private final int exitCode;

        Kind(final int exitCode) {
            this.exitCode = exitCode;
        }

        /**
         * The process's exit code for this kind.
         *
         * @return 2 or 3
         */
        public int exitCode() {
            return exitCode;
        }
    }

    /** Decides the exit code. */
    private final Kind kind;

    private UserError(final Kind kind, final String sentence, final Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
    }

    /**
     * Bad usage or input.
     *
     * @param sentence what was wrong, where, and what to do
     * @return the error to throw
     */
    public static UserError usage(final String sentence) {
        return new UserError(Kind.USAGE, sentence, null);
    }

    /**
     * The environment cannot do what was requested.
     *
     * @param sentence what is missing and how to get it
     * @return the error to throw
     */
    public static UserError environment(final String sentence) {
        return new UserError(Kind.ENVIRONMENT, sentence, null);
    }

    /**
     * The environment cannot do what was requested, with the reason kept for {@code --verbose}.
     *
     * @param sentence what is missing and how to get it
     * @param cause the reason
     * @return the error to throw
     */
    public static UserError environment(final String sentence, final Throwable cause) {
        return new UserError(Kind.ENVIRONMENT, sentence, cause);
    }

    /**
     * The same error with its place prepended.
     *
     * @param place where it happened, for example {@code --channel udp://127.0.0.1:0}
     * @return the error to throw
     */
    public UserError at(final String place) {
        return new UserError(kind, place + ": " + getMessage(), this);
    }

    /**
     * Which kind it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }
}
