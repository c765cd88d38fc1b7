package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.UserError;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Proxies that are trusted to report the client of a request.
 *
 * @param addresses of them
 */
public record TrustedProxies(Set<InetAddress> addresses) {
    /** Help of a server's setting of this name. */
    public static final String HELP =
            "Addresses of proxies before the server, separated by commas, such as 127.0.0.1: their header X-Forwarded-For is "
                    + "trusted, and any host name that they pass on is accepted.";

    /**
     * Reads what a user gave as {@code --trusted-proxy}.
     *
     * @param text addresses with commas, empty for none
     * @return the proxies
     * @throws UserError where one is no address
     */
    public static TrustedProxies of(final String text) {
        return new TrustedProxies(
                text.isBlank()
                        ? Set.of()
                        : Arrays.stream(text.split(","))
                                .map(each -> address(each.strip()))
                                .collect(Collectors.toUnmodifiableSet()));
    }

    private static InetAddress address(final String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (final IllegalArgumentException _) {
            throw UserError.usage(
                    "--trusted-proxy: '%s' is not an address; give one such as 127.0.0.1, several with commas."
                            .formatted(text));
        }
    }

    boolean isEmpty() {
        return addresses.isEmpty();
    }

    /**
     * The client. Each proxy appends its client to the header, so the last address that is not a
     * proxy is that of the client; anything before it may be forged.
     */
    InetAddress client(final HttpServerExchange exchange) {
        InetAddress client = exchange.getSourceAddress().getAddress();
        final String header =
                addresses.contains(client)
                        ? exchange.getRequestHeaders().getLast(Headers.X_FORWARDED_FOR)
                        : null;
        if (header == null) {
            return client;
        }
        final String[] asked = header.split(",");
        for (int i = asked.length - 1; i >= 0 && addresses.contains(client); i--) {
            try {
                client = InetAddress.ofLiteral(asked[i].strip());
            } catch (final IllegalArgumentException _) {
                return client; // no address: the proxy itself is counted
            }
        }
        return client;
    }
}
