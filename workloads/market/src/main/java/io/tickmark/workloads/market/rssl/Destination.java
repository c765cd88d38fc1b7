package io.tickmark.workloads.market.rssl;

import io.tickmark.workloads.market.Peer;
import java.time.Duration;

/**
 * Where a role connects to, and as whom.
 *
 * @param kind what users call the other side, such as {@code provider}
 * @param peer where it listens
 * @param connection settings of the connection
 * @param userName of the login, empty for that of the system
 * @param reconnectDelay between two attempts to connect
 */
public record Destination(
        String kind,
        Peer peer,
        ConnectionSettings connection,
        String userName,
        Duration reconnectDelay) {}
