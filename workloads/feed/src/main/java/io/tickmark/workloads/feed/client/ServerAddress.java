package io.tickmark.workloads.feed.client;

import io.tickmark.kernel.settings.UserError;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address of a feed's server, and the credentials that it requires of its clients.
 *
 * @param host name or address
 * @param port TCP
 * @param token that the server asks for; empty where it is not known
 */
public record ServerAddress(String host, int port, String token) {
    private static final String TOKEN = "token=";
    private static final int MAX_PORT = 65_535;

    /**
     * Reads an address.
     *
     * @param server such as {@code http://127.0.0.1:8400}, or with the token as the console prints
     *     it: {@code http://127.0.0.1:8400/?token=...}
     * @param token of the server; empty for that of the address
     * @return the address
     * @throws UserError if it is not an address
     */
    public static ServerAddress of(final String server, final String token) {
        try {
            final URI uri = new URI(server);
            if ("http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getPort() > 0
                    && uri.getPort() <= MAX_PORT) {
                final String query = uri.getQuery();
                return new ServerAddress(
                        uri.getHost(),
                        uri.getPort(),
                        token.isEmpty() && query != null && query.startsWith(TOKEN)
                                ? query.substring(TOKEN.length())
                                : token);
            }
        } catch (final URISyntaxException _) {
            // reported below
        }
        throw UserError.usage(
                "--server %s: is not the address of a server; give http://HOST:PORT, as the server prints it."
                        .formatted(server));
    }

    /** Looks the host up; unresolved where it is unknown. */
    InetSocketAddress socketAddress() {
        return new InetSocketAddress(host, port);
    }

    /** Lines of each request's head, each with its end. */
    String headers() {
        return "Host: %s:%d\r\n".formatted(host, port)
                + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n");
    }

    @Override
    public String toString() {
        return "http://" + host + ":" + port;
    }
}
