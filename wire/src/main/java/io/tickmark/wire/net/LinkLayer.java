package io.tickmark.wire.net;

import io.tickmark.wire.file.Packet;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Finds the network layer of a packet after its link layer (LINKTYPE numbers of the tcpdump
 * registry). Stateless but for the last answer; single thread, allocates nothing.
 */
public final class LinkLayer {
    /** Not an IP packet. */
    public static final int NOT_IP = -1;

    /** The link layer is not known. */
    public static final int UNKNOWN = -2;

    /** Cooked captures, as made on the device {@code any}. */
    static final int LINUX_SLL = 113;

    static final int LINUX_SLL2 = 276;

    private static final int NULL = 0;
    private static final int ETHERNET = 1;
    private static final int RAW_OF_LINUX = 12;
    private static final int RAW_OF_OPENBSD = 14;
    private static final int RAW = 101;
    private static final int LOOP = 108;
    private static final int IPV4 = 228;
    private static final int IPV6 = 229;

    private static final int ETHER_IPV4 = 0x0800;
    private static final int ETHER_IPV6 = 0x86dd;
    private static final int ETHER_VLAN = 0x8100;
    private static final int ETHER_PROVIDER_VLAN = 0x88a8;
    private static final int ETHER_OLD_VLAN = 0x9100;
    private static final int VLAN_BYTES = 4;
    private static final int MAX_VLANS = 4;
    private static final int LARGEST_FAMILY = 0xffff;

    private LinkLayer() {}

    /**
     * Whether packets of this link type can be looked into.
     *
     * @param linkType LINKTYPE number
     * @return true for those named in the documentation
     */
    public static boolean isKnown(final int linkType) {
        return switch (linkType) {
            case NULL,
                    ETHERNET,
                    RAW_OF_LINUX,
                    RAW_OF_OPENBSD,
                    RAW,
                    LOOP,
                    LINUX_SLL,
                    IPV4,
                    IPV6,
                    LINUX_SLL2 ->
                    true;
            default -> false;
        };
    }

    /**
     * Whether the packet is of a capture on all devices, which may see it more than once.
     *
     * @param linkType LINKTYPE number
     * @return true for LINUX_SLL and LINUX_SLL2
     */
    public static boolean isCooked(final int linkType) {
        return linkType == LINUX_SLL || linkType == LINUX_SLL2;
    }

    /**
     * Where its IP header begins.
     *
     * @param packet to look into
     * @return an offset in the packet's buffer, {@link #NOT_IP} or {@link #UNKNOWN}
     */
    public static int networkOffset(final Packet packet) {
        return switch (packet.linkType()) {
            case ETHERNET -> afterType(packet, 12, 14);
            case LINUX_SLL -> afterType(packet, 14, 16);
            case LINUX_SLL2 -> afterType(packet, 0, 20);
            case NULL, LOOP -> afterFamily(packet);
            case RAW, RAW_OF_LINUX, RAW_OF_OPENBSD, IPV4, IPV6 -> ip(packet, packet.offset());
            default -> UNKNOWN;
        };
    }

    private static int afterType(final Packet packet, final int typeAt, final int headerBytes) {
        final DirectBuffer buffer = packet.buffer();
        final int limit = packet.limit();
        int next = packet.offset() + headerBytes;
        if (next > limit) {
            return NOT_IP;
        }
        int type = type(buffer, packet.offset() + typeAt);
        for (int vlans = 0; isVlan(type) && vlans < MAX_VLANS; vlans++) {
            if (limit - next < VLAN_BYTES) {
                return NOT_IP;
            }
            type = type(buffer, next + 2);
            next += VLAN_BYTES;
        }
        return type == ETHER_IPV4 || type == ETHER_IPV6 ? ip(packet, next) : NOT_IP;
    }

    private static boolean isVlan(final int type) {
        return type == ETHER_VLAN || type == ETHER_PROVIDER_VLAN || type == ETHER_OLD_VLAN;
    }

    private static int type(final DirectBuffer buffer, final int at) {
        return buffer.getShort(at, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /**
     * The address family is a number of the host that captured, in its byte order: 2 is IPv4
     * everywhere, IPv6 is another one on each system, so the version of the header decides.
     */
    private static int afterFamily(final Packet packet) {
        if (packet.capturedBytes() < Integer.BYTES) {
            return NOT_IP;
        }
        final int family = packet.buffer().getInt(packet.offset(), ByteOrder.BIG_ENDIAN);
        final int smaller =
                Integer.compareUnsigned(family, Integer.reverseBytes(family)) < 0
                        ? family
                        : Integer.reverseBytes(family);
        return smaller > 0 && smaller <= LARGEST_FAMILY
                ? ip(packet, packet.offset() + Integer.BYTES)
                : NOT_IP;
    }

    private static int ip(final Packet packet, final int at) {
        if (at >= packet.limit()) {
            return NOT_IP;
        }
        final int version = packet.buffer().getByte(at) >>> 4 & 0xf;
        return version == 4 || version == 6 ? at : NOT_IP;
    }
}
