package io.tickmark.console;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Settings of the console.
 *
 * @param feed that it begins with; the page changes it
 * @param host to bind
 * @param port to bind
 * @param token that others must know; needed beyond loopback, and made up where it is not given
 * @param running whether the feed runs at once
 * @param channelFile that defines the channels
 * @param results folder with the runs that can be watched and replayed
 * @param sessionThreads that own sessions
 * @param maxSessions that may be open at a time
 */
public record ConsoleSettings(
        FeedSettings feed,
        @Setting(
                        help =
                                "Address to bind. Beyond 127.0.0.1 others can reach it: then a token is needed.",
                        byDefault = "127.0.0.1")
                String host,
        @Setting(help = "Port to bind; 0: any.", byDefault = "8400", min = 0, max = 65_535)
                int port,
        @Setting(
                        help =
                                "Token that others must know, 16 characters or more of A-Z, a-z, 0-9, - and "
                                        + "_; made up where it is needed and left out.",
                        label = "TOKEN")
                String token,
        @Setting(help = "Start the feed at once.", byDefault = "false") boolean running,
        @Setting(
                        help = "File that defines the channels; the shipped ones where left out.",
                        label = "FILE")
                String channelFile,
        @Setting(
                        help =
                                "Folder with the runs to watch and replay; rows of the page go there.",
                        byDefault = "results",
                        label = "DIR")
                String results,
        @Setting(
                        help = "Threads that own the clients' sessions.",
                        byDefault = "1",
                        min = 1,
                        max = 64)
                int sessionThreads,
        @Setting(
                        help = "Sessions that may be open at a time.",
                        byDefault = "1000",
                        min = 1,
                        max = 20_000)
                int maxSessions) {
    private static final Pattern TOKEN = Pattern.compile("|[A-Za-z0-9_-]{16,128}");
    private static final Set<String> LOOPBACK =
            Set.of("127.0.0.1", "localhost", "::1", "0:0:0:0:0:0:0:1");

    /** Checks what bounds of single settings cannot. */
    public ConsoleSettings {
        if (!TOKEN.matcher(token).matches()) {
            throw UserError.usage(
                    "--token: takes 16 to 128 characters of A-Z, a-z, 0-9, - and _; leave it out to have one made up.");
        }
    }

    /**
     * Whether others can reach it.
     *
     * @return false on loopback
     */
    public boolean isExposed() {
        return !LOOPBACK.contains(host);
    }
}
