package io.tickmark.console;

import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.undertow.server.handlers.PathHandler;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Consumer;
import org.agrona.concurrent.SystemNanoClock;

/** The page, its control interface and its channels at one address. */
public final class ConsoleServer implements AutoCloseable {
    private static final int TOKEN_BYTES = 24;
    private static final int CONNECTIONS_PER_SESSION = 3;
    private static final int SPARE_CONNECTIONS = 64;

    private final FeedControl control;
    private final FeedServer server;
    private final String token;

    /**
     * Starts.
     *
     * @param settings of the console
     * @param version of tickmark, for the page
     * @param archive writes result folders
     * @param measured gets each row that a page reports by itself
     * @param runs that can be watched and replayed
     */
    public ConsoleServer(
            final ConsoleSettings settings,
            final String version,
            final RowArchive archive,
            final Consumer<BrowserRow> measured,
            final RunSource runs) {
        final ChannelList channels = ChannelList.of(settings.channelFile());
        token = settings.isExposed() && settings.token().isEmpty() ? newToken() : settings.token();
        control = new FeedControl(settings.feed(), settings.sessionThreads(), settings.running());
        final ConsoleState state = new ConsoleState(control, version, settings.isExposed());
        final PathHandler paths =
                new PathHandler(new PageHandler())
                        .addPrefixPath(
                                "/api",
                                new ApiHandler(control, state, channels, archive, measured, runs))
                        .addPrefixPath(
                                "/feed",
                                new FeedHandler(control::hub, channels, settings.maxSessions()));
        try {
            server =
                    new FeedServer(
                            settings.host(),
                            settings.port(),
                            1,
                            settings.maxSessions() * CONNECTIONS_PER_SESSION + SPARE_CONNECTIONS,
                            new SecurityHandler(token, SystemNanoClock.INSTANCE, paths));
        } catch (final RuntimeException e) {
            control.close();
            throw e;
        }
    }

    private static String newToken() {
        final byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * What to open in a browser.
     *
     * @return the address, with the token where one is needed
     */
    public String address() {
        return server.address() + (token.isEmpty() ? "" : "/?token=" + token);
    }

    @Override
    public void close() {
        server.close();
        control.close();
    }
}
