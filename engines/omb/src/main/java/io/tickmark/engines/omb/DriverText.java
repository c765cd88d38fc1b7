package io.tickmark.engines.omb;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * Text from a driver as it is shown to users: without the users and passwords of addresses in it.
 * Stateless, any thread.
 */
final class DriverText {
    /** Precedes the host in addresses; passwords contain slashes though they should not. */
    private static final Pattern USER = Pattern.compile("//[^\\s@]*@");

    private DriverText() {}

    /** An error's class and message, in one line. */
    static String of(final Throwable error) {
        final Throwable cause = error.getCause();
        if (cause != null
                && (error instanceof CompletionException
                        || error instanceof ExecutionException
                        || error instanceof InvocationTargetException)) {
            return of(cause);
        }
        final String name = error.getClass().getSimpleName();
        final String message = error.getMessage();
        return message == null || message.isBlank()
                ? name
                : name
                        + ": "
                        + withoutUsers(message.strip().replaceAll("\\s+", " "))
                                .replaceFirst("\\.$", "");
    }

    /** The text with the users of addresses masked. */
    static String withoutUsers(final String text) {
        return USER.matcher(text).replaceAll("//***@");
    }

    /** Whether a text contains an address with a user, and perhaps a password, before its host. */
    static boolean namesUser(final String text) {
        return text.matches("(?s).*(//|:).*@.*");
    }
}
