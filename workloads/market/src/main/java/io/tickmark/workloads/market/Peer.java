package io.tickmark.workloads.market;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.UserError;
import java.util.List;

/**
 * Where the other side listens.
 *
 * @param host name or address
 * @param port of the host
 */
public record Peer(String host, int port) {
    /**
     * Finds it: as named by the user, otherwise as bound by another role of the plan, otherwise the
     * default.
     *
     * @param host as set, empty where not
     * @param port as set, 0 where not
     * @param endpoints of the plan
     * @param names of endpoints to look for, the first one bound counts
     * @param defaultPort where no port is given
     * @return the other side
     */
    public static Peer find(
            final String host,
            final int port,
            final Endpoints endpoints,
            final List<String> names,
            final int defaultPort) {
        final Peer bound =
                names.stream()
                        .flatMap(name -> endpoints.named(name).stream())
                        .findFirst()
                        .map(Peer::parse)
                        .orElse(new Peer(HostAddress.own(), defaultPort));
        if (host.isEmpty() && port == 0) {
            return bound;
        }
        return new Peer(host.isEmpty() ? HostAddress.own() : host, port == 0 ? defaultPort : port);
    }

    /**
     * Reads an address.
     *
     * @param text HOST:PORT
     * @return the other side
     * @throws UserError if the text is not an address
     */
    public static Peer parse(final String text) {
        final int colon = text.lastIndexOf(':');
        try {
            return new Peer(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        } catch (final RuntimeException e) {
            throw UserError.usage("'" + text + "' is not a HOST:PORT.");
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
