package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection that is made again when it breaks, with all that was opened by it, as often as it
 * takes. The client's own recovery tries to connect for ever, but opens each channel and queue only
 * once: where a server that has just started does not answer in time, they are gone. Any thread.
 */
final class LastingConnection implements AutoCloseable {
    private static final long RETRY_NS = 200_000_000;

    private final BrokerChannel<RabbitmqParameters> channel;
    private final List<Opened> opened = new ArrayList<>();
    private volatile Connection connection;
    private volatile boolean isEnded;
    private volatile long reconnects;

    /** What is done with a channel when it is opened, for the first time or again. */
    @FunctionalInterface
    interface Setup {
        /** Declares and consumes what is needed. */
        void apply(Channel channel) throws IOException;
    }

    /** A channel of this connection, or of the one that replaced it. */
    static final class Opened {
        private final Setup setup;
        private volatile Channel current;

        private Opened(final Setup setup) {
            this.setup = setup;
        }

        private void open(final Connection by) throws IOException {
            final Channel next = by.createChannel();
            setup.apply(next);
            current = next;
        }

        /** The channel of the newest connection; closed while that is broken. */
        Channel channel() {
            return current;
        }
    }

    /**
     * Connects.
     *
     * @throws UserError of kind environment that says what to do
     */
    LastingConnection(final BrokerChannel<RabbitmqParameters> channel) {
        this.channel = channel;
        connection = RabbitmqConnections.connect(channel);
        watch();
    }

    /** Opens a channel, now and whenever the connection was made again. */
    synchronized Opened open(final Setup setup) throws IOException {
        final Opened next = new Opened(setup);
        next.open(connection);
        opened.add(next);
        return next;
    }

    /** Opens a channel no more; the one that is open ends with its connection. */
    synchronized void forget(final Opened ended) {
        opened.remove(ended);
    }

    private void watch() {
        connection.addShutdownListener(cause -> {
            if (!cause.isInitiatedByApplication()) {
                Thread.ofPlatform().daemon().name("rabbitmq-reconnect").start(this::reconnect);
            }
        });
    }

    private void reconnect() {
        while (!isEnded && !isMadeAgain()) {
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    private synchronized boolean isMadeAgain() {
        final Connection next;
        try {
            next = RabbitmqConnections.connect(channel);
        } catch (final UserError e) {
            return false; // it does not run yet, as its ends report
        }
        try {
            for (final Opened each : opened) {
                each.open(next);
            }
        } catch (final IOException | AlreadyClosedException e) {
            RabbitmqConnections.end(next);
            return false;
        }
        connection = next;
        reconnects++;
        if (isEnded) {
            RabbitmqConnections.end(next);
        }
        watch();
        return true;
    }

    /** What both ends of a channel report about it. */
    Map<String, Object> facts() {
        final Map<String, Object> facts = RabbitmqConnections.facts(channel, connection);
        facts.put("reconnects", reconnects);
        return facts;
    }

    /** Closes everything that was opened by it. */
    @Override
    public void close() {
        isEnded = true;
        RabbitmqConnections.end(connection);
    }
}
