package io.tickmark.transport.udp;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One address of a channel.
 *
 * @param host as the user wrote it, brackets included; loopback where nothing was written
 * @param address of the host
 * @param port 0 to 65535; 0 means that one is chosen
 */
record UdpEndpoint(String host, InetAddress address, int port) {
    /** Room for a socket address of either family, a multiple of eight. */
    static final int ENCODED_BYTES = 32;

    private static final int IPV4_BYTES = 16;
    private static final int IPV6_BYTES = 28;
    private static final int PORT_OFFSET = 2;

    /** Reads the one address of a channel. */
    static UdpEndpoint of(final ChannelUri channel) {
        final List<UdpEndpoint> all = allOf(channel);
        if (all.size() != 1) {
            throw wrong(channel, "names several addresses where one is needed; give one");
        }
        return all.getFirst();
    }

    /** Reads the addresses of a channel, separated by commas. */
    static List<UdpEndpoint> allOf(final ChannelUri channel) {
        final List<UdpEndpoint> all = new ArrayList<>();
        for (final String one : channel.authority().split(",", -1)) {
            all.add(parse(channel, one));
        }
        if (all.stream().map(UdpEndpoint::isIpv6).distinct().count() > 1) {
            throw wrong(channel, "mixes IPv4 and IPv6; use one of them");
        }
        return List.copyOf(all);
    }

    private static UdpEndpoint parse(final ChannelUri channel, final String text) {
        final HostPort read = HostPort.of(channel, text);
        return new UdpEndpoint(read.host(), read.address(), read.port());
    }

    static UserError wrong(final ChannelUri channel, final String what) {
        return UserError.usage("--channel " + channel + ": " + what + ".");
    }

    boolean isIpv6() {
        return address instanceof Inet6Address;
    }

    short family() {
        return isIpv6() ? SocketNumbers.AF_INET6 : SocketNumbers.AF_INET;
    }

    /** The same host at another port. */
    UdpEndpoint withPort(final int other) {
        return new UdpEndpoint(host, address, other);
    }

    /** As written in a channel. */
    String authority() {
        return host + ":" + port;
    }

    /**
     * Writes {@code struct sockaddr_in} or {@code sockaddr_in6} (ip(7), ipv6(7)).
     *
     * @param scope interface of an IPv6 address that is only valid on a link; 0 to take the
     *     address's own
     * @return length of the structure
     */
    int encode(final UnsafeBuffer buffer, final int offset, final int scope) {
        buffer.setMemory(offset, ENCODED_BYTES, (byte) 0);
        buffer.putShort(offset, family());
        buffer.putShort(offset + PORT_OFFSET, (short) port, ByteOrder.BIG_ENDIAN);
        if (address instanceof final Inet6Address ipv6) {
            buffer.putBytes(offset + 8, ipv6.getAddress());
            buffer.putInt(offset + 24, scope == 0 ? ipv6.getScopeId() : scope);
            return IPV6_BYTES;
        }
        buffer.putBytes(offset + 4, address.getAddress());
        return IPV4_BYTES;
    }

    /** The address in an encoded one. */
    static InetAddress decoded(final UnsafeBuffer buffer, final int offset) {
        final boolean ipv6 = buffer.getShort(offset) == SocketNumbers.AF_INET6;
        final byte[] address = new byte[ipv6 ? 16 : 4];
        buffer.getBytes(offset + (ipv6 ? 8 : 4), address);
        try {
            return InetAddress.getByAddress(address);
        } catch (final UnknownHostException e) {
            throw new IllegalStateException(e); // the length is valid
        }
    }

    /** The port in an encoded address. */
    static int encodedPort(final UnsafeBuffer buffer, final int offset) {
        return buffer.getShort(offset + PORT_OFFSET, ByteOrder.BIG_ENDIAN) & 0xffff;
    }
}
