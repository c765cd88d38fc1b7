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
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.concurrent.NanoClock;

/**
 * Checks before all other handlers: headers, names of this host, pages of other sites, the token,
 * and how many requests one caller may send.
 *
 * <p>A browser sends the cookie with every request of a page of the same host, whatever its port;
 * therefore the cookie opens the page and its control interface, whose answers other pages cannot
 * read, but not channels: requests below {@code /feed/} contain the token itself.
 */
public final class SecurityHandler implements HttpHandler {
    /** RFC 9110, section 15.5.20. */
    private static final int MISDIRECTED_REQUEST = 421;

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self';"
                    + " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
    private static final Set<String> LOCAL_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");

    /** Pages that can be opened from anywhere, and with the token in their address. */
    private static final Set<String> PAGES = Set.of("/", "/runs.html");

    private static final HttpString SEC_FETCH_SITE = new HttpString("Sec-Fetch-Site");
    private static final HttpString SEC_FETCH_MODE = new HttpString("Sec-Fetch-Mode");
    private static final String TOKEN = "token";
    private static final String BEARER = "Bearer ";
    private static final String HMAC = "HmacSHA256";
    private static final int ID_BYTES = 12;
    private static final int NAME_BYTES = 4;

    private final String token;
    private final boolean isExposed;
    private final TrustedProxies proxies;
    private final NanoClock clock;
    private final RequestLimit limit;
    private final HttpHandler next;
    private final String cookieName;

    /**
     * A handler before others.
     *
     * @param token that clients must know
     * @param isExposed whether it is bound beyond loopback, where this host may have names that it
     *     does not know itself
     * @param proxies that are trusted to report the client
     * @param clock monotonic
     * @param limit of the requests of one caller
     * @param next handler that is called if nothing is wrong
     */
    public SecurityHandler(
            final String token,
            final boolean isExposed,
            final TrustedProxies proxies,
            final NanoClock clock,
            final RequestLimit limit,
            final HttpHandler next) {
        if (token.isEmpty()) {
            throw new IllegalArgumentException("token: must not be empty");
        }
        this.token = token;
        this.isExposed = isExposed;
        this.proxies = proxies;
        this.clock = clock;
        this.limit = limit;
        this.next = next;
        // cookies know no ports: two consoles on one host each need their own
        cookieName = "tickmark-" + HexFormat.of().formatHex(Arrays.copyOf(mac("name"), NAME_BYTES));
    }

    /**
     * Why a request is not served.
     *
     * @param status of HTTP
     * @param detail what was wrong and what to do
     */
    private record Refusal(int status, String detail) {}

    @Override
    public void handleRequest(final HttpServerExchange exchange) throws Exception {
        headers(exchange.getResponseHeaders());
        final InetAddress client = proxies.client(exchange);
        final Object caller = caller(exchange, client);
        final Refusal refusal = refusal(exchange, caller);
        if (refusal != null) {
            refuse(exchange, refusal, client);
        } else if (!limit.isAllowed(caller, clock.nanoTime())) {
            Problem.send(
                    exchange,
                    StatusCodes.TOO_MANY_REQUESTS,
                    "Too many requests from this client; try again in a second.");
        } else if (isLogin(exchange)) {
            login(exchange);
        } else {
            next.handleRequest(exchange);
        }
    }

    private void refuse(
            final HttpServerExchange exchange, final Refusal refusal, final InetAddress client) {
        if (!limit.isRefusalAllowed(client, clock.nanoTime())) {
            Problem.send(
                    exchange,
                    StatusCodes.TOO_MANY_REQUESTS,
                    "Too many refused requests from this address; try again in a second.");
            return;
        }
        if (refusal.status() == StatusCodes.UNAUTHORIZED) {
            exchange.getResponseHeaders().put(Headers.WWW_AUTHENTICATE, "Bearer");
        }
        Problem.send(exchange, refusal.status(), refusal.detail());
    }

    /** Null where the request is to be served. */
    private Refusal refusal(final HttpServerExchange exchange, final Object caller) {
        if (!isExposed && proxies.isEmpty() && !isLocalName(exchange.getHostName())) {
            // a page of another site whose name was rebound to 127.0.0.1
            return new Refusal(
                    MISDIRECTED_REQUEST,
                    "This server answers to 127.0.0.1 and localhost only; behind a proxy start it with --trusted-proxy.");
        }
        if (!isOwnOrigin(exchange) || isFromAnotherSite(exchange)) {
            return new Refusal(StatusCodes.FORBIDDEN, "Pages of other origins have no access.");
        }
        if (caller == null) {
            return new Refusal(
                    StatusCodes.UNAUTHORIZED,
                    "A token is needed: open the address that the server printed, or send it as 'Authorization: Bearer'"
                            + " (feed clients: --token; a channel also takes it as 'token' in its address).");
        }
        return null;
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

    /**
     * Fetch metadata (W3C Fetch Metadata Request Headers, section 2.3): browsers send it to
     * loopback and over TLS, and no page can forge it. A link to the page may be anywhere.
     */
    private static boolean isFromAnotherSite(final HttpServerExchange exchange) {
        final String site = exchange.getRequestHeaders().getFirst(SEC_FETCH_SITE);
        if (site == null || site.equals("same-origin") || site.equals("none")) {
            return false;
        }
        return !isPage(exchange)
                || !"navigate".equals(exchange.getRequestHeaders().getFirst(SEC_FETCH_MODE));
    }

    private static boolean isPage(final HttpServerExchange exchange) {
        return Methods.GET.equals(exchange.getRequestMethod())
                && PAGES.contains(exchange.getRequestPath());
    }

    private boolean isLogin(final HttpServerExchange exchange) {
        return isPage(exchange) && isToken(FeedHandler.Query.text(exchange, TOKEN));
    }

    /** The token leaves the address, so that it does not stay in histories. */
    private void login(final HttpServerExchange exchange) {
        final String id = AccessToken.random(ID_BYTES);
        exchange.setResponseCookie(
                new CookieImpl(cookieName, id + "." + signature(id))
                        .setHttpOnly(true)
                        .setPath("/")
                        .setSameSite(true)
                        .setSameSiteMode("Strict"));
        exchange.setStatusCode(StatusCodes.SEE_OTHER);
        final String rest =
                Arrays.stream(exchange.getQueryString().split("&"))
                        .filter(each -> !each.startsWith(TOKEN + "="))
                        .collect(Collectors.joining("&"));
        exchange.getResponseHeaders()
                .put(
                        Headers.LOCATION,
                        exchange.getRequestPath() + (rest.isEmpty() ? "" : "?" + rest));
        exchange.endExchange();
    }

    /**
     * The caller as the limit counts it: the login of a browser, otherwise the address of a client
     * that knows the token. Null where the token is missing.
     */
    private Object caller(final HttpServerExchange exchange, final InetAddress client) {
        final String login = loginOf(exchange);
        final String authorization = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
        final boolean isChannel = exchange.getRequestPath().startsWith(FeedHandler.PREFIX);
        final boolean hasToken =
                authorization != null
                                && authorization.startsWith(BEARER)
                                && isToken(authorization.substring(BEARER.length()))
                        || isToken(FeedHandler.Query.text(exchange, TOKEN));
        if (!hasToken && (isChannel || login.isEmpty())) {
            return null;
        }
        return login.isEmpty() ? client : login;
    }

    /** The content of the cookie, where this server wrote it; otherwise empty. */
    private String loginOf(final HttpServerExchange exchange) {
        final Cookie cookie = exchange.getRequestCookie(cookieName);
        if (cookie == null) {
            return "";
        }
        final String value = cookie.getValue();
        final int dot = value.indexOf('.');
        return dot > 0 && isSame(signature(value.substring(0, dot)), value.substring(dot + 1))
                ? value.substring(0, dot)
                : "";
    }

    private String signature(final String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac("login " + id));
    }

    private byte[] mac(final String text) {
        try {
            final Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + HMAC, e);
        }
    }

    private boolean isToken(final String given) {
        return isSame(token, given);
    }

    /** Takes the same time, however many characters match. */
    private static boolean isSame(final String one, final String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
