package io.tickmark.engines.dds;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.stream.Collectors;

/** The machine's network interfaces, as text. */
final class Interfaces {
    private Interfaces() {}

    /**
     * The interface with an address, for a carrier of the other family: by an address of that
     * family which other hosts reach, or by its name where it has none.
     *
     * @param address or name of this host
     * @param isIp6 whether the carrier takes IPv6
     * @return the address itself where no interface has it, for the check that reports this
     */
    static String inOtherFamily(final String address, final boolean isIp6) {
        try {
            final NetworkInterface found =
                    NetworkInterface.getByInetAddress(InetAddress.getByName(address));
            if (found == null) {
                return address;
            }
            return found.inetAddresses()
                    .filter(each -> each instanceof Inet6Address == isIp6)
                    .filter(each -> !each.isLinkLocalAddress())
                    .findFirst()
                    .map(each -> each.getHostAddress().replaceAll("%.*", ""))
                    .orElse(found.getName());
        } catch (final SocketException | UnknownHostException e) {
            return address;
        }
    }

    /** Such as {@code lo (127.0.0.1), eth0 (192.0.2.2)}. */
    static String names() {
        try {
            return NetworkInterface.networkInterfaces()
                    .map(nic ->
                            nic.inetAddresses()
                                    .map(address -> address.getHostAddress().replaceAll("%.*", ""))
                                    .collect(Collectors.joining(", ", nic.getName() + " (", ")")))
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (final SocketException e) {
            return "none that can be listed";
        }
    }
}
