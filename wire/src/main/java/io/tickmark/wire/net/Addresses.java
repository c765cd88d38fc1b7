package io.tickmark.wire.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Addresses with their ports. */
public final class Addresses {
    private Addresses() {}

    /**
     * A hash of an address and a port.
     *
     * @param high half
     * @param low half
     * @param port 0 to 65535
     * @return of the same the same
     */
    public static long hash(final long high, final long low, final int port) {
        return Hashing.spread(Hashing.mix(Hashing.mix(high, low), port));
    }

    /**
     * An address and a port.
     *
     * @param high half, {@link IpPacket#IPV4_HIGH} for IPv4
     * @param low half
     * @param port 0 to 65535
     * @return such as {@code 192.0.2.7:3000} or {@code [2001:db8::7]:3000}
     */
    public static String text(final long high, final long low, final int port) {
        try {
            if (high == IpPacket.IPV4_HIGH) {
                final byte[] bytes = ByteBuffer.allocate(4).putInt((int) low).array();
                return InetAddress.getByAddress(bytes).getHostAddress() + ":" + port;
            }
            final byte[] bytes = ByteBuffer.allocate(16).putLong(high).putLong(low).array();
            return "[" + InetAddress.getByAddress(bytes).getHostAddress() + "]:" + port;
        } catch (final UnknownHostException e) {
            throw new IllegalStateException(e); // 4 and 16 bytes are always an address
        }
    }
}
