package io.tickmark.bench.feed;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The same feed and the same sessions behind one server or another, until it is ended: {@code
 * FanOutServer undertow|netty PORT SYMBOLS RATE}.
 */
public final class FanOutServer {
    /** What it says when clients may come. */
    public static final String READY = "ready";

    /** What its clients say; the server on Netty asks for none. */
    public static final String TOKEN = "token-of-the-contest";

    private static final int MAX_CLIENTS = 20_000;

    private FanOutServer() {}

    /**
     * Serves.
     *
     * @param arguments server, port, symbols and messages per second
     * @throws InterruptedException if it is interrupted
     */
    public static void main(final String[] arguments) throws InterruptedException {
        final int port = Integer.parseInt(arguments[1]);
        final SessionHub hub =
                new SessionHub(
                        Settings.read(
                                FeedSettings.class,
                                Map.of("symbols", arguments[2], "rate", arguments[3]),
                                key -> key),
                        1,
                        FeedClock.from(SystemNanoClock.INSTANCE),
                        () -> IdleStrategies.of(IdleMode.BLOCK));
        hub.open();
        if (arguments[0].equals("netty")) {
            NettyServer.start(hub, port);
        } else {
            startUndertow(hub, port);
        }
        hub.start(System.nanoTime());
        System.out.println(READY);
        new CountDownLatch(1).await();
    }

    private static void startUndertow(final SessionHub hub, final int port) {
        final FeedHandler handler = new FeedHandler(() -> hub, ChannelList.shipped(), MAX_CLIENTS);
        new FeedServer(
                "127.0.0.1",
                port,
                1,
                MAX_CLIENTS,
                handler.guarded(TOKEN, false, SystemNanoClock.INSTANCE));
    }
}
