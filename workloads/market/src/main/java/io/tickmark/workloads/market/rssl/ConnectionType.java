package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.transport.ConnectionTypes;
import io.tickmark.kernel.settings.UserError;

/** How a connection is made. */
public enum ConnectionType {
    /** RSSL over TCP. */
    SOCKET(ConnectionTypes.SOCKET, ConnectionTypes.SOCKET),
    /** RSSL over TLS. */
    ENCRYPTED(ConnectionTypes.ENCRYPTED, ConnectionTypes.SOCKET),
    /** WebSocket over TCP. */
    WEBSOCKET(ConnectionTypes.WEBSOCKET, ConnectionTypes.WEBSOCKET),
    /** WebSocket over TLS. */
    ENCRYPTED_WEBSOCKET(ConnectionTypes.ENCRYPTED, ConnectionTypes.WEBSOCKET),
    /** Reliable multicast; the Java edition of the library does not have it. */
    RELIABLE_MCAST(ConnectionTypes.RELIABLE_MCAST, ConnectionTypes.RELIABLE_MCAST);

    private final int outer;
    private final int inner;

    ConnectionType(final int outer, final int inner) {
        this.outer = outer;
        this.inner = inner;
    }

    /** The library's number of the connection. */
    int outer() {
        return outer;
    }

    /** The library's number of what runs inside TLS, the same as outside where there is none. */
    int inner() {
        return inner;
    }

    /**
     * Whether it runs in TLS.
     *
     * @return true for the encrypted ones
     */
    public boolean isEncrypted() {
        return outer == ConnectionTypes.ENCRYPTED;
    }

    /**
     * Whether it is a WebSocket.
     *
     * @return true for those that negotiate a protocol
     */
    public boolean isWebSocket() {
        return inner == ConnectionTypes.WEBSOCKET;
    }

    /**
     * Refuses what cannot be done.
     *
     * @throws UserError for reliable multicast
     */
    public void require() {
        if (this == RELIABLE_MCAST) {
            throw UserError.environment(
                    "--connection reliable-mcast: the Java edition of the API has no reliable"
                            + " multicast; use socket, encrypted or websocket.");
        }
    }
}
