package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.SecretFile;

/**
 * Parameters of channels to servers that ask who connects.
 *
 * @param user name at the server; empty for none
 * @param passwordFile path of a file whose first line is the password; empty for none
 */
public record Credentials(
        @Setting(
                        help = "User at a server that is already running; empty for none.",
                        byDefault = "",
                        label = "NAME")
                String user,
        @Setting(
                        help =
                                "File whose first line is the user's password, read on the host of each role; channels appear in"
                                        + " results, which must not contain passwords.",
                        byDefault = "",
                        label = "FILE")
                String passwordFile) {
    /** A settings record with credentials, whose file is read before anything is started. */
    public interface Asked {
        /** {@return those of the channel} */
        Credentials credentials();
    }

    /**
     * Refuses a password without a user.
     *
     * @param channel that has these parameters
     * @throws io.tickmark.kernel.settings.UserError of kind usage
     */
    public void check(final BrokerChannel<?> channel) {
        if (user.isEmpty() && !passwordFile.isEmpty()) {
            throw channel.wrong("?passwordFile needs ?user, whose password it holds");
        }
    }

    /**
     * Reads the password.
     *
     * @param channel that has these parameters
     * @return the password; empty where no file is given
     * @throws io.tickmark.kernel.settings.UserError of kind usage if the file cannot be read
     */
    public String password(final BrokerChannel<?> channel) {
        return SecretFile.read(channel.uri(), "passwordFile", passwordFile);
    }
}
