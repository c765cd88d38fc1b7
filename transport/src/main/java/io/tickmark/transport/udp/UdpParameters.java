package io.tickmark.transport.udp;

import io.tickmark.kernel.settings.Setting;

/**
 * What a {@code udp} channel may carry after its question mark.
 *
 * @param tuning what is asked of the socket
 * @param ttl hops a datagram may take
 */
public record UdpParameters(
        SocketTuning tuning,
        @Setting(
                        help = "Hops a datagram may take; 0 leaves the system's default.",
                        byDefault = "0",
                        min = 0,
                        max = 255)
                int ttl) {}
