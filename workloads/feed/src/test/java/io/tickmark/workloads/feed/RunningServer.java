package io.tickmark.workloads.feed;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.client.ServerAddress;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.agrona.concurrent.SystemNanoClock;

/** A feed and its server on its own port, as a test needs it. */
public final class RunningServer implements AutoCloseable {
    /** More than one test opens at a time, but one. */
    public static final int MOST_SESSIONS = 2020;

    private final String token;
    private final SessionHub hub;
    private final FeedHandler handler;
    private final FeedServer server;

    public RunningServer(final Map<String, ?> feed) {
        this(feed, "a-token-of-tests-01");
    }

    public RunningServer(final Map<String, ?> feed, final String token) {
        this(feed, token, MOST_SESSIONS);
    }

    /** Where no more than so many may be open at a time. */
    public RunningServer(final Map<String, ?> feed, final int maxSessions) {
        this(feed, "a-token-of-tests-01", maxSessions);
    }

    private RunningServer(final Map<String, ?> feed, final String token, final int maxSessions) {
        this.token = token;
        hub =
                new SessionHub(
                        Settings.read(FeedSettings.class, feed, key -> key),
                        2,
                        FeedClock.from(SystemNanoClock.INSTANCE),
                        _ -> IdleStrategies.of(IdleMode.ADAPTIVE, SystemNanoClock.INSTANCE));
        hub.open();
        handler = new FeedHandler(() -> hub, ChannelList.shipped(), maxSessions);
        server =
                new FeedServer(
                        "127.0.0.1",
                        0,
                        1,
                        5000,
                        handler.guarded(token, false, SystemNanoClock.INSTANCE));
    }

    public RunningServer start() {
        hub.start(System.nanoTime());
        return this;
    }

    public SessionHub hub() {
        return hub;
    }

    public String token() {
        return token;
    }

    /** As headless clients request it. */
    public ServerAddress forClients() {
        return ServerAddress.of(server.address(), token);
    }

    public URI address() {
        return URI.create(server.address());
    }

    public URI at(final String path) {
        final String query = path.contains("?") ? "&token=" : "?token=";
        return URI.create(server.address() + path + query + token);
    }

    /** A binary session that does nothing by itself: a small buffer, and no reader. */
    public Socket silentWebSocket(final String query) throws IOException {
        return silentWebSocketAt("ws-binary", query);
    }

    /** The same at another address below /feed/. */
    public Socket silentWebSocketAt(final String name, final String query) throws IOException {
        final Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        return opened(socket, name, query);
    }

    /** A binary session as the system buffers it; the answer to the upgrade is to be read. */
    public Socket webSocket(final String query) throws IOException {
        return opened(new Socket(), "ws-binary", query);
    }

    private Socket opened(final Socket socket, final String name, final String query)
            throws IOException {
        socket.connect(new InetSocketAddress("127.0.0.1", address().getPort()));
        socket.getOutputStream()
                .write(
                        ("GET /feed/"
                                        + name
                                        + "?"
                                        + query
                                        + "&token="
                                        + token
                                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                                        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                        + "Sec-WebSocket-Key: dGlja21hcmsgY2xpZW50IQ==\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    public static SessionSettings session(final Map<String, ?> values) {
        return Settings.read(SessionSettings.class, values, key -> key);
    }

    @Override
    public void close() {
        end();
    }

    /** Ends before the test does; may be called again. */
    public void end() {
        hub.close();
        handler.close();
        server.close();
    }
}
