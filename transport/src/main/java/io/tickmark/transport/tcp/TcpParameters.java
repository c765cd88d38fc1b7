package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.Setting;

/**
 * Parameters of a {@code tcp} channel.
 *
 * @param sendBufferBytes of each socket
 * @param receiveBufferBytes of each socket
 * @param noDelay whether small messages are sent at once
 * @param batchBytes gathered before they are written
 */
public record TcpParameters(
        @Setting(
                        help = "Send buffer of each socket; 0 leaves it to the system.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int sendBufferBytes,
        @Setting(
                        help = "Receive buffer of each socket; 0 leaves it to the system.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 30)
                int receiveBufferBytes,
        @Setting(help = "Send small messages at once (TCP_NODELAY).", byDefault = "true")
                boolean noDelay,
        @Setting(
                        help =
                                "Bytes of messages gathered before a write, unless flushed; 0 writes each message.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 20)
                int batchBytes) {}
