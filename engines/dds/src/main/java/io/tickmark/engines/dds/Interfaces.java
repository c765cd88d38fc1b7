package io.tickmark.engines.dds;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.stream.Collectors;

/** The machine's network interfaces, as text. */
final class Interfaces {
    private Interfaces() {}

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
