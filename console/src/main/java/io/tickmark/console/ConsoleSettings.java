package io.tickmark.console;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.serve.TrustedProxies;
import io.tickmark.workloads.feed.source.FeedSettings;

/**
 * Settings of the console.
 *
 * @param feed that it begins with; the page changes it
 * @param host to bind
 * @param port to bind
 * @param token that clients must know; made up where it is not given
 * @param trustedProxy addresses of proxies whose word is taken about who asks
 * @param running whether the feed runs at once
 * @param channelFile that defines the channels
 * @param results folder with the runs that can be watched and replayed
 * @param sessionThreads that own sessions
 * @param maxSessions that may be open at a time
 */
public record ConsoleSettings(
        FeedSettings feed,
        @Setting(
                        help = "Address to bind; on any but 127.0.0.1 other machines can reach it.",
                        byDefault = "127.0.0.1")
                String host,
        @Setting(help = "Port to bind; 0: any.", byDefault = "8400", min = 0, max = 65_535)
                int port,
        @Setting(help = AccessToken.HELP, label = "TOKEN") String token,
        @Setting(help = TrustedProxies.HELP, label = "ADDRESSES") String trustedProxy,
        @Setting(help = "Start the feed at once.", byDefault = "false") boolean running,
        @Setting(
                        help = "File that defines the channels (default: the shipped ones).",
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
    /** Checks what bounds of single settings cannot. */
    public ConsoleSettings {
        AccessToken.check(token);
        TrustedProxies.of(trustedProxy);
    }

    /**
     * Whether others can reach it.
     *
     * @return false on loopback
     */
    public boolean isExposed() {
        return AccessToken.isExposed(host);
    }
}
