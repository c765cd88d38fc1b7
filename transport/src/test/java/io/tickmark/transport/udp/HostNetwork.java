package io.tickmark.transport.udp;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** What the host under the tests can do, found out without the code under test. */
final class HostNetwork {
    private HostNetwork() {}

    static boolean hasIpv6() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null;
    }

    static boolean carriesIpv6Groups() throws IOException {
        return NetworkInterface.networkInterfaces()
                .filter(HostNetwork::canMulticast)
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(Inet6Address.class::isInstance);
    }

    private static boolean canMulticast(final NetworkInterface candidate) {
        try {
            return candidate.isUp() && candidate.supportsMulticast() && !candidate.isLoopback();
        } catch (final IOException e) {
            return false;
        }
    }
}
