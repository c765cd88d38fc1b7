package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.transport.CompressionTypes;
import com.refinitiv.eta.transport.WriteFlags;
import io.tickmark.kernel.settings.Given;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;

/**
 * How a role's connections are made and buffered; shared by all market-data roles. Where an
 * EmaConfig.xml is read, it completes what the user did not give.
 *
 * @param connection kind of connection
 * @param websocket protocols of a WebSocket, empty for no WebSocket unless {@code connection} says
 *     so
 * @param keyFile keystore of an encrypted connection
 * @param keyPassword of the keystore
 * @param outputBuffers guaranteed to each connection
 * @param inputBuffers of each connection
 * @param maxFragmentBytes largest buffer on the wire; the server decides
 * @param highWaterMarkBytes queued bytes that make the library write; 0 for its own
 * @param socketSendBytes of the operating system, 0 for its own
 * @param socketReceiveBytes of the operating system, 0 for the default
 * @param compression of the connection
 * @param tcpNoDelay whether Nagle's algorithm is off
 * @param packing whether several messages go into one buffer
 * @param directWrite whether a buffer is written at once instead of being queued
 * @param maxDispatchCount messages read from one connection before the next one's turn; 0 for a
 *     default
 * @param given which settings of the role the user gave
 */
public record ConnectionSettings(
        @Setting(help = "Kind of connection.", byDefault = "socket") ConnectionType connection,
        @Setting(
                        help =
                                "Use a WebSocket with this protocol (rssl.rwf, rssl.json.v2; servers also tr_json2).",
                        label = "PROTOCOL,...")
                String websocket,
        @Setting(
                        help =
                                "Keystore: a server's certificate and key, or the certificates that a client "
                                        + "trusts in addition to the system's.",
                        label = "FILE")
                String keyFile,
        @Setting(help = "Password of the keystore.", label = "WORD") String keyPassword,
        @Setting(
                        help = "Output buffers guaranteed to each connection; 0 for 1000.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000)
                int outputBuffers,
        @Setting(
                        help = "Input buffers of each connection; 0 for 256.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000)
                int inputBuffers,
        @Setting(
                        help = "Largest buffer on the wire, which the server sets; 0 for 6144.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 65_535)
                int maxFragmentBytes,
        @Setting(
                        help =
                                "Queued bytes at which the library writes if --direct-write is off; 0 for the "
                                        + "library's default.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1_000_000_000)
                int highWaterMarkBytes,
        @Setting(
                        help = "Send buffer of the socket; 0 for the system's default.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1_000_000_000)
                int socketSendBytes,
        @Setting(
                        help = "Receive buffer of the socket; 0 for 262144.",
                        byDefault = "0",
                        unit = "bytes",
                        min = 0,
                        max = 1_000_000_000)
                int socketReceiveBytes,
        @Setting(help = "Compression of the connection.", byDefault = "none")
                Compression compression,
        @Setting(help = "Send small segments at once (Nagle's algorithm off).", byDefault = "true")
                boolean tcpNoDelay,
        @Setting(help = "Pack several messages into one buffer.", byDefault = "true")
                boolean packing,
        @Setting(
                        help =
                                "Write each buffer at once; false leaves it to the high-water mark and flushes.",
                        byDefault = "true")
                boolean directWrite,
        @Setting(
                        help =
                                "Messages read from one connection before it is the next one's turn; 0 for 200.",
                        byDefault = "0",
                        min = 0,
                        max = 1_000_000)
                int maxDispatchCount,
        Given given) {
    private static final int OUTPUT_BUFFERS = 1000;
    private static final int INPUT_BUFFERS = 256;
    private static final int FRAGMENT_BYTES = 6144;
    private static final int DISPATCH_COUNT = 200;

    /**
     * Above the 64 KiB of a loopback's segment. A window that cannot take a segment whole is probed
     * by a timer, which Linux resets with each segment from the other side: where both sides send,
     * the smaller window's side has stalled for good.
     */
    private static final int SOCKET_RECEIVE_BYTES = 262_144;

    /** Naming a WebSocket protocol makes the connection a WebSocket. */
    public ConnectionSettings {
        if (!websocket.isEmpty() && !connection.isWebSocket()) {
            connection =
                    connection.isEncrypted()
                            ? ConnectionType.ENCRYPTED_WEBSOCKET
                            : ConnectionType.WEBSOCKET;
        }
        connection.require();
        if (outputBuffers == 1 && websocket.contains("json")) {
            throw UserError.usage(
                    "--output-buffers is 1, and a message as JSON takes two; use 2 or more.");
        }
        for (final String protocol : websocket.split(",")) {
            if (!protocol.isBlank()
                    && !protocol.strip().matches("rssl\\.rwf|rssl\\.json\\.v2|tr_json2")) {
                throw UserError.usage(
                        "--websocket is '%s'; it must be rssl.rwf, rssl.json.v2 or tr_json2."
                                .formatted(websocket));
            }
        }
    }

    /**
     * Refuses a server over TLS without a certificate.
     *
     * @throws UserError without a keystore
     */
    void requireCertificate() {
        if (connection.isEncrypted() && keyFile.isEmpty()) {
            throw UserError.usage(
                    "A server over TLS needs --key-file: a keystore with its certificate and key;"
                            + " 'tickmark market certificate' makes one for tests.");
        }
    }

    /**
     * Protocols offered in a WebSocket's opening.
     *
     * @return what the user named, else the binary one
     */
    public String protocols() {
        return websocket.isEmpty() ? "rssl.rwf" : websocket;
    }

    /**
     * Whether messages may go as JSON.
     *
     * @return true where a JSON protocol may be agreed on
     */
    public boolean mayBeJson() {
        return connection.isWebSocket() && protocols().contains("json");
    }

    /**
     * Output buffers, the default filled in.
     *
     * @return at least 1
     */
    public int outputBuffersOrDefault() {
        return outputBuffers == 0 ? OUTPUT_BUFFERS : outputBuffers;
    }

    /**
     * Input buffers, the default filled in.
     *
     * @return at least 1
     */
    public int inputBuffersOrDefault() {
        return inputBuffers == 0 ? INPUT_BUFFERS : inputBuffers;
    }

    /**
     * Largest buffer on the wire, the default filled in.
     *
     * @return bytes
     */
    public int fragmentBytesOrDefault() {
        return maxFragmentBytes == 0 ? FRAGMENT_BYTES : maxFragmentBytes;
    }

    /**
     * Receive buffer of the operating system, the default filled in.
     *
     * @return bytes
     */
    public int socketReceiveBytesOrDefault() {
        return socketReceiveBytes == 0 ? SOCKET_RECEIVE_BYTES : socketReceiveBytes;
    }

    /**
     * How buffers are handed to the library.
     *
     * @return of {@link WriteFlags}
     */
    public int writeFlags() {
        return directWrite ? WriteFlags.DIRECT_SOCKET_WRITE : WriteFlags.NO_FLAGS;
    }

    /**
     * Messages read from one connection before the next one's turn, the default filled in.
     *
     * @return at least 1
     */
    public int dispatchCountOrDefault() {
        return maxDispatchCount == 0 ? DISPATCH_COUNT : maxDispatchCount;
    }

    /** Compression of a connection. */
    public enum Compression {
        /** None. */
        NONE(CompressionTypes.NONE),
        /** zlib. */
        ZLIB(CompressionTypes.ZLIB),
        /** LZ4. */
        LZ4(CompressionTypes.LZ4);

        private final int type;

        Compression(final int type) {
            this.type = type;
        }

        int type() {
            return type;
        }
    }
}
