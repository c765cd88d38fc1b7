package io.tickmark.transport.udp;

import io.tickmark.kernel.settings.Setting;

/**
 * What a {@code mcast} channel may carry after its question mark.
 *
 * @param tuning what is asked of the socket
 * @param ttl hops a datagram may take
 * @param networkInterface the interface to use, by name or address
 * @param loop whether members on this host hear it
 */
public record MulticastParameters(
        SocketTuning tuning,
        @Setting(
                        help = "Hops a datagram may take; 0 keeps it on this host.",
                        byDefault = "1",
                        min = 0,
                        max = 255)
                int ttl,
        @Setting(
                        key = "interface",
                        help =
                                "Interface by name (eth0) or address; without it nothing leaves this host.",
                        label = "NAME")
                String networkInterface,
        @Setting(
                        help =
                                "Whether members on this host hear it too; the loopback interface always"
                                        + " lets them.",
                        byDefault = "true")
                boolean loop) {}
