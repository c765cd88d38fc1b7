package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.link.ByteLink;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.link.IoBuffers;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.session.BodyScan;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.MemoryStore;
import io.tickmark.workloads.fix.session.SessionClock;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.concurrent.SystemEpochClock;

/** The sessions of one client thread: connects them, serves their sockets, logs them out. */
final class ClientSessions implements AutoCloseable {
    private static final int READ_BYTES = 1 << 16;
    private static final int WRITE_BYTES = 1 << 16;
    private static final int STORE_BYTES = 1 << 16;
    private static final long TIMER_NS = 50_000_000;
    private static final long RETRY_NS = 50_000_000;

    /**
     * Interval after which connecting to a host that does not answer is retried: the system itself
     * would wait for minutes.
     */
    private static final long TRY_MS = 1_000;

    private static final long LOGOUT_NS = 5_000_000_000L;
    private static final long WAIT_MS = 20;

    /**
     * Nothing is reported before: where everything is started at once, one side is always first.
     */
    private static final long QUIET_NS = 2_000_000_000L;

    private final RoleContext context;
    private final LinkFactory links;
    private final SessionClock clock;
    private final IoBuffers io;
    private final Selector selector;
    private final BodyScan scan = new BodyScan();
    private final List<Connection> connections = new ArrayList<>();
    private final Consumer<SelectionKey> onKey = this::onKey;
    private boolean hasReportedWaiting;
    private long timerNs;

    ClientSessions(final RoleContext context, final LinkFactory links, final int maxMessageBytes) {
        this.context = context;
        this.links = links;
        clock = new SessionClock(context.clock(), SystemEpochClock.INSTANCE);
        io = new IoBuffers(READ_BYTES, WRITE_BYTES, maxMessageBytes);
        try {
            selector = Selector.open();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects a session and sends its Logon; tries again until the gateway listens. */
    FixSession open(
            final InetSocketAddress address,
            final SessionConfig config,
            final SessionHandler handler) {
        clock.update();
        if (!config.schedule().isOpen(clock.nowMs())) {
            throw UserError.environment(
                    "--schedule: the sessions are closed at this hour (UTC); try again when they are open, or leave it out.");
        }
        final long beginNs = context.clock().nanoTime();
        final long untilNs = beginNs + context.connectTimeoutNs();
        while (true) {
            try {
                return open(connected(address, untilNs), config, handler);
            } catch (final IOException | RuntimeException e) {
                if (e instanceof UserError
                        || context.isStopped()
                        || context.clock().nanoTime() - untilNs > 0) {
                    throw notConnected(address, e);
                }
                if (!hasReportedWaiting && context.clock().nanoTime() - beginNs > QUIET_NS) {
                    hasReportedWaiting = true;
                    context.log(
                            "Waiting for a gateway at %s, up to %s..."
                                    .formatted(text(address), patience()));
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private SocketChannel connected(final InetSocketAddress address, final long untilNs)
            throws IOException {
        final long leftMs = TimeUnit.NANOSECONDS.toMillis(untilNs - context.clock().nanoTime()) + 1;
        final SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(address, (int) Math.clamp(leftMs, 1, TRY_MS));
            return channel;
        } catch (final IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private UserError notConnected(final InetSocketAddress address, final Exception e) {
        final String why = e instanceof final IOException io2 ? IoReason.of(io2) : e.getMessage();
        return UserError.environment(
                "No gateway accepted the connection to %s %s (%s); start one with 'tickmark fix gateway'."
                        .formatted(
                                text(address),
                                context.isStopped()
                                        ? "before this was stopped"
                                        : "within " + patience(),
                                why),
                e);
    }

    private String patience() {
        return Durations.format(Duration.ofNanos(context.connectTimeoutNs()));
    }

    /** Host and port as a user writes them. */
    static String text(final InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private FixSession open(
            final SocketChannel channel, final SessionConfig config, final SessionHandler handler)
            throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            final ByteLink link = links.link(channel);
            clock.update();
            final FixSession session =
                    new FixSession(
                            config,
                            new MemoryStore(STORE_BYTES, clock.nowMs()),
                            scan,
                            handler,
                            clock);
            final Connection connection = new Connection(link, session);
            connection.registered(channel.register(selector, SelectionKey.OP_READ, connection));
            connections.add(connection);
            session.logon();
            connection.flush(io, clock.nowNs());
            return session;
        } catch (final IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Serves until all are logged on; otherwise fails with a sentence about one that is not. */
    void awaitLogons(final String gateway) {
        final long untilNs = context.clock().nanoTime() + context.connectTimeoutNs();
        for (final Connection connection : connections) {
            final FixSession session = connection.session();
            while (session.state() != FixSession.State.ACTIVE) {
                if (session.state() == FixSession.State.ENDED
                        || context.isStopped()
                        || context.clock().nanoTime() - untilNs > 0) {
                    throw UserError.environment(
                            ("The gateway at %s did not let a session log on (%s); is it a FIX gateway with the same"
                                            + " --version and --tls?")
                                    .formatted(gateway, reasonOf(session)));
                }
                pass(WAIT_MS);
            }
        }
    }

    private static String reasonOf(final FixSession session) {
        return session.endReason().isEmpty() ? "no answer" : session.endReason();
    }

    /**
     * Reads what is available and writes what is pending; waits up to a number of ms, 0 for not at
     * all.
     */
    int pass(final long waitMs) {
        try {
            final int work =
                    waitMs > 0 ? selector.select(onKey, waitMs) : selector.selectNow(onKey);
            clock.update();
            if (work > 0) {
                flushAll();
            }
            if (clock.nowNs() - timerNs >= TIMER_NS) {
                timerNs = clock.nowNs();
                onTimer();
            }
            return work;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void onKey(final SelectionKey key) {
        try {
            if (key.isReadable()) {
                clock.update();
                ((Connection) key.attachment()).receive(io);
            }
        } catch (final CancelledKeyException e) {
            return; // closed while a message was handled
        }
    }

    private void flushAll() {
        for (int i = 0; i < connections.size(); i++) {
            final Connection connection = connections.get(i);
            if (connection.session().out().waiting() > 0
                    || connection.link().isWaiting()
                    || connection.session().state() == FixSession.State.ENDED) {
                connection.flush(io, clock.nowNs());
            }
        }
    }

    private void onTimer() {
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).session().onTimer();
        }
        flushAll();
    }

    /** Stops reading one session, to be a slow consumer. */
    void stall(final int index) {
        connections.get(index).stopReading();
    }

    Connection connection(final int index) {
        return connections.get(index);
    }

    int size() {
        return connections.size();
    }

    /** Number of open sessions, from this one on. */
    int open(final int first) {
        int open = 0;
        for (int i = first; i < connections.size(); i++) {
            open += connections.get(i).session().state() == FixSession.State.ENDED ? 0 : 1;
        }
        return open;
    }

    SessionClock clock() {
        return clock;
    }

    IoBuffers io() {
        return io;
    }

    /**
     * Writes all that waits, logs all sessions out and waits for the answers of all but the first
     * {@code silent}, which do not read.
     */
    void logOut(final int silent) {
        clock.update();
        connections.forEach(connection -> connection.session().logout(""));
        flushAll();
        final long untilNs = context.clock().nanoTime() + LOGOUT_NS;
        while (open(silent) > 0 && context.clock().nanoTime() - untilNs < 0) {
            pass(WAIT_MS);
        }
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
        try {
            selector.close();
        } catch (final IOException e) {
            // no data is lost
        }
    }
}
