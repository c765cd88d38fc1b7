package io.tickmark.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.tickmark.kernel.settings.CannotListen;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves metrics in the text format of Prometheus, on its own threads. On loopback it answers only
 * to this machine's own names and to no page of another site in a browser; beyond loopback only to
 * clients that know its token. It takes {@link #MOST_CONNECTIONS} connections at a time and ends
 * requests that take longer than ten seconds to arrive.
 */
public final class MetricsServer implements AutoCloseable {
    /** The environment variable that holds the token of a server beyond loopback. */
    public static final String TOKEN_VARIABLE = "TICKMARK_METRICS_TOKEN";

    /** Most connections at a time; more are closed at once. */
    public static final int MOST_CONNECTIONS = 64;

    private static final int MISDIRECTED_REQUEST = 421; // RFC 9110, section 15.5.20
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,128}");
    private static final int TOKEN_BYTES = 24;
    private static final Set<String> LOCAL_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final Pattern PLACE = Pattern.compile("(?:(.+):)?([0-9]{1,5})");
    private static final String LOOPBACK = "127.0.0.1";
    private static final int LAST_PORT = 65_535;

    static {
        // the JDK's server reads its limits once, from these (module jdk.httpserver)
        setUnlessGiven("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        setUnlessGiven("sun.net.httpserver.maxReqTime", 10);
    }

    private final HTTPServer server;
    private final String host;
    private final String token;

    /**
     * Starts.
     *
     * @param place port, or host and port with a colon between; port 0 for any
     * @param givenToken that clients must know where it is not on loopback; empty for one that is
     *     made up
     * @param metrics to serve
     * @throws UserError if it is no such place or token, or the port cannot be had
     */
    public MetricsServer(
            final String place, final String givenToken, final MultiCollector metrics) {
        final Matcher parts = PLACE.matcher(place);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > LAST_PORT) {
            throw UserError.usage(
                    "--metrics is \"%s\"; write a port from 0 to 65535 (0: any), or HOST:PORT."
                            .formatted(place));
        }
        host = parts.group(1) == null ? LOOPBACK : parts.group(1);
        final PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(metrics);
        try {
            final InetAddress address = InetAddress.getByName(host);
            token = address.isLoopbackAddress() ? "" : tokenOf(givenToken);
            server =
                    HTTPServer.builder()
                            .inetAddress(address)
                            .authenticator(new Guard(host, token))
                            .port(Integer.parseInt(parts.group(2)))
                            .registry(registry)
                            .buildAndStart();
        } catch (final UnknownHostException e) {
            throw UserError.usage(
                    "--metrics %s: '%s' is not an address of this machine; leave the host out for loopback."
                            .formatted(place, host));
        } catch (final IOException e) {
            throw CannotListen.on("--metrics " + place, host + ":" + parts.group(2), e);
        }
    }

    private static void setUnlessGiven(final String property, final int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    private static String tokenOf(final String given) {
        if (given.isEmpty()) {
            final byte[] random = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(random);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        }
        if (!TOKEN.matcher(given).matches()) {
            throw UserError.usage(
                    "%s: takes 16 to 128 characters of A-Z, a-z, 0-9, - and _; leave it out to have a token generated."
                            .formatted(TOKEN_VARIABLE));
        }
        return given;
    }

    /**
     * Decides before a request is served. Threads of the server.
     *
     * @param host it is bound to
     * @param token that a request must bring; empty on loopback
     */
    private static final class Guard extends Authenticator {
        private final String host;
        private final byte[] authorization;

        Guard(final String host, final String token) {
            this.host = host;
            authorization = token.isEmpty() ? null : ("Bearer " + token).getBytes(UTF_8);
        }

        @Override
        public Result authenticate(final HttpExchange exchange) {
            if (authorization == null && !isLocalName(exchange.getRequestHeaders())) {
                // a page of another site whose name was rebound to 127.0.0.1
                return new Failure(MISDIRECTED_REQUEST);
            }
            final String site = exchange.getRequestHeaders().getFirst("Sec-Fetch-Site");
            if (site != null && !site.equals("same-origin") && !site.equals("none")) {
                return new Failure(HttpURLConnection.HTTP_FORBIDDEN);
            }
            if (authorization != null && !isAuthorized(exchange.getRequestHeaders())) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                return new Failure(HttpURLConnection.HTTP_UNAUTHORIZED);
            }
            return new Success(new HttpPrincipal("scraper", "metrics"));
        }

        private boolean isLocalName(final Headers headers) {
            final String given = headers.getFirst("Host");
            final String name = given == null ? "" : given.replaceFirst(":[0-9]*$", "");
            return LOCAL_NAMES.contains(name) || name.equals(host);
        }

        private boolean isAuthorized(final Headers headers) {
            final String given = headers.getFirst("Authorization");
            return given != null && MessageDigest.isEqual(authorization, given.getBytes(UTF_8));
        }
    }

    /**
     * What a client must send as {@code Authorization: Bearer}.
     *
     * @return the token; empty on loopback, where none is needed
     */
    public String token() {
        return token;
    }

    /**
     * Where the metrics are.
     *
     * @return the address to scrape
     */
    public String address() {
        return "http://" + host + ":" + server.getPort() + "/metrics";
    }

    @Override
    public void close() {
        server.stop();
    }
}
