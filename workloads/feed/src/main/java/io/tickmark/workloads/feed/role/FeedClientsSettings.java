package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.feed.client.ServerAddress;
import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.source.FeedSettings;

/**
 * Settings of the headless clients.
 *
 * @param server to connect to
 * @param token of that server
 * @param feedChannel that they connect through
 * @param clients how many
 * @param symbols of the feed, over which clients that get a part of them are spread
 * @param session the request of each
 * @param channelFile that defines the channels, the server's
 * @param time when to measure
 */
public record FeedClientsSettings(
        @Setting(
                        help = "Server to connect to, where it is not in the same plan.",
                        byDefault = "http://127.0.0.1:8400",
                        label = "URL",
                        peers = "feed-server")
                String server,
        @Setting(
                        help = "Token that the server asks for, where it is not in the same plan.",
                        label = "TOKEN")
                String token,
        @Setting(
                        help = "Channel of the clients, by its name in the channel file.",
                        byDefault = "ws-binary",
                        label = "NAME")
                String feedChannel,
        @Setting(help = "How many clients.", byDefault = "100", min = 1, max = 20_000) int clients,
        @Setting(
                        help =
                                "Symbols of the feed: clients with --symbol-count are spread over them, from --first-symbol on;"
                                        + " 0: all get the same.",
                        byDefault = "0",
                        min = 0,
                        max = FeedSettings.MAX_SYMBOLS)
                int symbols,
        SessionSettings session,
        @Setting(
                        help = "File that defines the channels (default: the shipped ones).",
                        label = "FILE")
                String channelFile,
        MeasuredTime time) {

    /** Checks conditions between settings. */
    public FeedClientsSettings {
        AccessToken.check(token);
    }

    /** The address of a server that is not in the same plan. */
    ServerAddress serverAddress() {
        return ServerAddress.of(server, token);
    }

    /** The request of one of the clients. */
    SessionSettings session(final int index) {
        final int part = session.symbolCount();
        final int first = session.firstSymbol();
        if (part == 0 || symbols - first < part) {
            return session;
        }
        final int places = (symbols - first) / part;
        return session.forSymbols(first + index % places * part, part);
    }
}
