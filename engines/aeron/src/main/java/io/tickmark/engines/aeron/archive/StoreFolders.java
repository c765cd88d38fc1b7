package io.tickmark.engines.aeron.archive;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.io.File;

/**
 * Parameters by which clients find a store that runs.
 *
 * @param aeronDir of the clients' driver; empty where no store runs yet
 * @param data of all members; empty where no store runs yet
 */
public record StoreFolders(
        @Setting(
                        help = "Directory of the driver that clients join; the store fills it in.",
                        label = "DIR")
                String aeronDir,
        @Setting(help = "Directory of the store's data; the store fills it in.", label = "DIR")
                String data) {
    /** {@return whether both are given, and the driver's is there} */
    public boolean areThere() {
        return !aeronDir.isEmpty() && !data.isEmpty() && new File(aeronDir).isDirectory();
    }

    /**
     * The error where they are not, or hold no store.
     *
     * @param channel that has them
     * @return what to do
     */
    public static UserError noStore(final ChannelUri channel) {
        return UserError.environment(
                "--channel %s: no store runs there; start one with 'tickmark store %s:' and give what it prints."
                        .formatted(channel, channel.scheme()));
    }
}
