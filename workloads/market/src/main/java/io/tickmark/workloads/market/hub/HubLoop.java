package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorDispatchOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.rssl.JsonConverterLock;
import io.tickmark.workloads.market.rssl.Rssl;
import io.tickmark.workloads.market.rssl.SocketFlush;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.NanoClock;

/**
 * One Reactor, its servers and its connections, on one thread: accepts, reads, dispatches. A
 * message that makes the library fail ends only the connection of its sender.
 */
final class HubLoop implements AutoCloseable {
    /** Before a server is asked again that could not accept, such as for lack of file handles. */
    private static final long PAUSE_NS = 100_000_000;

    private final Reactor reactor;
    private final Selector selector;
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final ReactorDispatchOptions options = ReactorFactory.createReactorDispatchOptions();
    private final List<ReactorChannel> channels = new ArrayList<>();
    private final ArrayDeque<ReactorChannel> unfinished = new ArrayDeque<>();
    private final List<ReactorChannel> hadTheirTurn = new ArrayList<>();
    private final SocketFlush leftOver = new SocketFlush();
    private final NanoClock clock;
    private final BiConsumer<ReactorChannel, String> broken;
    private final List<SelectionKey> paused = new ArrayList<>();
    private long againNs;

    /**
     * A loop without connections.
     *
     * @param clock of the hub
     * @param maxMessages dispatched from one connection in a poll, so that others have their turn
     * @param broken is called with the connection that made the library fail, and the reason
     */
    HubLoop(
            final NanoClock clock,
            final int maxMessages,
            final BiConsumer<ReactorChannel, String> broken) {
        this.clock = clock;
        this.broken = broken;
        options.maxMessages(maxMessages);
        reactor = ReactorFactory.createReactor(ReactorFactory.createReactorOptions(), error);
        if (reactor == null) {
            throw UserError.environment(
                    "The Real-Time SDK cannot be started: " + Rssl.text(error) + ".");
        }
        try {
            selector = Selector.open();
            reactor.reactorChannel()
                    .selectableChannel()
                    .register(selector, SelectionKey.OP_READ, reactor.reactorChannel());
        } catch (final IOException e) {
            reactor.shutdown(error);
            throw UserError.environment("No selector can be opened: " + e.getMessage() + ".", e);
        }
    }

    Reactor reactor() {
        return reactor;
    }

    /** Makes the action accept connecting peers; it returns false where it could not. */
    void listen(final Server server, final BooleanSupplier accept) {
        try {
            server.selectableChannel().register(selector, SelectionKey.OP_ACCEPT, accept);
        } catch (final ClosedChannelException e) {
            throw UserError.environment("A server was closed while it was opened.", e);
        }
    }

    /** Reads a connection from now on. */
    void add(final ReactorChannel channel) {
        channels.add(channel);
        register(channel);
        unfinished.add(channel); // data that arrived with the handshake is already read
    }

    /** Reads the connection's new descriptor. */
    void descriptorChanged(final ReactorChannel channel) {
        cancel(channel.oldSelectableChannel());
        register(channel);
    }

    private void register(final ReactorChannel channel) {
        try {
            channel.selectableChannel().register(selector, SelectionKey.OP_READ, channel);
        } catch (final ClosedChannelException _) {
            // its channel-down event is on the way
        }
    }

    /** Stops reading the connection. */
    void forget(final ReactorChannel channel) {
        channels.remove(channel);
        unfinished.remove(channel);
        cancel(channel.selectableChannel());
    }

    private void cancel(final SelectableChannel descriptor) {
        if (descriptor != null) {
            final SelectionKey key = descriptor.keyFor(selector);
            if (key != null) {
                key.cancel();
            }
        }
    }

    /** Ends a connection. */
    void close(final ReactorChannel channel) {
        forget(channel);
        channel.close(error);
    }

    /**
     * Waits for messages up to a limit, and handles them; data left over by full sockets is written
     * in between. Returns how many connections had messages.
     */
    int poll(final long waitMs) {
        if (!paused.isEmpty() && clock.nanoTime() - againNs >= 0) {
            paused.stream()
                    .filter(SelectionKey::isValid)
                    .forEach(key -> key.interestOps(SelectionKey.OP_ACCEPT));
            paused.clear();
        }
        if (leftOver.isDue(clock.nanoTime())) {
            for (int i = 0; i < channels.size(); i++) {
                leftOver.flush(channels.get(i));
            }
        }
        try {
            hadTheirTurn.clear();
            for (int left = unfinished.size(); left > 0 && !unfinished.isEmpty(); left--) {
                final ReactorChannel channel = unfinished.remove();
                hadTheirTurn.add(channel);
                dispatch(channel);
            }
            return hadTheirTurn.size()
                    + (waitMs == 0 || !hadTheirTurn.isEmpty()
                            ? selector.selectNow(this::on)
                            : selector.select(this::on, waitMs));
        } catch (final IOException e) {
            throw UserError.environment("The selector failed: " + e.getMessage() + ".", e);
        }
    }

    private void on(final SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof final ReactorChannel channel) {
            if (!hadTheirTurn.contains(channel)) {
                dispatch(channel);
            }
        } else if (!((BooleanSupplier) key.attachment()).getAsBoolean()) {
            key.interestOps(0);
            paused.add(key);
            againNs = clock.nanoTime() + PAUSE_NS;
        }
    }

    private void dispatch(final ReactorChannel channel) {
        final boolean turn = JsonConverterLock.begin(channel);
        try {
            if (channel.dispatch(options, error) > ReactorReturnCodes.SUCCESS) {
                unfinished.add(channel);
            }
        } catch (final UserError e) {
            throw e;
        } catch (final RuntimeException e) {
            broken.accept(channel, String.valueOf(e.getMessage()));
        } finally {
            JsonConverterLock.end(turn);
        }
    }

    /** Ends a wait; any thread. */
    void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        List.copyOf(channels).forEach(this::close);
        if (!reactor.isShutdown()) {
            reactor.shutdown(error);
        }
        try {
            selector.close();
        } catch (final IOException _) {
            // no data is lost
        }
    }
}
