package io.tickmark.engines.nats;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/** Ports that nobody listens on at this moment; held together while they are chosen. */
final class FreePorts {
    private FreePorts() {}

    static List<Integer> of(final NatsChannel channel, final InetAddress host, final int count) {
        final List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, host));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (final IOException e) {
            throw channel.failed(
                    "no port can be had on %s; give an address of this machine"
                            .formatted(host.getHostAddress()),
                    e);
        } finally {
            CloseHelper.closeAll(held);
        }
    }
}
