package io.tickmark.wire.net;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts fragments together. Bounded: so many datagrams at a time, each at most 64 KiB and for half a
 * minute; what does not get complete is counted. Single thread.
 */
final class Fragments {
    static final int MAX_DATAGRAMS = 64;

    private static final long PATIENCE_NS = 30_000_000_000L;

    private final Map<Key, Datagram> waiting = new LinkedHashMap<>();
    private long incomplete;

    /** What fragments of one datagram have in common (RFC 791, RFC 8200 section 4.5). */
    private record Key(
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int protocol,
            int identification) {}

    Fragments() {}

    /** Takes a fragment; true when it was the last one missing: the packet is the datagram now. */
    boolean complete(final IpPacket ip, final long timeNs) {
        forgetOld(timeNs);
        final Key key =
                new Key(
                        ip.sourceHigh(),
                        ip.sourceLow(),
                        ip.destinationHigh(),
                        ip.destinationLow(),
                        ip.sourceHigh() == IpPacket.IPV4_HIGH ? ip.protocol() : 0,
                        ip.identification());
        Datagram datagram = waiting.get(key);
        if (datagram == null) {
            if (waiting.size() == MAX_DATAGRAMS) {
                forget(waiting.values().iterator());
            }
            datagram = new Datagram(timeNs);
            waiting.put(key, datagram);
        }
        if (!datagram.add(ip)) {
            return false;
        }
        waiting.remove(key);
        ip.reassembled(new UnsafeBuffer(datagram.bytes), datagram.totalBytes);
        return true;
    }

    private void forgetOld(final long timeNs) {
        final Iterator<Datagram> oldest = waiting.values().iterator();
        while (oldest.hasNext()) {
            if (timeNs - oldest.next().beganNs <= PATIENCE_NS) {
                return;
            }
            oldest.remove();
            incomplete++;
        }
    }

    private void forget(final Iterator<Datagram> oldest) {
        oldest.next();
        oldest.remove();
        incomplete++;
    }

    /** Datagrams of which a fragment did not come, or was cut off by the capture. */
    long incomplete() {
        return incomplete + waiting.size();
    }

    /** A datagram of which something is missing; which eighths of bytes are there is kept. */
    private static final class Datagram {
        private static final int UNIT_BYTES = 8;
        private static final int MAX_BYTES = 1 << 16;

        private final long beganNs;
        private final java.util.BitSet units = new java.util.BitSet();
        private byte[] bytes = new byte[1 << 12];
        private int totalBytes = -1;

        Datagram(final long beganNs) {
            this.beganNs = beganNs;
        }

        /** Whether all is there; a fragment that cannot be, or is cut off, adds nothing. */
        boolean add(final IpPacket ip) {
            final int length = ip.limit() - ip.payload();
            final int end = ip.fragmentOffset() + length;
            final boolean isLast = !ip.hasMoreFragments();
            if (length <= 0
                    || length < ip.payloadBytes()
                    || end > MAX_BYTES
                    || !isLast && length % UNIT_BYTES != 0
                    || totalBytes >= 0 && (end > totalBytes || isLast && end != totalBytes)) {
                return false;
            }
            if (end > bytes.length) {
                bytes = java.util.Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            ip.buffer().getBytes(ip.payload(), bytes, ip.fragmentOffset(), length);
            units.set(ip.fragmentOffset() / UNIT_BYTES, (end + UNIT_BYTES - 1) / UNIT_BYTES);
            if (isLast) {
                totalBytes = end;
            }
            return totalBytes >= 0
                    && units.nextClearBit(0) >= (totalBytes + UNIT_BYTES - 1) / UNIT_BYTES;
        }
    }
}
