package io.tickmark.transport.udp;

import io.tickmark.kernel.stamp.Stamp;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The destinations of a publication: fixed addresses, all peers that said hello, or the one
 * received from last. Socket addresses are kept as the kernel writes them (unused bytes zero), so
 * that four longs compare one. Single-threaded; allocates nothing after construction.
 */
final class Destinations {
    /**
     * Most peers learned: datagrams from further addresses are passed on, but those addresses are
     * not sent to.
     */
    static final int MAX_LEARNED = 1024;

    private enum Learning {
        NOTHING,
        EVERYONE,
        THE_LAST
    }

    /** Twice as many slots as peers. */
    private static final int SLOT_BITS = 11;

    private static final int STRIDE = UdpEndpoint.ENCODED_BYTES;

    private final Learning learning;
    private final UnsafeBuffer addresses;
    private final int[] slots = new int[1 << SLOT_BITS];
    private int nameLength;
    private int count;
    private long ignored;
    private long lastA;
    private long lastB;
    private long lastC;
    private long lastD;

    private Destinations(final Learning learning, final int capacity, final int nameLength) {
        this.learning = learning;
        this.addresses = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * STRIDE));
        this.nameLength = nameLength;
        Arrays.fill(slots, -1);
    }

    /** The one address the socket is connected to. */
    static Destinations connected() {
        final Destinations made = new Destinations(Learning.NOTHING, 1, 0);
        made.count = 1;
        return made;
    }

    /** Addresses that never change. */
    static Destinations fixed(final List<UdpEndpoint> endpoints, final int scope) {
        final Destinations made = new Destinations(Learning.NOTHING, endpoints.size(), 0);
        for (final UdpEndpoint endpoint : endpoints) {
            made.nameLength = endpoint.encode(made.addresses, made.count * STRIDE, scope);
            made.count++;
        }
        return made;
    }

    /** Everyone who said hello. */
    static Destinations peersThatSaidHello() {
        return new Destinations(Learning.EVERYONE, MAX_LEARNED, 0);
    }

    /** The peer that was received from last. */
    static Destinations lastHeard() {
        return new Destinations(Learning.THE_LAST, 1, 0);
    }

    /** Whether {@link #heard} has to be called. */
    boolean learns() {
        return learning != Learning.NOTHING;
    }

    /**
     * Whether a received datagram makes its sender a destination. Whole streams are sent to any
     * peer that says hello, so datagrams of any other kind must not do so: their source may be
     * forged.
     */
    boolean learnsFrom(final UnsafeBuffer bytes, final int length) {
        return switch (learning) {
            case NOTHING -> false;
            case EVERYONE ->
                    Stamp.isStamped(bytes, 0, length)
                            && Stamp.flags(bytes, 0) == (Stamp.HELLO | Stamp.REPLY)
                            && Stamp.sequence(bytes, 0) == 0
                            && (Stamp.step(bytes, 0) & ~1) == 0; // 1: the peer sends pings back
            case THE_LAST -> Stamp.isStamped(bytes, 0, length);
        };
    }

    /** How many there are now. */
    int count() {
        return count;
    }

    /** Address of the socket address, 0 for a connected socket. */
    long name(final int index) {
        return nameLength == 0 ? 0 : addresses.addressOffset() + (long) index * STRIDE;
    }

    /** Length of each socket address, 0 for a connected socket. */
    int nameLength() {
        return nameLength;
    }

    /** Address of the first one; empty where there is none, or the socket is connected. */
    Optional<InetAddress> first() {
        return count == 0 || nameLength == 0
                ? Optional.empty()
                : Optional.of(UdpEndpoint.decoded(addresses, 0));
    }

    /** Datagrams from addresses for which there was no room. */
    long ignored() {
        return ignored;
    }

    /** Records where a datagram came from; true if the address is new. */
    boolean heard(final UnsafeBuffer name, final int length) {
        final long a = name.getLong(0);
        final long b = name.getLong(8);
        final long c = name.getLong(16);
        final long d = name.getLong(24);
        if (a == lastA && b == lastB && c == lastC && d == lastD) {
            return false;
        }
        if (learning == Learning.THE_LAST) {
            count = 0;
        }
        final boolean isNew = count == 0 || !isKnown(a, b, c, d);
        if (isNew && !add(name, length)) {
            return false;
        }
        lastA = a;
        lastB = b;
        lastC = c;
        lastD = d;
        return isNew;
    }

    private boolean add(final UnsafeBuffer name, final int length) {
        if (count == MAX_LEARNED) {
            ignored++;
            return false;
        }
        addresses.putBytes(count * STRIDE, name, 0, STRIDE);
        nameLength = length;
        if (learning == Learning.EVERYONE) {
            int slot = slotOf(name.getLong(0), name.getLong(8), name.getLong(16));
            while (slots[slot] >= 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = count;
        }
        count++;
        return true;
    }

    /** Open addressing; at most half the slots are taken, so that the probe terminates. */
    private boolean isKnown(final long a, final long b, final long c, final long d) {
        int slot = slotOf(a, b, c);
        while (slots[slot] >= 0) {
            final int at = slots[slot] * STRIDE;
            if (addresses.getLong(at) == a
                    && addresses.getLong(at + 8) == b
                    && addresses.getLong(at + 16) == c
                    && addresses.getLong(at + 24) == d) {
                return true;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return false;
    }

    private int slotOf(final long a, final long b, final long c) {
        final long mixed = (a * 31 + b) * 31 + c;
        return (int) ((mixed * 0x9E3779B97F4A7C15L) >>> Long.SIZE - SLOT_BITS);
    }
}
