package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.transport.AcceptOptions;
import com.refinitiv.eta.transport.BindOptions;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ConnectOptions;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorAcceptOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorConnectInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorConnectOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorRole;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.rssl.ConnectionSettings.Compression;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/** Opens connections and servers with settings; stateless. */
public final class Rssl {
    private static final int PING_TIMEOUT_S = 60;
    private static final int BIND_ATTEMPTS = 5;

    /** The library (3.9.1) closes the socket that it did not get. */
    private static final String NOT_ACCEPTED =
            "the system has no socket for it, for example because it has no file handle left (ulimit -n)";

    private Rssl() {}

    /**
     * How a client connects: repeatedly until it succeeds.
     *
     * @param host to connect to
     * @param port of the host
     * @param settings of the connection
     * @param reconnectDelay between two attempts
     * @return options for the Reactor
     */
    public static ReactorConnectOptions connectTo(
            final String host,
            final int port,
            final ConnectionSettings settings,
            final Duration reconnectDelay) {
        final ReactorConnectInfo info = ReactorFactory.createReactorConnectInfo();
        info.initTimeout(10);
        final ConnectOptions options = info.connectOptions();
        options.majorVersion(Codec.majorVersion());
        options.minorVersion(Codec.minorVersion());
        options.protocolType(Codec.protocolType());
        options.connectionType(settings.connection().outer());
        options.unifiedNetworkInfo().address(host);
        options.unifiedNetworkInfo().serviceName(Integer.toString(port));
        options.compressionType(settings.compression().type());
        options.guaranteedOutputBuffers(settings.outputBuffersOrDefault());
        options.numInputBuffers(settings.inputBuffersOrDefault());
        options.sysSendBufSize(settings.socketSendBytes());
        options.sysRecvBufSize(settings.socketReceiveBytesOrDefault());
        options.tcpOpts().tcpNoDelay(settings.tcpNoDelay());
        options.pingTimeout(PING_TIMEOUT_S);
        if (settings.connection().isWebSocket()) {
            options.wSocketOpts().protocols(settings.protocols());
        }
        if (settings.connection().isEncrypted()) {
            encrypt(options, settings);
        }
        final ReactorConnectOptions connect = ReactorFactory.createReactorConnectOptions();
        connect.connectionList().add(info);
        connect.reconnectAttemptLimit(-1);
        connect.reconnectMinDelay((int) reconnectDelay.toMillis());
        connect.reconnectMaxDelay((int) reconnectDelay.toMillis());
        return connect;
    }

    private static void encrypt(final ConnectOptions options, final ConnectionSettings settings) {
        options.encryptionOptions().connectionType(settings.connection().inner());
        if (!settings.keyFile().isEmpty()) {
            options.encryptionOptions().KeystoreFile(settings.keyFile());
            options.encryptionOptions().KeystorePasswd(settings.keyPassword());
        }
    }

    /**
     * Opens a server.
     *
     * @param address interface to listen on
     * @param addressOption that names it, for the error
     * @param port to listen on, 0 for any that is free
     * @param portOption that names it, for the error
     * @param settings of its connections
     * @return the server
     * @throws UserError if it cannot be opened
     */
    public static Server bind(
            final String address,
            final String addressOption,
            final int port,
            final String portOption,
            final ConnectionSettings settings) {
        settings.requireCertificate();
        final Error error = TransportFactory.createError();
        // the library has no port 0; between finding a free one and binding it another process may
        // take it
        for (int attempt = 0; attempt < (port == 0 ? BIND_ATTEMPTS : 1); attempt++) {
            final int wanted = port == 0 ? freePort(address, addressOption) : port;
            final Server server =
                    com.refinitiv.eta.transport.Transport.bind(
                            bindOptions(address, wanted, settings), error);
            if (server != null) {
                return server;
            }
        }
        throw UserError.environment(
                "Cannot listen on %s:%d (%s); name another %s or %s."
                        .formatted(
                                address, port, oneLine(error.text()), portOption, addressOption));
    }

    private static BindOptions bindOptions(
            final String address, final int port, final ConnectionSettings settings) {
        final BindOptions options = TransportFactory.createBindOptions();
        options.majorVersion(Codec.majorVersion());
        options.minorVersion(Codec.minorVersion());
        options.protocolType(Codec.protocolType());
        options.componentVersion(FirstSender.COMPONENT);
        options.connectionType(settings.connection().outer());
        options.interfaceName(address);
        options.serviceName(Integer.toString(port));
        options.guaranteedOutputBuffers(settings.outputBuffersOrDefault());
        options.maxOutputBuffers(2 * settings.outputBuffersOrDefault());
        options.numInputBuffers(settings.inputBuffersOrDefault());
        options.maxFragmentSize(settings.fragmentBytesOrDefault());
        options.compressionType(settings.compression().type());
        options.forceCompression(settings.compression() != Compression.NONE);
        options.sysRecvBufSize(settings.socketReceiveBytesOrDefault());
        options.tcpOpts().tcpNoDelay(settings.tcpNoDelay());
        options.pingTimeout(PING_TIMEOUT_S);
        options.serverBlocking(false);
        options.channelsBlocking(false);
        if (settings.connection().isWebSocket()) {
            options.wSocketOpts().protocols(settings.protocols());
        }
        if (settings.connection().isEncrypted()) {
            options.encryptionOptions().keystoreFile(settings.keyFile());
            options.encryptionOptions().keystorePasswd(settings.keyPassword());
        }
        return options;
    }

    /**
     * A port that is free now.
     *
     * @param address of an interface of this host
     * @param addressOption that names it, for the error
     * @return its number
     * @throws UserError if the address does not belong to this host
     */
    public static int freePort(final String address, final String addressOption) {
        try {
            return FreePort.tcp(InetAddress.getByName(address));
        } catch (final IOException e) {
            throw UserError.environment(
                    "Cannot listen on %s %s (%s); name an address of this host."
                            .formatted(addressOption, address, e.getMessage()),
                    e);
        }
    }

    /**
     * Accepts a connecting peer. Where the process has no file handles left the library's own call
     * ends in an exception; the peer then waits in the system's queue.
     *
     * @param reactor that serves the peer
     * @param server it connects to
     * @param options for its connection
     * @param role whose call-backs it gets
     * @param error overwritten
     * @return empty where it was accepted, otherwise why not
     */
    public static Optional<String> accept(
            final Reactor reactor,
            final Server server,
            final ReactorAcceptOptions options,
            final ReactorRole role,
            final ReactorErrorInfo error) {
        try {
            return reactor.accept(server, options, role, error) < ReactorReturnCodes.SUCCESS
                    ? Optional.of(text(error))
                    : Optional.empty();
        } catch (final NullPointerException e) {
            return Optional.of(NOT_ACCEPTED);
        }
    }

    /**
     * The same without a Reactor.
     *
     * @param server it connects to
     * @param options for its connection
     * @param error overwritten
     * @return empty where nobody connects, or it cannot be accepted now
     */
    public static Optional<Channel> accept(
            final Server server, final AcceptOptions options, final Error error) {
        try {
            return Optional.ofNullable(server.accept(options, error));
        } catch (final NullPointerException e) {
            return Optional.empty();
        }
    }

    /**
     * The library's message, in one line.
     *
     * @param error of a call
     * @return a text, possibly empty
     */
    public static String text(final ReactorErrorInfo error) {
        return error == null || error.error() == null ? "" : oneLine(error.error().text());
    }

    private static String oneLine(final String text) {
        return text == null ? "no reason given" : text.strip().replaceAll("\\s+", " ");
    }
}
