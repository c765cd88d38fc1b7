package io.tickmark.transport;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.settings.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and port as socket channels name them: {@code host:port}, {@code [address]:port} for IPv6.
 * Without a host, the address of this host is used ({@link HostAddress}); without a port, port 0
 * (choose one).
 *
 * @param host as written, brackets included
 * @param address of the host
 * @param port 0 to 65535
 */
public record HostPort(String host, InetAddress address, int port) {
    private static final Pattern FORM = Pattern.compile("(\\[[^\\[\\]]+]|[^:\\[\\]]*)(?::(.*))?");
    private static final int MAX_PORT = 65_535;

    /**
     * Reads the address of a channel.
     *
     * @param channel whose authority is one host and port
     * @return the address, looked up
     * @throws UserError if it is not an address, or the host is unknown
     */
    public static HostPort of(final ChannelUri channel) {
        return of(channel, channel.authority());
    }

    /**
     * Reads one of the addresses of a channel.
     *
     * @param channel named in errors
     * @param text the one host and port
     * @return the address, looked up
     * @throws UserError if it is not an address, or the host is unknown
     */
    public static HostPort of(final ChannelUri channel, final String text) {
        final Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw wrong(
                    channel,
                    "'"
                            + text
                            + "' is not an address; write host:port, or [address]:port for IPv6");
        }
        final String host = parts.group(1).isEmpty() ? HostAddress.own() : parts.group(1);
        final String port = parts.group(2) == null ? "0" : parts.group(2);
        return new HostPort(host, lookedUp(channel, host), port(channel, port));
    }

    private static InetAddress lookedUp(final ChannelUri channel, final String host) {
        try {
            return InetAddress.getByName(host);
        } catch (final UnknownHostException e) {
            throw wrong(
                    channel,
                    "host '" + host + "' is unknown; check its spelling or give its address");
        }
    }

    private static int port(final ChannelUri channel, final String text) {
        final int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : MAX_PORT + 1;
        if (port > MAX_PORT) {
            throw wrong(
                    channel,
                    "'" + text + "' is not a port; use 1 to 65535, or 0 to have one chosen");
        }
        return port;
    }

    private static UserError wrong(final ChannelUri channel, final String what) {
        return UserError.usage("--channel " + channel + ": " + what + ".");
    }

    /**
     * The same host at another port.
     *
     * @param other the port
     * @return the address
     */
    public HostPort withPort(final int other) {
        return new HostPort(host, address, other);
    }

    /**
     * As a channel's authority.
     *
     * @return host and port
     */
    public String authority() {
        return host + ":" + port;
    }

    /**
     * Whether what listens there runs on this host.
     *
     * @return true for a loopback address and those of its interfaces
     */
    public boolean isOnThisHost() {
        try {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (final SocketException e) {
            return false; // it has no interface of that address
        }
    }

    /**
     * For a socket.
     *
     * @return address and port
     */
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }
}
