package io.tickmark.wire.net;

import io.tickmark.wire.file.Packet;
import io.tickmark.wire.file.PacketHandler;

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
}
