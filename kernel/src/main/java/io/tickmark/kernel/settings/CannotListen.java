package io.tickmark.kernel.settings;

import java.io.IOException;

/** The error of a port that cannot be listened on, in the same words wherever it was asked for. */
public final class CannotListen {
    private CannotListen() {}

    /**
     * With the reason that the system gave.
     *
     * @param option with its value, for example {@code --producers-port 3000}
     * @param address that was tried
     * @param error whose first cause is named
     * @return an environment error, to throw
     */
    public static UserError on(final String option, final String address, final Exception error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        final String reason =
                cause instanceof final IOException io
                        ? IoReason.of(io)
                        : cause.getMessage() == null
                                ? cause.getClass().getSimpleName()
                                : cause.getMessage();
        return on(option, address, reason, error);
    }

    /**
     * With a reason that is known otherwise.
     *
     * @param option with its value
     * @param address that was tried
     * @param reason a few words
     * @param error for {@code --verbose}
     * @return an environment error, to throw
     */
    public static UserError on(
            final String option, final String address, final String reason, final Exception error) {
        return UserError.environment(
                "%s: cannot listen on %s (%s); give a free port, or 0 for any, and an address of this machine."
                        .formatted(option, address, reason),
                error);
    }
}
