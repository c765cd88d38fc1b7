package io.tickmark.engines.aeron;

import io.aeron.ErrorCode;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.exceptions.RegistrationException;
import io.tickmark.kernel.settings.UserError;
import java.io.File;

/** Describes in a sentence why Aeron refused something. */
final class ChannelRefusal {
    private static final String IN_USE = "Address already in use";
    private static final String FOREIGN = "Cannot assign requested address";
    private static final String UNKNOWN_NAME = "UnknownHost";

    private ChannelRefusal() {}

    static RuntimeException of(
            final AeronChannel channel, final File directory, final RuntimeException error) {
        final String named = "--channel '" + channel.uri() + "': ";
        return switch (error) {
            case final UserError already -> already;
            case final RegistrationException refused -> ofDriver(named, refused);
            case final DriverTimeoutException timeout ->
                    UserError.environment(
                            named
                                    + "the Aeron driver in "
                                    + directory
                                    + " does not answer; see whether it still runs.",
                            timeout);
            case final IllegalArgumentException wrong ->
                    UserError.usage(named + "Aeron refuses it: " + ErrorNotes.ended(wrong));
            default ->
                    UserError.environment(
                            named + "Aeron cannot open it: " + ErrorNotes.ended(error), error);
        };
    }

    /** Whether it was refused because another process has the port. */
    static boolean isPortInUse(final UserError error) {
        return error.getCause() instanceof final RegistrationException refused
                && isPortInUse(refused);
    }

    private static boolean isPortInUse(final RegistrationException refused) {
        return String.valueOf(refused.getMessage()).contains(IN_USE);
    }

    private static UserError ofDriver(final String named, final RegistrationException refused) {
        final String reason = String.valueOf(refused.getMessage());
        if (isPortInUse(refused)) {
            return UserError.environment(
                    named + "its port is in use; choose another, or 0 for any free one.", refused);
        }
        if (reason.contains(FOREIGN)) {
            return UserError.environment(
                    named + "its address does not belong to this machine; give one that does.",
                    refused);
        }
        if (reason.contains(UNKNOWN_NAME) || refused.errorCode() == ErrorCode.UNKNOWN_HOST) {
            return UserError.environment(
                    named + "its host cannot be found; write its address, or correct the name.",
                    refused);
        }
        final boolean usersFault =
                refused.errorCode() == ErrorCode.INVALID_CHANNEL
                        || reason.contains("ConfigurationException")
                        || reason.contains("IllegalArgumentException");
        return usersFault
                ? UserError.usage(named + "Aeron refuses it: " + ErrorNotes.ended(refused))
                : UserError.environment(
                        named + "Aeron cannot open it: " + ErrorNotes.ended(refused), refused);
    }
}
