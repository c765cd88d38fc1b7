package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.source.FeedSettings;

/**
 * Settings of the fan-out server.
 *
 * @param feed what it makes
 * @param host to bind
 * @param port to bind
 * @param token that clients must know; made up where it is not given
 * @param sessionThreads that own the clients' sessions
 * @param ioThreads of the HTTP server
 * @param channelFile that defines the channels
 * @param time when to measure
 */
public record FeedServerSettings(
        FeedSettings feed,
        @Setting(
                        help = "Address to bind; on any but 127.0.0.1 other machines can reach it.",
                        byDefault = "127.0.0.1")
                String host,
        @Setting(help = "Port to bind; 0: any.", byDefault = "0", min = 0, max = 65_535) int port,
        @Setting(help = AccessToken.HELP, label = "TOKEN") String token,
        @Setting(
                        help = "Threads that own the clients' sessions.",
                        byDefault = "1",
                        min = 1,
                        max = 64)
                int sessionThreads,
        @Setting(help = "Threads of the HTTP server.", byDefault = "1", min = 1, max = 64)
                int ioThreads,
        @Setting(
                        help = "File that defines the channels (default: the shipped ones).",
                        label = "FILE")
                String channelFile,
        MeasuredTime time) {

    /** Checks conditions between settings. */
    public FeedServerSettings {
        AccessToken.check(token);
    }
}
