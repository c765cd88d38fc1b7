package io.tickmark.workloads.feed.serve;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.server.handlers.CookieImpl;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Deque;
import java.util.Set;
import org.agrona.concurrent.NanoClock;

/**
 * Stands before everything: headers, names of this host, origins, the token, and how often one
 * address may ask.
 */
public final class SecurityHandler implements HttpHandler {
    private static final String COOKIE = "tickmark";

    /** RFC 9110, section 15.5.20. */
    private static final int MISDIRECTED_REQUEST = 421;

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self';"
                    + " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
    private static final Set<String> LOCAL_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

    private final String token;
    private final NanoClock clock;
    private final HttpHandler next;
    private final RequestLimit limit;

    /**
     * A handler before others.
     *
     * @param token that others must know; empty where none is needed: on loopback
     * @param clock monotonic
     * @param limit of the requests of one address
     * @param next that is asked where nothing is wrong
     */
    public SecurityHandler(
            final String token,
            final NanoClock clock,
            final RequestLimit limit,
            final HttpHandler next) {
        this.token = token;
        this.clock = clock;
        this.limit = limit;
        this.next = next;
    }

    @Override
    public void handleRequest(final HttpServerExchange exchange) throws Exception {
        headers(exchange.getResponseHeaders());
        if (!limit.isAllowed(exchange.getSourceAddress().getAddress(), clock.nanoTime())) {
            Problem.send(
                    exchange,
                    StatusCodes.TOO_MANY_REQUESTS,
                    "Too many requests from this address; ask again in a second.");
        } else if (token.isEmpty() && !isLocalName(exchange.getHostName())) {
            // a page of another site whose name was turned to 127.0.0.1
            Problem.send(
                    exchange,
                    MISDIRECTED_REQUEST,
                    "This server answers to 127.0.0.1 and localhost only.");
        } else if (!isOwnOrigin(exchange)) {
            Problem.send(exchange, StatusCodes.FORBIDDEN, "Pages of other origins have no access.");
        } else if (isLogin(exchange)) {
            login(exchange);
        } else if (!isKnown(exchange)) {
            Problem.send(
                    exchange,
                    StatusCodes.UNAUTHORIZED,
                    "A token is needed: open the address that the server printed, or send it as 'Authorization: Bearer'"
                            + " (feed clients: --token).");
        } else {
            next.handleRequest(exchange);
        }
    }

    private static void headers(final HeaderMap headers) {
        headers.put(new HttpString("Content-Security-Policy"), POLICY);
        headers.put(new HttpString("Cross-Origin-Opener-Policy"), "same-origin");
        headers.put(new HttpString("Cross-Origin-Embedder-Policy"), "require-corp");
        headers.put(new HttpString("Cross-Origin-Resource-Policy"), "same-origin");
        headers.put(new HttpString("X-Content-Type-Options"), "nosniff");
        headers.put(new HttpString("Referrer-Policy"), "no-referrer");
        headers.put(new HttpString("X-Frame-Options"), "DENY");
        headers.put(
                new HttpString("Permissions-Policy"),
                "camera=(), microphone=(), geolocation=(), payment=()");
    }

    private static boolean isLocalName(final String name) {
        return name != null
                && (LOCAL_NAMES.contains(name) || LOCAL_NAMES.contains("[" + name + "]"));
    }

    /**
     * Browsers name the origin of every WebSocket and of every request that changes something. It
     * is https where a proxy speaks TLS for this server: the same name and port can be no other's.
     */
    private static boolean isOwnOrigin(final HttpServerExchange exchange) {
        final String origin = exchange.getRequestHeaders().getFirst(Headers.ORIGIN);
        final String name = exchange.getHostAndPort();
        return origin == null
                || origin.equals("http://" + name)
                || origin.equals("https://" + name);
    }

    private boolean isLogin(final HttpServerExchange exchange) {
        return !token.isEmpty()
                && exchange.getRequestPath().equals("/")
                && Methods.GET.equals(exchange.getRequestMethod())
                && isToken(first(exchange.getQueryParameters().get("token")));
    }

    /** The token leaves the address, so that it does not stay in histories. */
    private void login(final HttpServerExchange exchange) {
        exchange.setResponseCookie(
                new CookieImpl(COOKIE, token)
                        .setHttpOnly(true)
                        .setPath("/")
                        .setSameSite(true)
                        .setSameSiteMode("Strict"));
        exchange.setStatusCode(StatusCodes.SEE_OTHER);
        exchange.getResponseHeaders().put(Headers.LOCATION, "/");
        exchange.endExchange();
    }

    private boolean isKnown(final HttpServerExchange exchange) {
        if (token.isEmpty()) {
            return true;
        }
        final Cookie cookie = exchange.getRequestCookie(COOKIE);
        final String authorization = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
        return cookie != null && isToken(cookie.getValue())
                || authorization != null
                        && authorization.startsWith("Bearer ")
                        && isToken(authorization.substring("Bearer ".length()));
    }

    private static String first(final Deque<String> values) {
        return values == null ? "" : values.getFirst();
    }

    /** In the same time, however many characters are right. */
    private boolean isToken(final String given) {
        return MessageDigest.isEqual(
                token.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
