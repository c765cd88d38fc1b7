package io.tickmark.wire.net;

import io.tickmark.wire.file.CaptureFile.PacketHandler;
import io.tickmark.wire.file.Packet;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes the IP datagrams out of packets: link layer off, copies off, fragments joined. Counts
 * everything that it passes over. Single thread, allocates nothing but for fragments.
 */
public final class IpDecoder implements PacketHandler {
    private final IpHandler handler;
    private final DuplicateRule rule;
    private final IpPacket ip = new IpPacket();
    private final Duplicates duplicates = new Duplicates();
    private final Fragments fragments = new Fragments();
    private long packets;
    private long bytes;
    private long notIp;
    private long malformed;
    private long truncated;
    private long copies;
    private long fragmentCount;
    private long unknownLink;
    private int unknownLinkType = -1;
    private long firstNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;

    /**
     * A decoder.
     *
     * @param handler takes the datagrams
     * @param rule about copies
     */
    public IpDecoder(final IpHandler handler, final DuplicateRule rule) {
        this.handler = handler;
        this.rule = rule;
    }

    @Override
    public void onPacket(final Packet packet) {
        packets++;
        bytes += packet.originalBytes() & 0xffff_ffffL;
        firstNs = Math.min(firstNs, packet.timeNs());
        lastNs = Math.max(lastNs, packet.timeNs());
        if (packet.capturedBytes() < packet.originalBytes()) {
            truncated++;
        }
        final int network = LinkLayer.networkOffset(packet);
        if (network < 0) {
            if (network == LinkLayer.UNKNOWN) {
                unknownLink++;
                unknownLinkType = packet.linkType();
            } else {
                notIp++;
            }
            return;
        }
        final int originalEnd =
                packet.offset() + Math.max(packet.capturedBytes(), packet.originalBytes());
        if (!ip.wrap(packet.buffer(), network, packet.limit(), originalEnd)) {
            malformed++;
            return;
        }
        if (isDuplicateSought(packet) && duplicates.isCopy(ip, packet.timeNs())) {
            copies++;
            return;
        }
        if (ip.isFragment()) {
            fragmentCount++;
            if (!fragments.complete(ip, packet.timeNs())) {
                return;
            }
        }
        handler.onDatagram(ip, packet.timeNs(), packet.position());
    }

    private boolean isDuplicateSought(final Packet packet) {
        return switch (rule) {
            case AUTO -> LinkLayer.isCooked(packet.linkType());
            case REMOVE -> true;
            case KEEP -> false;
        };
    }

    /**
     * All packets.
     *
     * @return the count
     */
    public long packets() {
        return packets;
    }

    /**
     * Their bytes on the wire, link layers included.
     *
     * @return the sum
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Packets without IP, such as ARP.
     *
     * @return the count
     */
    public long notIp() {
        return notIp;
    }

    /**
     * IP packets whose headers are cut off or contradict each other.
     *
     * @return the count
     */
    public long malformed() {
        return malformed;
    }

    /**
     * Packets that the capture holds in part only (its snap length).
     *
     * @return the count
     */
    public long truncated() {
        return truncated;
    }

    /**
     * Copies that were removed.
     *
     * @return the count
     */
    public long copies() {
        return copies;
    }

    /**
     * IP fragments.
     *
     * @return the count
     */
    public long fragments() {
        return fragmentCount;
    }

    /**
     * Datagrams that could not be put together.
     *
     * @return the count
     */
    public long incompleteDatagrams() {
        return fragments.incomplete();
    }

    /**
     * Packets of link layers that are not known.
     *
     * @return the count
     */
    public long unknownLink() {
        return unknownLink;
    }

    /**
     * The last of those link layers.
     *
     * @return LINKTYPE number, -1 for none
     */
    public int unknownLinkType() {
        return unknownLinkType;
    }

    /**
     * Time of the earliest packet.
     *
     * @return ns since the epoch; later than {@link #lastNs()} where there is none
     */
    public long firstNs() {
        return firstNs;
    }

    /**
     * Time of the latest packet.
     *
     * @return ns since the epoch
     */
    public long lastNs() {
        return lastNs;
    }

    /**
     * Finds the network layer of a packet after its link layer (LINKTYPE numbers of the tcpdump
     * registry). Stateless but for the last answer; single thread, allocates nothing.
     */
    private static final class LinkLayer {
        /** Not an IP packet. */
        static final int NOT_IP = -1;

        /** The link layer is not known. */
        static final int UNKNOWN = -2;

        /** Cooked captures, as made on the device {@code any}. */
        private static final int LINUX_SLL = 113;

        private static final int LINUX_SLL2 = 276;

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
         * Whether the packet is of a capture on all devices, which may see it more than once.
         *
         * @param linkType LINKTYPE number
         * @return true for LINUX_SLL and LINUX_SLL2
         */
        static boolean isCooked(final int linkType) {
            return linkType == LINUX_SLL || linkType == LINUX_SLL2;
        }

        /**
         * Where its IP header begins.
         *
         * @param packet to look into
         * @return an offset in the packet's buffer, {@link #NOT_IP} or {@link #UNKNOWN}
         */
        static int networkOffset(final Packet packet) {
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

    /**
     * Finds packets that a capture on all devices has seen before, on another device. A copy has
     * the same addresses, identification, transport header and first bytes, and comes within {@link
     * #WINDOW_NS}; a retransmission has another identification or another TCP time stamp, and comes
     * later. Checksums and the hop limit are left out, as they change on the way. Bounded: a table
     * of fixed size; single thread, allocates nothing after construction.
     */
    private static final class Duplicates {
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
            hash =
                    Hashing.mix(
                            hash, (long) ip.identification() << Integer.SIZE | ip.fragmentOffset());
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

    /**
     * Puts fragments together. Bounded: so many datagrams at a time, each at most 64 KiB and for
     * half a minute; what does not get complete is counted. Single thread.
     */
    private static final class Fragments {
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

        /**
         * Takes a fragment; true when it was the last one missing: the packet is the datagram now.
         */
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

    /** What is done about packets that a capture has seen more than once. */
    public enum DuplicateRule {
        /** Removed from captures on all devices (LINUX_SLL, LINUX_SLL2), kept in others. */
        AUTO,
        /** Removed from any capture. */
        REMOVE,
        /** Kept in any capture. */
        KEEP
    }

    /** Takes whole IP datagrams. */
    @FunctionalInterface
    public interface IpHandler {
        /**
         * A datagram.
         *
         * @param ip valid until this returns
         * @param timeNs when it, or its last fragment, was captured, since the epoch
         * @param position of that packet in the file
         */
        void onDatagram(IpPacket ip, long timeNs, long position);
    }
}
