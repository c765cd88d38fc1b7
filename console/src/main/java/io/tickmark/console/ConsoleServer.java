package io.tickmark.console;

import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.serve.RequestLimit;
import io.tickmark.workloads.feed.serve.SecurityHandler;
import io.tickmark.workloads.feed.serve.TrustedProxies;
import io.undertow.server.handlers.PathHandler;
import org.agrona.concurrent.SystemNanoClock;

/** The page, its control interface and its channels at one address. */
public final class ConsoleServer implements AutoCloseable {
    private static final int CONNECTIONS_PER_SESSION = 3;
    private static final int SPARE_CONNECTIONS = 64;

    private final FeedControl control;
    private final FeedHandler handler;
    private final FeedServer server;
    private final String token;

    /**
     * Starts.
     *
     * @param settings of the console
     * @param version of tickmark, for the page
     * @param archive writes result folders
     * @param measured gets what a page reports by itself
     * @param runs that can be watched and replayed
     */
    public ConsoleServer(
            final ConsoleSettings settings,
            final String version,
            final RowArchive archive,
            final RowListener measured,
            final RunSource runs) {
        final ChannelList channels = ChannelList.of(settings.channelFile());
        token = AccessToken.of(settings.token());
        control = new FeedControl(settings.feed(), settings.sessionThreads(), settings.running());
        final ConsoleState state = new ConsoleState(control, version, settings.isExposed());
        handler = new FeedHandler(control::hub, channels, settings.maxSessions());
        final PathHandler paths =
                new PathHandler(new PageHandler())
                        .addPrefixPath(
                                "/api",
                                new ApiHandler(
                                        control, state, channels, archive, measured, runs, token))
                        .addPrefixPath("/feed", handler);
        try {
            server =
                    new FeedServer(
                            settings.host(),
                            settings.port(),
                            1,
                            settings.maxSessions() * CONNECTIONS_PER_SESSION + SPARE_CONNECTIONS,
                            new SecurityHandler(
                                    token,
                                    settings.isExposed(),
                                    TrustedProxies.of(settings.trustedProxy()),
                                    SystemNanoClock.INSTANCE,
                                    RequestLimit.ofPages(),
                                    paths));
        } catch (final RuntimeException e) {
            control.close();
            throw e;
        }
    }

    /**
     * What to open in a browser.
     *
     * @return the address, with the token
     */
    public String address() {
        return server.address() + "/?token=" + token;
    }

    /**
     * How many pages, or other clients, opened a session since the feed was last changed.
     *
     * @return the count
     */
    public long sessionsOpened() {
        return control.hub().figures().opened();
    }

    @Override
    public void close() {
        control.close(); // its sessions are told why they end, while there is a connection
        handler.close();
        server.close();
    }
}
