package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.session.Session;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.PathHandler;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.StatusCodes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;

/**
 * Everything below {@code /feed/}: {@code /feed/CHANNEL} opens a session, {@code /feed/ack} and
 * {@code /feed/finish} are for clients that cannot send on their channel, {@code /feed/clock}
 * answers with the time.
 */
public final class FeedHandler implements HttpHandler, AutoCloseable {
    /** Where its addresses begin. */
    public static final String PREFIX = "/feed/";

    private final Supplier<SessionHub> hub;
    private final ChannelList channels;
    private final int maxSessions;
    private final Goodbyes goodbyes;
    private final Map<String, PollOutlet> polls = new ConcurrentHashMap<>();

    /**
     * A handler.
     *
     * @param hub that has the sessions now
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
     * This at its place, and nothing else, behind what protects a server. Requests are not limited:
     * a server is there to be loaded.
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

    /** Waits a moment for clients that were told of their end; before the server is closed. */
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
            case "clock" -> ClockSocket.open(exchange, hub.get().time(), goodbyes);
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

    /** Somebody waits: sessions without a reader go, and it takes the place of one. */
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

    /** The first request of a session, and of one that goes on, says no frame: it has none. */
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
}
