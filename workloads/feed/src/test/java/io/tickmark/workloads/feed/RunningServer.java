package io.tickmark.workloads.feed;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.undertow.server.handlers.PathHandler;
import java.net.URI;
import java.util.Map;
import org.agrona.concurrent.SystemNanoClock;

/** A feed and its server on a port of its own, as a test wants it. */
public final class RunningServer implements AutoCloseable {
    private final SessionHub hub;
    private final FeedServer server;

    public RunningServer(final Map<String, ?> feed) {
        hub =
                new SessionHub(
                        Settings.read(FeedSettings.class, feed, key -> key),
                        2,
                        FeedClock.from(SystemNanoClock.INSTANCE),
                        () -> IdleStrategies.of(IdleMode.PARK));
        hub.open();
        server =
                new FeedServer(
                        "127.0.0.1",
                        0,
                        1,
                        5000,
                        new PathHandler()
                                .addPrefixPath(
                                        "/feed",
                                        new FeedHandler(() -> hub, ChannelList.shipped(), 3000)));
    }

    public RunningServer start() {
        hub.start(System.nanoTime());
        return this;
    }

    public SessionHub hub() {
        return hub;
    }

    public URI address() {
        return URI.create(server.address());
    }

    public URI at(final String path) {
        return URI.create(server.address() + path);
    }

    public static SessionSettings session(final Map<String, ?> values) {
        return Settings.read(SessionSettings.class, values, key -> key);
    }

    @Override
    public void close() {
        server.close();
        hub.close();
    }
}
