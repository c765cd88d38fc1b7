package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.api.ServerInfo;
import java.util.Map;

/** What both ends of a channel say about it. */
final class NatsFacts {
    private NatsFacts() {}

    static Map<String, Object> of(final NatsChannel channel, final Connection connection) {
        final ServerInfo info = connection.getServerInfo();
        return Map.of(
                "server", "nats-server " + (info == null ? "that is gone" : info.getVersion()),
                "serverStartedHere", channel.starts(),
                "sendPendingBytes", channel.client().sendPendingBytes(),
                "reconnects", connection.getStatistics().getReconnects());
    }
}
