package io.tickmark.wire.net;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * A view of an IP datagram, IPv4 (RFC 791) or IPv6 with its extension headers (RFC 8200). Single
 * thread, allocates nothing. Addresses are two longs; an IPv4 address is the low one, with {@link
 * #IPV4_HIGH} as the high one.
 */
public final class IpPacket {
    /** High half of an address that is of IPv4; of no IPv6 address, as 0000::/8 is reserved. */
    public static final long IPV4_HIGH = 4;

    /** Protocol number of TCP. */
    public static final int TCP = 6;

    /** Protocol number of UDP. */
    public static final int UDP = 17;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    private static final int MOBILITY = 135;
    private static final int HOST_IDENTITY = 139;
    private static final int SHIM6 = 140;
    private static final int MAX_EXTENSIONS = 16;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int FRAGMENT_OFFSET = 0x1fff;
    private static final ByteOrder NETWORK = ByteOrder.BIG_ENDIAN;

    private DirectBuffer buffer;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int protocol;
    private int identification;
    private int payload;
    private int payloadBytes;
    private int limit;
    private int fragmentOffset;
    private boolean hasMoreFragments;

    /** A view of nothing. */
    public IpPacket() {}

    /**
     * Looks at a datagram.
     *
     * @param bytes that hold it
     * @param offset of its header
     * @param end position after the last byte captured
     * @param originalEnd position after the last byte that was on the wire; for datagrams too long
     *     for their length field
     * @return whether its headers are there and can be right
     */
    public boolean wrap(
            final DirectBuffer bytes, final int offset, final int end, final int originalEnd) {
        buffer = bytes;
        fragmentOffset = 0;
        hasMoreFragments = false;
        identification = 0;
        if (end - offset < IPV4_BYTES) {
            return false;
        }
        return (bytes.getByte(offset) >>> 4 & 0xf) == 4
                ? wrapV4(offset, end, originalEnd)
                : wrapV6(offset, end, originalEnd);
    }

    private boolean wrapV4(final int offset, final int end, final int originalEnd) {
        final int headerBytes = (buffer.getByte(offset) & 0xf) * 4;
        final int announced = buffer.getShort(offset + 2, NETWORK) & 0xffff;
        // segmentation offload leaves the length 0 where it does not fit 16 bits
        final int totalBytes = announced == 0 ? originalEnd - offset : announced;
        if (headerBytes < IPV4_BYTES || headerBytes > end - offset || totalBytes < headerBytes) {
            return false;
        }
        identification = buffer.getShort(offset + 4, NETWORK) & 0xffff;
        final int fragment = buffer.getShort(offset + 6, NETWORK) & 0xffff;
        hasMoreFragments = (fragment & MORE_FRAGMENTS) != 0;
        fragmentOffset = (fragment & FRAGMENT_OFFSET) * 8;
        protocol = buffer.getByte(offset + 9) & 0xff;
        sourceHigh = IPV4_HIGH;
        sourceLow = buffer.getInt(offset + 12, NETWORK) & 0xffff_ffffL;
        destinationHigh = IPV4_HIGH;
        destinationLow = buffer.getInt(offset + 16, NETWORK) & 0xffff_ffffL;
        payload = offset + headerBytes;
        payloadBytes = totalBytes - headerBytes;
        limit = Math.min(end, offset + totalBytes);
        return true;
    }

    private boolean wrapV6(final int offset, final int end, final int originalEnd) {
        if (end - offset < IPV6_BYTES || (buffer.getByte(offset) >>> 4 & 0xf) != 6) {
            return false;
        }
        final int announced = buffer.getShort(offset + 4, NETWORK) & 0xffff;
        final int bytes = announced == 0 ? originalEnd - offset - IPV6_BYTES : announced;
        sourceHigh = buffer.getLong(offset + 8, NETWORK);
        sourceLow = buffer.getLong(offset + 16, NETWORK);
        destinationHigh = buffer.getLong(offset + 24, NETWORK);
        destinationLow = buffer.getLong(offset + 32, NETWORK);
        protocol = buffer.getByte(offset + 6) & 0xff;
        payload = offset + IPV6_BYTES;
        payloadBytes = Math.max(0, bytes);
        limit = Math.min(end, payload + payloadBytes);
        return passExtensions();
    }

    private boolean passExtensions() {
        for (int i = 0; i < MAX_EXTENSIONS; i++) {
            switch (protocol) {
                case HOP_BY_HOP, ROUTING, DESTINATION, MOBILITY, HOST_IDENTITY, SHIM6 -> {
                    if (!passes(1, 8, 8)) {
                        return false;
                    }
                }
                case AUTHENTICATION -> {
                    if (!passes(1, 4, 8)) {
                        return false;
                    }
                }
                case FRAGMENT -> {
                    if (limit - payload < 8) {
                        return false;
                    }
                    final int fragment = buffer.getShort(payload + 2, NETWORK) & 0xffff;
                    fragmentOffset = fragment & ~7;
                    hasMoreFragments = (fragment & 1) != 0;
                    identification = buffer.getInt(payload + 4, NETWORK);
                    if (!passes(0, 0, 8) || isFragment()) {
                        return true; // what follows is in the first fragment only
                    }
                }
                default -> {
                    return true;
                }
            }
        }
        return false;
    }

    /** Skips a header whose length field counts units beyond its first bytes. */
    private boolean passes(final int lengthAt, final int unitBytes, final int firstBytes) {
        if (limit - payload < firstBytes) {
            return false;
        }
        final int bytes = firstBytes + (buffer.getByte(payload + lengthAt) & 0xff) * unitBytes;
        if (bytes > payloadBytes || bytes > limit - payload) {
            return false;
        }
        protocol = buffer.getByte(payload) & 0xff;
        payload += bytes;
        payloadBytes -= bytes;
        return true;
    }

    /**
     * Makes it the datagram that its fragments are of; addresses stay.
     *
     * @param whole the payload
     * @param length of it
     */
    void reassembled(final DirectBuffer whole, final int length) {
        buffer = whole;
        payload = 0;
        payloadBytes = length;
        limit = length;
        fragmentOffset = 0;
        hasMoreFragments = false;
        if (sourceHigh != IPV4_HIGH) {
            passExtensions();
        }
    }

    /**
     * Whether it is a part of a datagram only.
     *
     * @return true for a fragment
     */
    public boolean isFragment() {
        return hasMoreFragments || fragmentOffset != 0;
    }

    boolean hasMoreFragments() {
        return hasMoreFragments;
    }

    int fragmentOffset() {
        return fragmentOffset;
    }

    /**
     * The buffer that holds the payload.
     *
     * @return the buffer
     */
    public DirectBuffer buffer() {
        return buffer;
    }

    /**
     * What the payload is.
     *
     * @return protocol number
     */
    public int protocol() {
        return protocol;
    }

    /**
     * The identification field, of IPv6 that of the fragment header.
     *
     * @return 16 or 32 bits
     */
    public int identification() {
        return identification;
    }

    /**
     * Where the payload begins.
     *
     * @return offset in the buffer
     */
    public int payload() {
        return payload;
    }

    /**
     * How long the payload was on the wire.
     *
     * @return bytes
     */
    public int payloadBytes() {
        return payloadBytes;
    }

    /**
     * Position after the last byte of the payload that was captured.
     *
     * @return offset in the buffer
     */
    public int limit() {
        return limit;
    }

    /**
     * High half of the source address.
     *
     * @return 64 bits, {@link #IPV4_HIGH} for IPv4
     */
    public long sourceHigh() {
        return sourceHigh;
    }

    /**
     * Low half of the source address.
     *
     * @return 64 bits
     */
    public long sourceLow() {
        return sourceLow;
    }

    /**
     * High half of the destination address.
     *
     * @return 64 bits, {@link #IPV4_HIGH} for IPv4
     */
    public long destinationHigh() {
        return destinationHigh;
    }

    /**
     * Low half of the destination address.
     *
     * @return 64 bits
     */
    public long destinationLow() {
        return destinationLow;
    }
}
