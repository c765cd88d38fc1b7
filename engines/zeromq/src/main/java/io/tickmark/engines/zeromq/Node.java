package io.tickmark.engines.zeromq;

import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.settings.CannotListen;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.HostPort;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * One side of a channel: its address and its sockets, in a separate ZeroMQ context, so that the
 * ports are free as soon as it is closed. Single-threaded.
 */
final class Node {
    /** A longer frame breaks the connection, so that no peer can exhaust the memory. */
    static final int MOST_PAYLOAD_BYTES = 64_000_000;

    private static final int RETRY_MS = 10;
    private static final int LAST_PORT = 65_535;

    private final ZeromqParameters parameters;
    private final HostPort address;
    private final ZMQ.Context context;
    private final List<ZMQ.Socket> sockets = new ArrayList<>();
    private final List<ZMQ.Poller> pollers = new ArrayList<>();
    private final EngineErrors failures =
            new EngineErrors(
                    "A thread of ZeroMQ failed: %s.",
                    "Threads of ZeroMQ failed %d times, first: %s.");
    private ChannelUri channel;
    private boolean isClosed;

    /** How the library's threads are scheduled; they write it as they begin. */
    private volatile String ioThreadPriority = "unknown";

    private Node(final ChannelUri channel) {
        this.channel = channel;
        parameters = channel.read(ZeromqParameters.class);
        address = HostPort.of(channel);
        context = ZMQ.context(parameters.ioThreads());
        context.setThreadFactor(this::ioThread);
        // By default the library prints them.
        context.setUncaughtExceptionHandler((thread, error) -> failures.add(error));
        context.setNotificationExceptionHandler((thread, error) -> failures.add(error));
    }

    /**
     * A thread of the library that does not interrupt who wakes it. The library wakes it by a byte
     * in a pipe, and counts that byte afterwards; until then the thread finds the pipe ready and
     * nothing in it, and looks again without a pause. Where it took the core from the thread that
     * was about to count, that lasted a time slice, some milliseconds (JeroMQ 0.6.0, zmq.Signaler).
     */
    private Thread ioThread(final Runnable work, final String name) {
        final Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .unstarted(() -> {
                            final Optional<String> _ = ThreadPriority.batch(); // in the facts
                            ioThreadPriority = ThreadPriority.describe();
                            work.run();
                        });
        thread.setUncaughtExceptionHandler(context.getUncaughtExceptionHandler());
        return thread;
    }

    /**
     * Opens a node and everything on it, and closes all of it where a part cannot be opened.
     *
     * @throws UserError if the channel or a parameter is wrong, or a port in use
     */
    static <T> T open(final ChannelUri channel, final Opening<T> opening) {
        final Node node = new Node(channel);
        boolean isOpen = false;
        try {
            final T opened = opening.open(node);
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                node.close();
            }
        }
    }

    /** Opens the sockets of a node. */
    interface Opening<T> {
        T open(Node node);
    }

    ZeromqParameters parameters() {
        return parameters;
    }

    /** The channel as the other side has to write it. */
    ChannelUri channel() {
        return channel;
    }

    InetAddress address() {
        return address.address();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** A socket with the channel's settings, connected to nothing. */
    ZMQ.Socket socket(final SocketType type) {
        final ZMQ.Socket socket = context.socket(type);
        sockets.add(socket);
        // Only for the direction of messages: the other one carries subscriptions, which must not
        // be dropped.
        if (type == SocketType.XPUB || type == SocketType.PUSH) {
            socket.setLinger((int) Math.min(parameters.linger().toMillis(), Integer.MAX_VALUE));
            socket.setSndHWM(parameters.sendHwm());
        } else {
            socket.setLinger(0);
            socket.setRcvHWM(parameters.receiveHwm());
        }
        socket.setMaxMsgSize(MOST_PAYLOAD_BYTES);
        socket.setReconnectIVL(RETRY_MS);
        socket.setIPv6(address.address() instanceof Inet6Address);
        return socket;
    }

    /**
     * Binds the socket that publishes.
     *
     * @throws UserError if the port is in use
     */
    void listen(final ZMQ.Socket socket) {
        channel = channel.withAuthority(address.withPort(bind(socket, address.port())).authority());
    }

    /**
     * Binds the socket that receives answers. Where the system chooses the channel's port, it also
     * chooses this one, as the next port may be in use.
     *
     * @throws UserError if the port is in use
     */
    void listenForReplies(final ZMQ.Socket socket) {
        final boolean isChosen = address.port() == 0 && parameters.replyPort() == 0;
        final int port = bind(socket, isChosen ? 0 : replyPort());
        if (isChosen) {
            channel = channel.with("replyPort", Integer.toString(port));
        }
    }

    private int bind(final ZMQ.Socket socket, final int port) {
        try {
            socket.bind(endpoint(port));
        } catch (final ZMQException e) {
            // the library gives only a number
            throw CannotListen.on(
                    "--channel " + channel,
                    address.withPort(port).authority(),
                    "in use, or not of this machine",
                    e);
        }
        final String bound = socket.getLastEndpoint();
        return Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
    }

    /**
     * Connects the socket that subscribes.
     *
     * @throws UserError if the channel names no port
     */
    WatchedConnection connect(final ZMQ.Socket socket) {
        if (address.port() == 0) {
            throw UserError.usage(
                    "--channel %s: port 0 cannot be connected to; give the port of the publisher."
                            .formatted(channel));
        }
        return new WatchedConnection(socket, endpoint(address.port()));
    }

    /** Connects the socket that sends answers. */
    WatchedConnection connectForReplies(final ZMQ.Socket socket) {
        return new WatchedConnection(socket, endpoint(replyPort()));
    }

    private int replyPort() {
        if (parameters.replyPort() == 0 && address.port() == LAST_PORT) {
            throw UserError.usage(
                    "--channel %s: answers use the next port, and there is none; give a lower port, or ?replyPort."
                            .formatted(channel));
        }
        return parameters.replyPort() == 0 ? address.port() + 1 : parameters.replyPort();
    }

    private String endpoint(final int port) {
        final String host = address.address().getHostAddress();
        return "tcp://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** Waits for messages on a socket of this node; closed with the node. */
    ZMQ.Poller poller(final ZMQ.Socket socket) {
        final ZMQ.Poller poller = context.poller(1);
        pollers.add(poller);
        poller.register(socket, ZMQ.Poller.POLLIN);
        return poller;
    }

    /** Facts of every end. */
    Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("clientThreads", parameters.ioThreads());
        facts.put("clientThreadPriority", ioThreadPriority);
        facts.put("sendHwm", parameters.sendHwm());
        facts.put("receiveHwm", parameters.receiveHwm());
        return facts;
    }

    /** Errors of the library's threads, followed by those of an end. */
    Optional<String> errors(final List<Supplier<Optional<String>>> more) {
        final String all =
                Stream.concat(Stream.of(failures.sentence()), more.stream().map(Supplier::get))
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(" "));
        return Optional.of(all).filter(text -> !text.isEmpty());
    }

    /**
     * Closes the sockets, and waits for accepted messages to leave and for the ports to be free.
     */
    void close() {
        if (!isClosed) {
            isClosed = true;
            final boolean wasInterrupted = Thread.interrupted(); // which would break the library
            pollers.forEach(ZMQ.Poller::close);
            sockets.forEach(ZMQ.Socket::close);
            context.close();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
