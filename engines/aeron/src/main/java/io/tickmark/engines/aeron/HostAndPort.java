package io.tickmark.engines.aeron;

import io.tickmark.kernel.settings.UserError;
import java.net.InetAddress;
import java.util.Optional;

/**
 * An address as Aeron writes it: {@code host:port}, {@code [v6]:port}. Names are resolved by the
 * driver; a multicast group has to be numeric.
 *
 * @param host as written, brackets included
 * @param port 0 to choose
 */
record HostAndPort(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final String HOST_PATTERN = "\\[[0-9a-fA-F:.%]+[^\\s\\]]*]|[^\\s:\\[\\]/]+";

    static HostAndPort parse(final String text, final String naming) {
        final int colon = text.lastIndexOf(':');
        final String host = text.substring(0, Math.max(colon, 0));
        final String port = text.substring(colon + 1);
        if (!host.matches(HOST_PATTERN)
                || !port.matches("\\d{1,5}")
                || Integer.parseInt(port) > MAX_PORT) {
            throw UserError.usage(
                    "%s: '%s' is not an address; write host:port, for example 127.0.0.1:4040."
                            .formatted(naming, text));
        }
        return new HostAndPort(host, Integer.parseInt(port));
    }

    private Optional<InetAddress> literal() {
        try {
            return Optional.of(InetAddress.ofLiteral(bareHost()));
        } catch (final IllegalArgumentException e) {
            return Optional.empty(); // a name
        }
    }

    /** The host as the JDK takes it. */
    String bareHost() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    boolean isMulticast() {
        return literal().map(InetAddress::isMulticastAddress).orElse(false);
    }

    boolean isLoopback() {
        return literal().map(InetAddress::isLoopbackAddress).orElse("localhost".equals(host));
    }

    HostAndPort withPort(final int other) {
        return new HostAndPort(host, other);
    }

    /**
     * Where a receiver on this host binds to receive from this address: never wider than needed.
     */
    HostAndPort receiver() {
        if (isLoopback()) {
            return withPort(0);
        }
        return new HostAndPort(host.startsWith("[") ? "[::]" : "0.0.0.0", 0);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
