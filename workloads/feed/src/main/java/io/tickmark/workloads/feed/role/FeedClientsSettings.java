package io.tickmark.workloads.feed.role;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.source.FeedSettings;

/**
 * Settings of the headless clients.
 *
 * @param server to connect to
 * @param feedChannel that they come by
 * @param clients how many
 * @param symbols of the feed, over which clients that get a part of them are spread
 * @param session what each asks for
 * @param channelFile that defines the channels, the server's
 * @param time that is measured
 */
public record FeedClientsSettings(
        @Setting(
                        help = "Server to connect to, where it is not in the same plan.",
                        byDefault = "http://127.0.0.1:8400",
                        label = "URL")
                String server,
        @Setting(
                        help = "Channel of the clients, by its name in the channel file.",
                        byDefault = "ws-binary",
                        label = "NAME")
                String feedChannel,
        @Setting(help = "How many clients.", byDefault = "100", min = 1, max = 20_000) int clients,
        @Setting(
                        help =
                                "Symbols of the feed: clients with --symbol-count are spread over them; 0: all get the same.",
                        byDefault = "0",
                        min = 0,
                        max = FeedSettings.MAX_SYMBOLS)
                int symbols,
        SessionSettings session,
        @Setting(
                        help = "File that defines the channels; the shipped ones where left out.",
                        label = "FILE")
                String channelFile,
        MeasuredTime time) {

    /** What one of the clients asks for. */
    SessionSettings session(final int index) {
        final int part = session.symbolCount();
        if (part == 0 || symbols < part) {
            return session;
        }
        final int places = symbols / part;
        return session.forSymbols(index % places * part, part);
    }
}
