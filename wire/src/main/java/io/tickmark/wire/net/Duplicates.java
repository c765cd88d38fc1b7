package io.tickmark.wire.net;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Finds packets that a capture on all devices has seen before, on another device. A copy has the
 * same addresses, identification, transport header and first bytes, and comes within {@link
 * #WINDOW_NS}; a retransmission has another identification or another TCP time stamp, and comes
 * later. Checksums and the hop limit are left out, as they change on the way. Bounded: a table of
 * fixed size; single thread, allocates nothing after construction.
 */
final class Duplicates {
    static final long WINDOW_NS = 10_000_000;

    private static final int SLOTS = 1 << 14;
    private static final int COMPARED_BYTES = 96;
    private static final int TCP_CHECKSUM_OFFSET = 16;
    private static final int UDP_CHECKSUM_OFFSET = 6;

    private final long[] hashes = new long[SLOTS];
    private final long[] timesNs = new long[SLOTS];

    Duplicates() {}

    boolean isCopy(final IpPacket ip, final long timeNs) {
        final long hash = hash(ip);
        final int slot = (int) hash & SLOTS - 1;
        if (hashes[slot] == hash && Math.abs(timeNs - timesNs[slot]) <= WINDOW_NS) {
            return true;
        }
        hashes[slot] = hash;
        timesNs[slot] = timeNs;
        return false;
    }

    private static long hash(final IpPacket ip) {
        long hash = Hashing.mix(ip.sourceHigh(), ip.sourceLow());
        hash = Hashing.mix(hash, ip.destinationHigh());
        hash = Hashing.mix(hash, ip.destinationLow());
        hash = Hashing.mix(hash, (long) ip.identification() << Integer.SIZE | ip.fragmentOffset());
        hash = Hashing.mix(hash, (long) ip.protocol() << Integer.SIZE | ip.payloadBytes());
        final DirectBuffer buffer = ip.buffer();
        final int end = Math.min(ip.limit(), ip.payload() + COMPARED_BYTES);
        final int checksum = checksum(ip);
        for (int at = ip.payload(); at + Short.BYTES <= end; at += Short.BYTES) {
            if (at != checksum) {
                hash = Hashing.mix(hash, buffer.getShort(at, ByteOrder.LITTLE_ENDIAN));
            }
        }
        return Hashing.spread(hash) | 1;
    }

    /** Where its transport checksum stands; nowhere in later fragments. */
    private static int checksum(final IpPacket ip) {
        if (ip.fragmentOffset() != 0) {
            return -1;
        }
        return switch (ip.protocol()) {
            case IpPacket.TCP -> ip.payload() + TCP_CHECKSUM_OFFSET;
            case IpPacket.UDP -> ip.payload() + UDP_CHECKSUM_OFFSET;
            default -> -1;
        };
    }
}
