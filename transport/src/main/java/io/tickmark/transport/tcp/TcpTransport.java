package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.CannotListen;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * {@code tcp://host:port}: the publication (BIND) listens, on loopback where no host is given, up
 * to 64 subscriptions (CONNECT) connect and retry until the listener is running. A message is sent
 * to all connections or refused: one slow consumer holds back all. Messages are framed by their
 * length, 4 bytes little-endian, so that a plain byte echo (RFC 862) can be the other end.
 */
public sealed class TcpTransport implements Transport permits WebSocketTransport {
    private final NanoClock clock = SystemNanoClock.INSTANCE;

    /** For the ServiceLoader. */
    public TcpTransport() {}

    @Override
    public String scheme() {
        return "tcp";
    }

    @Override
    public String summary() {
        return "TCP sockets with length-framed messages; the publisher listens.";
    }

    @Override
    public Class<Parameters> parameters() {
        return Parameters.class;
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("tcp://127.0.0.1:0", true));
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        read(channel);
        address(channel);
        return TransportTraits.upTo(Framing.MAX_PAYLOAD_BYTES)
                .reliable(true)
                .ordered(true)
                .backPressured(true)
                .detectsDisconnect(true)
                .fansOut(true)
                .allocates(false);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return listener(channel, true);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return dialer(channel);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        final TcpPeers peers =
                side == ExchangeSide.BIND ? listener(channel, false) : dialer(channel);
        return Exchange.of(peers, peers, peers.channel());
    }

    private TcpPeers listener(final ChannelUri channel, final boolean onlySends) {
        return TcpListener.open(
                channel,
                address(channel),
                read(channel),
                onlySends,
                framing(channel, false),
                clock);
    }

    private TcpPeers dialer(final ChannelUri channel) {
        return new TcpDialer(
                channel, address(channel), read(channel), framing(channel, true), clock);
    }

    /** Where the channel's publisher listens. */
    HostPort address(final ChannelUri channel) {
        return HostPort.of(channel);
    }

    /** What follows the address, from its slash on; empty where nothing does. */
    static String path(final ChannelUri channel) {
        final int slash = channel.authority().indexOf('/');
        return slash < 0 ? "" : channel.authority().substring(slash);
    }

    /** How messages are laid out, for the side that connects or for the one that listens. */
    Framing.Maker framing(final ChannelUri channel, final boolean isDialing) {
        return Framing.ByLength::new;
    }

    private static Parameters read(final ChannelUri channel) {
        return channel.read(Parameters.class).checked(channel);
    }

    /**
     * The side that connects: retries for as long as it is driven, also when the other side was
     * closed.
     */
    private static final class TcpDialer extends TcpPeers {
        private static final long RETRY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

        /** A service that answers, but not as wanted, is not asked again at once. */
        private static final long REFUSED_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

        private static final long ATTEMPT_NS = TimeUnit.SECONDS.toNanos(3);

        private final ChannelUri channel;
        private final HostPort address;
        private final NanoClock clock;
        private SocketChannel dialing;
        private long attemptNs;

        TcpDialer(
                final ChannelUri channel,
                final HostPort listener,
                final Parameters parameters,
                final Framing.Maker framing,
                final NanoClock clock) {
            if (listener.port() == 0) {
                throw UserError.usage(
                        "--channel "
                                + channel
                                + ": port 0 cannot be connected to; give the port of the listening side.");
            }
            super(parameters, false, framing, clock);
            this.channel = channel;
            this.clock = clock;
            this.address = listener;
            attemptNs = clock.nanoTime() - RETRY_INTERVAL_NS;
            admit();
        }

        @Override
        void admit() {
            if (count() > 0 || isOpening()) {
                return;
            }
            try {
                if (dialing == null) {
                    dial();
                } else if (dialing.finishConnect()) {
                    connected();
                } else if (clock.nanoTime() - attemptNs > ATTEMPT_NS) {
                    giveUp();
                }
            } catch (final IOException e) {
                // No listener there yet, or no longer: retried at the next interval.
                giveUp();
            }
        }

        private void dial() throws IOException {
            final long intervalNs = refusal().isEmpty() ? RETRY_INTERVAL_NS : REFUSED_INTERVAL_NS;
            if (clock.nanoTime() - attemptNs < intervalNs) {
                return;
            }
            attemptNs = clock.nanoTime();
            dialing = SocketChannel.open();
            TcpSockets.prepare(dialing, parameters());
            if (dialing.connect(address.socketAddress())) {
                connected();
            } else {
                dialing.register(selector(), SelectionKey.OP_CONNECT);
            }
        }

        private void connected() throws IOException {
            final SocketChannel socket = dialing;
            dialing = null;
            if (socket.getLocalAddress().equals(socket.getRemoteAddress())) {
                // A port without a listener can be connected from itself (RFC 9293, simultaneous
                // open).
                CloseHelper.quietClose(socket);
                return;
            }
            add(socket);
        }

        private void giveUp() {
            CloseHelper.quietClose(dialing);
            dialing = null;
        }

        @Override
        void onReady(final SelectionKey key) {
            if (key.isConnectable()) {
                admit();
            }
        }

        @Override
        public ChannelUri channel() {
            return channel;
        }

        @Override
        void closeOwn() {
            giveUp();
        }
    }

    /** The side that listens. */
    private static final class TcpListener extends TcpPeers {
        /** Before it accepts again what it could not; until then nothing wakes a waiting thread. */
        private static final long PAUSE_NS = 100_000_000;

        private final ServerSocketChannel server;
        private final ChannelUri channel;
        private final NanoClock clock;
        private SelectionKey paused;
        private long againNs;

        private TcpListener(
                final ServerSocketChannel server,
                final ChannelUri channel,
                final Parameters parameters,
                final boolean onlySends,
                final Framing.Maker framing,
                final NanoClock clock) {
            super(parameters, onlySends, framing, clock);
            this.server = server;
            this.channel = channel;
            this.clock = clock;
        }

        static TcpListener open(
                final ChannelUri channel,
                final HostPort wanted,
                final Parameters parameters,
                final boolean onlySends,
                final Framing.Maker framing,
                final NanoClock clock) {
            ServerSocketChannel server = null;
            try {
                server = ServerSocketChannel.open();
                server.configureBlocking(false);
                // Otherwise a listener that is restarted at once would have to wait for its old
                // connections to expire.
                server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                if (parameters.receiveBufferBytes() > 0) {
                    // Set before connections arrive, otherwise the window stays small (tcp(7)).
                    server.setOption(
                            StandardSocketOptions.SO_RCVBUF, parameters.receiveBufferBytes());
                }
                server.bind(wanted.socketAddress(), MAX_CONNECTIONS);
                final int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
                final TcpListener listener =
                        new TcpListener(
                                server,
                                channel.withAuthority(
                                        wanted.withPort(port).authority() + path(channel)),
                                parameters,
                                onlySends,
                                framing,
                                clock);
                server.register(listener.selector(), SelectionKey.OP_ACCEPT);
                return listener;
            } catch (final IOException e) {
                CloseHelper.quietClose(server);
                throw CannotListen.on("--channel " + channel, wanted.authority(), e);
            }
        }

        @Override
        void admit() {
            if (paused != null && clock.nanoTime() - againNs >= 0) {
                paused.interestOps(SelectionKey.OP_ACCEPT);
                paused = null;
            }
            // Querying the selector allocates nothing, querying the server socket does.
            select(0);
        }

        @Override
        void onReady(final SelectionKey key) {
            if (key.channel() == server) {
                accept(key);
            }
        }

        private void accept(final SelectionKey key) {
            try {
                for (SocketChannel socket = server.accept();
                        socket != null;
                        socket = server.accept()) {
                    add(socket);
                }
            } catch (final IOException e) {
                // The peer has disconnected again, or the process has no descriptors left: it is
                // tried again after a pause, and connected sides continue.
                countRefused(IoReason.of(e));
                key.interestOps(0);
                paused = key;
                againNs = clock.nanoTime() + PAUSE_NS;
            }
        }

        @Override
        public ChannelUri channel() {
            return channel;
        }

        @Override
        void closeOwn() {
            CloseHelper.quietClose(server);
        }
    }

    /**
     * Parameters of a {@code tcp} channel.
     *
     * @param sendBufferBytes of each socket
     * @param receiveBufferBytes of each socket
     * @param noDelay whether small messages are sent at once
     * @param batchBytes gathered before they are written
     * @param kernelTimes whether the kernel stamps messages
     */
    public record Parameters(
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
                    int batchBytes,
            @Setting(
                            help =
                                    "Have the kernel stamp the last byte of each message when it goes to the network device and"
                                            + " when it comes from it (SO_TIMESTAMPING), so that results split latency into its"
                                            + " stages; costs three system calls for each message.",
                            byDefault = "false")
                    boolean kernelTimes) {
        /**
         * Refuses what does not go together.
         *
         * @throws UserError of kind usage
         */
        Parameters checked(final ChannelUri channel) {
            if (kernelTimes && batchBytes > 0) {
                throw UserError.usage(
                        "--channel "
                                + channel
                                + ": kernelTimes=true needs messages that are written one by one; leave out batchBytes.");
            }
            return this;
        }
    }
}
