package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.serve.ChannelSettings.ChannelTransport;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.FrameEncoder;
import io.tickmark.workloads.feed.session.Outlet;
import io.tickmark.workloads.feed.session.Session;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.tickmark.workloads.feed.session.WebSocket;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.PathHandler;
import io.undertow.util.FlexBase64;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.Protocols;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.channels.StreamSourceChannel;

/**
 * Everything below {@code /feed/}: {@code /feed/CHANNEL} opens a session, {@code /feed/ack} and
 * {@code /feed/finish} are for clients that cannot send on their channel, {@code /feed/clock}
 * answers with the time.
 */
public final class FeedHandler implements HttpHandler, AutoCloseable {
    /** Prefix of its addresses. */
    public static final String PREFIX = "/feed/";

    private final Supplier<SessionHub> hub;
    private final ChannelList channels;
    private final int maxSessions;
    private final Goodbyes goodbyes;
    private final Map<String, PollOutlet> polls = new ConcurrentHashMap<>();

    /**
     * A handler.
     *
     * @param hub supplies the hub that holds the sessions now
     * @param channels that can be opened
     * @param maxSessions that may be open at a time
     */
    public FeedHandler(
            final Supplier<SessionHub> hub, final ChannelList channels, final int maxSessions) {
        this.hub = hub;
        this.channels = channels;
        this.maxSessions = maxSessions;
        goodbyes = new Goodbyes(hub);
    }

    /**
     * Only this handler at its path, protected by the security handler. Requests are not limited: a
     * server exists to be loaded.
     *
     * @param token that clients must know
     * @param isExposed whether it is bound beyond loopback
     * @param clock monotonic
     * @return handler of all requests of a server
     */
    public HttpHandler guarded(final String token, final boolean isExposed, final NanoClock clock) {
        return new SecurityHandler(
                token,
                isExposed,
                TrustedProxies.of(""),
                clock,
                RequestLimit.none(),
                new PathHandler(exchange ->
                        Problem.send(
                                exchange,
                                StatusCodes.NOT_FOUND,
                                "There is nothing but " + PREFIX + "CHANNEL."))
                        .addPrefixPath(PREFIX.substring(0, PREFIX.length() - 1), this));
    }

    /** Waits a moment for clients that were notified of their end; before the server is closed. */
    @Override
    public void close() {
        goodbyes.sayAll();
    }

    @Override
    public void handleRequest(final HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
        orProblem(exchange, () -> route(exchange));
    }

    private void route(final HttpServerExchange exchange) {
        final String name = exchange.getRequestPath().substring(PREFIX.length());
        switch (name) {
            case "ack" -> acknowledge(exchange);
            case "finish" -> finish(exchange);
            case "clock" -> ClockSocket.open(exchange, hub.get(), goodbyes);
            default -> open(exchange, name);
        }
    }

    private static void orProblem(final HttpServerExchange exchange, final Runnable action) {
        try {
            action.run();
        } catch (final UserError e) {
            Problem.send(
                    exchange,
                    e.kind() == UserError.Kind.USAGE
                            ? StatusCodes.BAD_REQUEST
                            : StatusCodes.SERVICE_UNAVAILABLE,
                    e.getMessage());
        }
    }

    private void open(final HttpServerExchange exchange, final String name) {
        final ChannelSettings channel = channels.find(name).orElse(null);
        if (channel == null) {
            Problem.send(
                    exchange,
                    StatusCodes.NOT_FOUND,
                    "There is no channel of that name; see /api/channels.");
            return;
        }
        if (!Methods.GET.equals(exchange.getRequestMethod())) {
            Problem.send(exchange, StatusCodes.METHOD_NOT_ALLOWED, "A channel is opened with GET.");
            return;
        }
        final String session = Query.text(exchange, "session");
        if (channel.transport() == ChannelTransport.POLLING && isNextPoll(exchange, session)) {
            poll(exchange, session);
            return;
        }
        if (session.isEmpty() && isFull()) {
            makeRoom(exchange, channel);
        } else {
            open(exchange, channel, session);
        }
    }

    private boolean isFull() {
        return hub.get().figures().sessions() >= maxSessions;
    }

    /** A client is waiting: sessions without a reader are ended, and it takes the place of one. */
    private void makeRoom(final HttpServerExchange exchange, final ChannelSettings channel) {
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () ->
                        hub.get()
                                .giveUpUnread()
                                .thenAcceptAsync(
                                        _ ->
                                                orProblem(
                                                        exchange,
                                                        () -> openIfThereIsRoom(exchange, channel)),
                                        exchange.getIoThread()));
    }

    private void openIfThereIsRoom(
            final HttpServerExchange exchange, final ChannelSettings channel) {
        if (isFull()) {
            throw UserError.environment(
                    "There are " + maxSessions + " sessions already, and no more are allowed.");
        }
        open(exchange, channel, "");
    }

    private void open(
            final HttpServerExchange exchange,
            final ChannelSettings channel,
            final String session) {
        final SessionSettings wanted = Query.session(exchange, channel);
        hub.get().check(wanted);
        final Opening opening =
                new Opening(
                        hub.get(),
                        channel,
                        wanted,
                        session,
                        Query.number(exchange, "after"),
                        goodbyes);
        switch (channel.transport()) {
            case WEBSOCKET -> WebSocketUpgrade.upgrade(exchange, opening::onSocket);
            case EVENTS, STREAM -> respond(exchange, opening);
            case POLLING -> firstPoll(exchange, opening);
        }
    }

    /** The first request of a session, new or continued, names no frame: it has received none. */
    private boolean isNextPoll(final HttpServerExchange exchange, final String session) {
        return !session.isEmpty()
                && (Query.has(exchange, "frame")
                        || !Query.has(exchange, "after") && polls.containsKey(session));
    }

    private void respond(final HttpServerExchange exchange, final Opening opening) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, opening.channel().contentType());
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () -> opening.onOutlet(new ResponseOutlet(exchange, goodbyes), _ -> {}));
    }

    private void firstPoll(final HttpServerExchange exchange, final Opening opening) {
        polls.values().removeIf(PollOutlet::isOver);
        final PollOutlet outlet = new PollOutlet(opening.channel().contentType());
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () -> {
                    outlet.leave(exchange);
                    opening.onOutlet(
                            outlet,
                            session -> {
                                outlet.serves(session);
                                polls.put(session.id(), outlet);
                            });
                });
    }

    private void poll(final HttpServerExchange exchange, final String id) {
        final PollOutlet outlet = polls.get(id);
        if (outlet == null || outlet.isOver()) {
            polls.remove(id);
            Problem.send(exchange, StatusCodes.GONE, "That session is over; open another.");
            return;
        }
        outlet.session()
                .acknowledge(Query.number(exchange, "frame"), Query.number(exchange, "ordinal"));
        exchange.dispatch(SameThreadExecutor.INSTANCE, () -> outlet.leave(exchange));
    }

    private void acknowledge(final HttpServerExchange exchange) {
        final long frame = Query.number(exchange, "frame");
        final long ordinal = Query.number(exchange, "ordinal");
        withSession(exchange, session -> session.acknowledge(frame, ordinal));
    }

    private void finish(final HttpServerExchange exchange) {
        withSession(exchange, Session::finish);
    }

    private void withSession(
            final HttpServerExchange exchange, final java.util.function.Consumer<Session> action) {
        if (!Methods.POST.equals(exchange.getRequestMethod())) {
            Problem.send(exchange, StatusCodes.METHOD_NOT_ALLOWED, "Use POST.");
            return;
        }
        final String id = Query.text(exchange, "session");
        exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () ->
                        orProblem(
                                exchange,
                                () ->
                                        hub.get()
                                                .session(id)
                                                .thenAcceptAsync(
                                                        session -> {
                                                            if (session == null) {
                                                                Problem.send(
                                                                        exchange,
                                                                        StatusCodes.NOT_FOUND,
                                                                        "There is no such session.");
                                                                return;
                                                            }
                                                            action.accept(session);
                                                            exchange.setStatusCode(
                                                                    StatusCodes.NO_CONTENT);
                                                            exchange.endExchange();
                                                        },
                                                        exchange.getIoThread())));
    }

    /**
     * A client that opens a session, or continues one.
     *
     * @param hub of the session
     * @param channel that it came by
     * @param wanted by it
     * @param session that it continues; empty for a new one
     * @param after number of the last message that it has
     * @param goodbyes of its server
     */
    private record Opening(
            SessionHub hub,
            ChannelSettings channel,
            SessionSettings wanted,
            String session,
            long after,
            Goodbyes goodbyes) {
        private static final Ending NO_SESSION =
                new Ending(Ending.Kind.REFUSED, "there is no such session to continue");

        /**
         * A new session, or a continued one, on an outlet, which receives a note of the end where
         * there is no session.
         *
         * @param opened gets the session, of a continued one on its owner's thread
         */
        void onOutlet(final Outlet outlet, final Consumer<Session> opened) {
            final FrameEncoder encoder = channel.encoder(hub.settings().messageBytes());
            try {
                if (session.isEmpty()) {
                    opened.accept(hub.open(wanted, outlet, encoder));
                    return;
                }
                hub.resume(
                        session,
                        after,
                        outlet,
                        encoder,
                        found -> {
                            if (found == null) {
                                refuse(
                                        outlet,
                                        encoder,
                                        hub.noSuchSessionNote(session, after),
                                        NO_SESSION);
                            } else {
                                opened.accept(found);
                            }
                        });
            } catch (final UserError e) {
                refuse(
                        outlet,
                        encoder,
                        SessionHub.refusal(e),
                        hub.isOver()
                                ? Ending.SERVER_ENDS
                                : new Ending(Ending.Kind.REFUSED, e.getMessage()));
            }
        }

        private void refuse(
                final Outlet outlet,
                final FrameEncoder encoder,
                final String note,
                final Ending ending) {
            final ByteBuffer bytes = ByteBuffer.allocate(FrameEncoder.ROOM);
            final int end = encoder.note(new UnsafeBuffer(bytes), 0, note);
            try {
                outlet.write(bytes.limit(end));
                outlet.flush();
            } catch (final IOException _) {
                hub.unnotified(); // it is gone already
            }
            if (bytes.hasRemaining()) {
                outlet.close(); // a frame cannot be inside another
            } else {
                outlet.close(ending);
            }
        }

        /** A connection that breaks without a close does not end a guaranteed session. */
        private static boolean isToComeBack(final Session session, final Ending ending) {
            return session.settings().guaranteed()
                    && (ending.kind() == Ending.Kind.BROKEN
                            || ending.kind() == Ending.Kind.CLIENT_LEFT);
        }

        /** A WebSocket: received frames are acknowledgements. */
        void onSocket(final StreamConnection connection) {
            final AtomicReference<Session> known = new AtomicReference<>();
            final SocketOutlet outlet = new SocketOutlet(connection, goodbyes);
            final FrameReader reader = new FrameReader(new ClientFrames(known, outlet));
            final SocketIntake intake =
                    new SocketIntake(
                            hub.time().clock(),
                            reader,
                            ending -> {
                                final Session mine = known.get();
                                if (mine == null
                                        || outlet.isLeaving()
                                        || isToComeBack(mine, ending)) {
                                    outlet.close();
                                } else {
                                    mine.requestEnd(ending);
                                }
                            });
            onOutlet(
                    outlet,
                    opened -> {
                        known.set(opened);
                        connection.getIoThread().execute(() -> intake.attach(connection));
                    });
        }
    }

    /**
     * Requests that wait for something, one at a time. The server's threads leave a request here,
     * the session's owner answers it with whatever it has.
     */
    private static final class PollOutlet implements Outlet {
        private final AtomicReference<HttpServerExchange> waiting = new AtomicReference<>();
        private final String contentType;
        private volatile Session session;
        private volatile boolean isClosed;

        PollOutlet(final String contentType) {
            this.contentType = contentType;
        }

        void serves(final Session of) {
            session = of;
        }

        Session session() {
            return session;
        }

        boolean isOver() {
            return isClosed;
        }

        /** A request that waits; one that already waited gets an empty answer. */
        void leave(final HttpServerExchange exchange) {
            final HttpServerExchange before = waiting.getAndSet(exchange);
            if (before != null) {
                answer(before, ByteBuffer.allocate(0));
            }
            if (isClosed) {
                close();
            }
        }

        @Override
        public boolean isReady() {
            return waiting.getAcquire() != null;
        }

        @Override
        public void write(final ByteBuffer bytes) {
            final HttpServerExchange exchange = waiting.getAndSet(null);
            if (exchange != null) {
                final ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
                copy.put(bytes).flip();
                answer(exchange, copy);
            }
        }

        /** On the exchange's own thread, which alone may touch it now. */
        private void answer(final HttpServerExchange exchange, final ByteBuffer bytes) {
            exchange.getIoThread()
                    .execute(() -> {
                        exchange.getResponseHeaders()
                                .put(io.undertow.util.Headers.CONTENT_TYPE, contentType);
                        exchange.getResponseSender().send(bytes);
                    });
        }

        @Override
        public void close() {
            isClosed = true;
            final HttpServerExchange exchange = waiting.getAndSet(null);
            if (exchange != null) {
                answer(exchange, ByteBuffer.allocate(0));
            }
        }
    }

    /** The query of an address. */
    static final class Query {
        /** Not settings of a session. */
        private static final Set<String> OTHERS =
                Set.of("session", "after", "token", "frame", "ordinal");

        private Query() {}

        static String text(final HttpServerExchange exchange, final String name) {
            final Deque<String> values = exchange.getQueryParameters().get(name);
            return values == null ? "" : values.getFirst();
        }

        static boolean has(final HttpServerExchange exchange, final String name) {
            return exchange.getQueryParameters().containsKey(name);
        }

        static long number(final HttpServerExchange exchange, final String name) {
            final String text = text(exchange, name);
            try {
                final long number = text.isEmpty() ? 0 : Long.parseLong(text);
                if (number >= 0) {
                    return number;
                }
            } catch (final NumberFormatException _) {
                // reported below
            }
            throw UserError.usage(
                    "query parameter '%s': must be a whole number from 0.".formatted(name));
        }

        /** A client's request for a channel. */
        static SessionSettings session(
                final HttpServerExchange exchange, final ChannelSettings channel) {
            final Map<String, Object> values = new LinkedHashMap<>();
            values.put("flush", io.tickmark.kernel.settings.Durations.format(channel.flush()));
            exchange.getQueryParameters()
                    .forEach((name, given) -> {
                        if (given.size() > 1) {
                            throw UserError.usage(
                                    "query parameter '%s': is given %d times; give it once."
                                            .formatted(name, given.size()));
                        }
                        if (!OTHERS.contains(name)) {
                            values.put(name, given.getFirst());
                        }
                    });
            return Settings.read(
                    SessionSettings.class, values, key -> "query parameter '" + key + "'");
        }
    }

    /** A response that does not end: events, or a stream of bytes. */
    private static final class ResponseOutlet implements Outlet {
        private final HttpServerExchange exchange;
        private final StreamSinkChannel sink;
        private final Goodbyes goodbyes;

        ResponseOutlet(final HttpServerExchange exchange, final Goodbyes goodbyes) {
            this.goodbyes = goodbyes;
            this.exchange = exchange;
            sink = exchange.getResponseChannel();
        }

        @Override
        public void write(final ByteBuffer bytes) throws IOException {
            SocketOutlet.write(sink, bytes);
        }

        @Override
        public void flush() throws IOException {
            sink.flush();
        }

        @Override
        public void close() {
            try {
                sink.shutdownWrites();
                sink.flush();
            } catch (final IOException _) {
                goodbyes.unnotified(); // the client is gone, and its connection will be in a moment
            }
            IoUtils.safeClose(exchange.getConnection());
        }
    }

    /**
     * Answers each message of 8 bytes with the same 8 and the time after the feed's epoch: from
     * many such round trips a client learns the offset of its clock, and a bound on its error.
     */
    private static final class ClockSocket implements FrameReader.Listener {
        private static final int PAYLOAD = 2 * Long.BYTES;
        private static final Ending NO_QUESTION =
                new Ending(
                        Ending.Kind.MISBEHAVED,
                        "it sent something that is not a request for the time");

        private final SocketOutlet outlet;
        private final SessionHub hub;
        private boolean isGivenUp;

        private ClockSocket(final SocketOutlet outlet, final SessionHub hub) {
            this.outlet = outlet;
            this.hub = hub;
        }

        static void open(
                final HttpServerExchange exchange, final SessionHub hub, final Goodbyes goodbyes) {
            WebSocketUpgrade.upgrade(
                    exchange,
                    connection -> {
                        final SocketOutlet outlet = new SocketOutlet(connection, goodbyes);
                        goodbyes.add(outlet);
                        new SocketIntake(
                                        hub.time().clock(),
                                        new FrameReader(new ClockSocket(outlet, hub)),
                                        ending -> leave(outlet, ending))
                                .attach(connection);
                    });
        }

        /** A client that left is not notified; a notified one has answered. */
        private static void leave(final SocketOutlet outlet, final Ending ending) {
            if (outlet.isLeaving() || ending.kind() == Ending.Kind.BROKEN) {
                outlet.close();
            } else {
                outlet.close(ending);
            }
        }

        @Override
        public void onMessage(final ByteBuffer payload) {
            if (payload.remaining() != Long.BYTES) {
                outlet.close(NO_QUESTION);
                return;
            }
            final ByteBuffer answer =
                    ByteBuffer.allocate(PAYLOAD)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .put(payload)
                            .putLong(hub.time().nowNs())
                            .flip();
            write(ClientFrames.frame(WebSocket.BINARY, answer));
        }

        /**
         * A client that does not read its answers has no use for them; it is counted, once, and
         * what it asked after that is not answered.
         */
        private void write(final byte[] frame) {
            if (isGivenUp) {
                return;
            }
            try {
                final ByteBuffer bytes = ByteBuffer.wrap(frame);
                outlet.write(bytes);
                if (bytes.hasRemaining()) {
                    giveUp();
                }
            } catch (final IOException _) {
                giveUp();
            }
        }

        private void giveUp() {
            isGivenUp = true;
            hub.clockUnanswered();
            outlet.close();
        }

        @Override
        public void onPing(final ByteBuffer payload) {
            write(ClientFrames.frame(WebSocket.PONG, payload));
        }

        @Override
        public void onClose() {
            leave(outlet, Ending.CLIENT_CLOSED);
        }
    }

    /**
     * Reads what a client sends over a WebSocket, on the server's thread, and ends a client that
     * sends too much. Bounded: no queue, one small buffer a connection.
     */
    private static final class SocketIntake {
        private static final int BUFFER = 2048;
        private static final long SECOND_NS = 1_000_000_000L;

        /** An honest client acknowledges a few hundred times a second. */
        private static final int MAX_READS_PER_SECOND = 20_000;

        private static final int MAX_BYTES_PER_SECOND = 1_000_000;

        private static final Ending CLIENT_LEFT =
                new Ending(Ending.Kind.CLIENT_LEFT, "the client left");
        private static final Ending TOO_MUCH =
                new Ending(Ending.Kind.MISBEHAVED, "it sent too much");

        private final NanoClock clock;
        private final FrameReader reader;
        private final Consumer<Ending> ended;
        private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
        private long secondNs;
        private int bytesInSecond;
        private int readsInSecond;
        private boolean isEnded;

        SocketIntake(
                final NanoClock clock, final FrameReader reader, final Consumer<Ending> ended) {
            this.clock = clock;
            this.reader = reader;
            this.ended = ended;
            secondNs = clock.nanoTime();
        }

        /** Begins to read; gives the end's reason to the consumer, once. */
        void attach(final StreamConnection connection) {
            connection.getSourceChannel().setReadListener(this::onReadable);
            connection.getSourceChannel().resumeReads();
        }

        private void onReadable(final StreamSourceChannel source) {
            try {
                for (bytes.clear(); ; bytes.clear()) {
                    final int count = source.read(bytes);
                    if (count == 0) {
                        return;
                    }
                    if (count < 0) {
                        end(source, CLIENT_LEFT);
                        return;
                    }
                    if (isTooMuch(count)) {
                        end(source, TOO_MUCH);
                        return;
                    }
                    final String reason = reader.read(bytes.flip());
                    if (!reason.isEmpty()) {
                        end(source, new Ending(reader.kind(), reason));
                        return;
                    }
                }
            } catch (final IOException _) {
                end(source, Ending.BROKEN);
            }
        }

        private boolean isTooMuch(final int count) {
            final long nowNs = clock.nanoTime();
            if (nowNs - secondNs >= SECOND_NS) {
                secondNs = nowNs;
                bytesInSecond = 0;
                readsInSecond = 0;
            }
            bytesInSecond += count;
            return ++readsInSecond > MAX_READS_PER_SECOND || bytesInSecond > MAX_BYTES_PER_SECOND;
        }

        private void end(final StreamSourceChannel source, final Ending ending) {
            source.suspendReads();
            if (!isEnded) {
                isEnded = true;
                ended.accept(ending);
            }
        }
    }

    /**
     * The opening handshake (RFC 6455, section 4.2). The frames are ours: they are the hot path,
     * and a framed channel would put a queue and an allocation before each.
     */
    private static final class WebSocketUpgrade {
        private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        private static final String VERSION = "13";
        private static final int KEY_BYTES = 16;

        private WebSocketUpgrade() {}

        /** Takes the connection over, or answers with a problem. */
        static void upgrade(
                final HttpServerExchange exchange, final Consumer<StreamConnection> opened) {
            if (!has(exchange, Headers.UPGRADE, "websocket")
                    || !has(exchange, Headers.SEC_WEB_SOCKET_VERSION, VERSION)) {
                exchange.getResponseHeaders().put(Headers.UPGRADE, "websocket");
                exchange.getResponseHeaders().put(Headers.CONNECTION, "Upgrade");
                exchange.getResponseHeaders().put(Headers.SEC_WEB_SOCKET_VERSION, VERSION);
                Problem.send(
                        exchange,
                        StatusCodes.UPGRADE_REQUIRED,
                        "This channel is a WebSocket: open it with version 13 of that protocol.");
                return;
            }
            final String wrong = wrong(exchange);
            if (!wrong.isEmpty()) {
                Problem.send(exchange, StatusCodes.BAD_REQUEST, wrong);
                return;
            }
            exchange.getResponseHeaders().put(Headers.SEC_WEB_SOCKET_ACCEPT, accept(key(exchange)));
            exchange.getResponseHeaders().put(Headers.UPGRADE, "websocket");
            exchange.upgradeChannel((connection, _) -> opened.accept(connection));
            exchange.endExchange();
        }

        /** What the request lacks (RFC 6455, section 4.2.1); empty where it is complete. */
        private static String wrong(final HttpServerExchange exchange) {
            if (!Methods.GET.equals(exchange.getRequestMethod())
                    || !Protocols.HTTP_1_1.equals(exchange.getProtocol())) {
                return "A WebSocket is opened with GET and HTTP/1.1.";
            }
            if (!exchange.getRequestHeaders().contains(Headers.HOST)) {
                return "The header Host is missing.";
            }
            if (!has(exchange, Headers.CONNECTION, "upgrade")) {
                return "The header 'Connection: Upgrade' is missing: it makes the request one for a WebSocket.";
            }
            final String key = key(exchange);
            return key != null && isKey(key)
                    ? ""
                    : "The header Sec-WebSocket-Key must hold 16 bytes in Base64.";
        }

        /** Whether one of the values in a list of them, with commas, is this. */
        private static boolean has(
                final HttpServerExchange exchange, final HttpString name, final String wanted) {
            final HeaderValues values = exchange.getRequestHeaders().get(name);
            return values != null
                    && values.stream()
                            .flatMap(each -> Arrays.stream(each.split(",")))
                            .anyMatch(each -> each.strip().equalsIgnoreCase(wanted));
        }

        private static String key(final HttpServerExchange exchange) {
            final HeaderValues keys = exchange.getRequestHeaders().get(Headers.SEC_WEB_SOCKET_KEY);
            return keys == null || keys.size() != 1 ? null : keys.getFirst().strip();
        }

        private static boolean isKey(final String key) {
            try {
                return Base64.getDecoder().decode(key).length == KEY_BYTES;
            } catch (final IllegalArgumentException _) {
                return false; // the answer reports what is wrong
            }
        }

        static String accept(final String key) {
            try {
                final byte[] hash =
                        MessageDigest.getInstance("SHA-1")
                                .digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
                return FlexBase64.encodeString(hash, false);
            } catch (final NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-1", e);
            }
        }
    }
}
