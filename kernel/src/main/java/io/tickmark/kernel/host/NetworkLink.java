package io.tickmark.kernel.host;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Optional;

/**
 * The interface on which messages are sent, and the capacity of its link. Read before and after a
 * measurement, never during one.
 *
 * @param name of the interface, {@code lo} for the loopback
 * @param loopback whether nothing leaves this host
 * @param bitsPerSecond speed of the link as the kernel reports it ({@code
 *     /sys/class/net/NAME/speed}); 0 where it does not: loopback, most virtual links
 * @param mtuBytes largest IP packet; of the loopback that of standard Ethernet (1500), so that the
 *     figures are those that a real link would have
 */
public record NetworkLink(String name, boolean loopback, long bitsPerSecond, int mtuBytes) {
    /** Largest IP packet in an Ethernet frame (RFC 894). */
    public static final int ETHERNET_MTU_BYTES = 1500;

    private static final long BITS_PER_MEGABIT = 1_000_000;

    /** Discard (RFC 863): only used to look up a route, nothing is sent there. */
    private static final int PROBE_PORT = 9;

    /**
     * The link to an address: the loopback for this host's own.
     *
     * @param destination address of a receiver
     * @return the link, empty where there is no route
     */
    public static Optional<NetworkLink> towards(final InetAddress destination) {
        if (destination.isLoopbackAddress()) {
            return Optional.of(loopbackLink());
        }
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(destination, PROBE_PORT));
            final InetAddress local = probe.getLocalAddress();
            return local.equals(destination) ? Optional.of(loopbackLink()) : ofOwn(local);
        } catch (final IOException | java.io.UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /**
     * The link that has one of this host's addresses.
     *
     * @param own address
     * @return the link, empty where no interface has it
     */
    public static Optional<NetworkLink> ofOwn(final InetAddress own) {
        try {
            return Optional.ofNullable(NetworkInterface.getByInetAddress(own))
                    .map(found -> named(found.getName()));
        } catch (final IOException e) {
            return Optional.empty();
        }
    }

    /**
     * A link by name.
     *
     * @param name of the interface
     * @return the link; without speed where the kernel reports none
     */
    public static NetworkLink named(final String name) {
        return read(HostFiles.ofThisHost(), name);
    }

    static NetworkLink read(final HostFiles files, final String name) {
        final String folder = "/sys/class/net/" + name;
        // 772 is the type of a loopback, ARPHRD_LOOPBACK in if_arp.h.
        if (files.number(folder + "/type").filter(type -> type == 772).isPresent()) {
            return loopbackLink();
        }
        return new NetworkLink(
                name,
                false,
                files.number(folder + "/speed").filter(mbps -> mbps > 0).orElse(0L)
                        * BITS_PER_MEGABIT,
                files.number(folder + "/mtu")
                        .map(Long::intValue)
                        .filter(mtu -> mtu > 0)
                        .orElse(ETHERNET_MTU_BYTES));
    }

    private static NetworkLink loopbackLink() {
        return new NetworkLink("lo", true, 0, ETHERNET_MTU_BYTES);
    }
}
