package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@link StreamClient} that is made again when a connection breaks, with all that was opened by
 * it, as often as it takes. The client's own recovery ends for good where a server that has just
 * started says that it has no such stream, which it does until it has read all of them, or answers
 * the client's first questions too late. Any thread.
 */
final class LastingClient implements AutoCloseable {
    private static final long RETRY_NS = 200_000_000;

    private final BrokerChannel<StreamParameters> channel;
    private final List<Opened<?>> opened = new CopyOnWriteArrayList<>();
    private volatile StreamClient client;
    private volatile StreamClient broken;
    private volatile boolean isServed = true;
    private volatile boolean isEnded;
    private volatile long reconnects;

    /** How a producer or consumer is opened, for the first time or again. */
    @FunctionalInterface
    interface Setup<T> {
        /** Opens it with a listener, at this client. */
        T open(StreamClient by, Resource.StateListener listener);
    }

    /** A producer or consumer of this client, or of the one that replaced it. */
    static final class Opened<T> {
        private final Setup<T> setup;
        private volatile T current;

        private Opened(final Setup<T> setup) {
            this.setup = setup;
        }

        /** The one at the newest client. */
        T get() {
            return current;
        }
    }

    /**
     * Connects.
     *
     * @throws UserError of kind environment that says what to do
     */
    LastingClient(final BrokerChannel<StreamParameters> channel) {
        this.channel = channel;
        client = new StreamClient(channel);
    }

    /** Opens a producer or consumer, now and whenever the client was made again. */
    synchronized <T> Opened<T> open(final Setup<T> setup) {
        final Opened<T> next = new Opened<>(setup);
        opened.add(next);
        try {
            open(next, client);
            return next;
        } catch (final RuntimeException e) {
            opened.remove(next);
            throw e;
        }
    }

    private <T> void open(final Opened<T> one, final StreamClient by) {
        one.current =
                one.setup.open(
                        by,
                        context -> {
                            if (opened.contains(one)) {
                                onState(by, context.currentState());
                            }
                        });
    }

    /** Opens it no more; it may be closed, which is then no break. */
    void forget(final Opened<?> ended) {
        opened.remove(ended);
    }

    /** On the client's threads. */
    private void onState(final StreamClient of, final Resource.State state) {
        if (state != Resource.State.RECOVERING && state != Resource.State.CLOSED) {
            return;
        }
        broken = of; // perhaps one that is just being made
        if (of == client && isServed && !isEnded) {
            isServed = false;
            Thread.ofPlatform().daemon().name("rabbitmq-reconnect").start(() -> reconnect(of));
        }
    }

    private void reconnect(final StreamClient old) {
        if (old != client) {
            return; // another of its ends was quicker
        }
        old.close();
        while (!isEnded && !isMadeAgain(old)) {
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    private synchronized boolean isMadeAgain(final StreamClient old) {
        if (client != old) {
            return true;
        }
        final StreamClient next;
        try {
            next = new StreamClient(channel);
        } catch (final UserError e) {
            return false; // it does not run yet, as its ends report
        }
        try {
            for (final Opened<?> each : opened) {
                open(each, next);
            }
        } catch (final UserError | StreamException | IllegalStateException e) {
            next.close();
            return false;
        }
        client = next;
        isServed = true;
        reconnects++;
        if (broken == next) {
            onState(next, Resource.State.CLOSED); // it broke before it was ours
        }
        if (isEnded) {
            next.close();
        }
        return true;
    }

    /** Whether it has a connection. */
    boolean isServed() {
        return isServed;
    }

    /** What both ends of a channel report about it. */
    Map<String, Object> facts() {
        final Map<String, Object> facts = StreamClient.facts(channel);
        facts.put("reconnects", reconnects);
        return facts;
    }

    /** Closes everything that was opened by it. */
    @Override
    public void close() {
        isEnded = true;
        client.close();
    }
}
