package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorDispatchOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorJsonConverterOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.data.FieldDictionary;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * One Reactor with the connections of one thread. Only that thread dispatches: it reads its
 * connections directly, which saves the call that checks for readable data; where it sleeps until
 * something arrives, and where there is no connection yet, it waits in a selector.
 */
public final class ReactorLoop implements AutoCloseable {
    /** The Reactor's own events (a connection up or down) are rare; looking locks and allocates. */
    private static final long EVENTS_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Reactor reactor;
    private final Idle idle;
    private final Waker waker =
            new Waker() {
                @Override
                public void await(final long timeoutNs) {
                    sleep(timeoutNs);
                }

                /** Nothing is read in it; where nothing arrives, it ends with a whole ms. */
                @Override
                public long sleepNs(final long timeoutNs) {
                    return timeoutNs < MS_NS ? NONE.sleepNs(timeoutNs) : timeoutNs;
                }
            };

    private final Selector selector;
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final SocketFlush leftOver = new SocketFlush();
    private final ReactorDispatchOptions options = ReactorFactory.createReactorDispatchOptions();
    private ReactorChannel[] channels = {};
    private long nextEventsNs = Long.MIN_VALUE;
    private boolean hasMore;
    private boolean hasRead;
    private boolean speaksJson;
    private boolean isClosed;

    /**
     * A loop with its own Reactor.
     *
     * @param idle how its thread waits
     * @param maxMessages dispatched from one connection before the next one's turn
     * @throws UserError if the library cannot be started
     */
    public ReactorLoop(final Idle idle, final int maxMessages) {
        this.idle = idle;
        options.maxMessages(maxMessages);
        reactor = ReactorFactory.createReactor(ReactorFactory.createReactorOptions(), error);
        if (reactor == null) {
            throw UserError.environment(
                    "The Real-Time SDK cannot be started: " + Rssl.text(error) + ".");
        }
        try {
            selector = Selector.open();
            reactor.reactorChannel().selectableChannel().register(selector, SelectionKey.OP_READ);
        } catch (final IOException e) {
            reactor.shutdown(error);
            throw UserError.environment("No selector can be opened: " + e.getMessage() + ".", e);
        }
    }

    /**
     * The Reactor to connect and accept with.
     *
     * @return the Reactor of this thread
     */
    public Reactor reactor() {
        return reactor;
    }

    /**
     * Lets WebSocket connections speak JSON; before the first of them is made.
     *
     * @param dictionary of the fields
     * @param serviceId finds the id of a service by its name, negative where there is none
     * @throws UserError if the library cannot
     */
    public void speakJson(final FieldDictionary dictionary, final ToIntFunction<String> serviceId) {
        speaksJson = true;
        JsonPools.fill();
        final ReactorJsonConverterOptions json = ReactorFactory.createReactorJsonConverterOptions();
        json.dataDictionary(dictionary.codec());
        json.catchUnknownJsonFids(false);
        json.catchUnknownJsonKeys(false);
        json.serviceNameToIdCallback((service, event) -> {
            final int id = serviceId.applyAsInt(service.serviceName());
            if (id < 0) {
                return ReactorReturnCodes.FAILURE;
            }
            service.serviceId(id);
            return ReactorReturnCodes.SUCCESS;
        });
        if (reactor.initJsonConverter(json, error) < ReactorReturnCodes.SUCCESS) {
            throw UserError.environment(
                    "JSON cannot be used on WebSockets: " + Rssl.text(error) + ".");
        }
    }

    /**
     * Takes a connection that is up into the loop.
     *
     * @param channel of this Reactor
     */
    public void add(final ReactorChannel channel) {
        final ReactorChannel[] more = java.util.Arrays.copyOf(channels, channels.length + 1);
        more[channels.length] = channel;
        channels = more;
        register(channel);
    }

    /**
     * Listens to the connection's new descriptor.
     *
     * @param channel whose descriptor has changed
     */
    public void descriptorChanged(final ReactorChannel channel) {
        if (channel.oldSelectableChannel() != null) {
            final SelectionKey old = channel.oldSelectableChannel().keyFor(selector);
            if (old != null) {
                old.cancel();
            }
        }
        register(channel);
    }

    private void register(final ReactorChannel channel) {
        try {
            channel.selectableChannel().register(selector, SelectionKey.OP_READ);
        } catch (final ClosedChannelException _) {
            // its channel-down event is on the way
        }
    }

    /**
     * Takes a connection out of the loop and closes it.
     *
     * @param channel of this Reactor
     */
    public void remove(final ReactorChannel channel) {
        channels =
                java.util.Arrays.stream(channels)
                        .filter(each -> each != channel)
                        .toArray(ReactorChannel[]::new);
        if (channel.selectableChannel() != null) {
            final SelectionKey key = channel.selectableChannel().keyFor(selector);
            if (key != null) {
                key.cancel();
            }
        }
        channel.close(error);
    }

    /**
     * Dispatches available messages, at most those of one turn for each connection; callbacks run
     * inside.
     *
     * @param nowNs current time
     * @return whether there was more than one turn's worth
     */
    public boolean dispatch(final long nowNs) {
        hasMore = false;
        hasRead = false;
        if (nowNs - nextEventsNs >= 0 || nextEventsNs == Long.MIN_VALUE) {
            nextEventsNs = nowNs + EVENTS_PERIOD_NS;
            dispatchEvents();
        }
        final ReactorChannel[] current = channels;
        if (leftOver.isDue(nowNs)) {
            for (int i = 0; i < current.length; i++) {
                leftOver.flush(current[i]);
            }
        }
        for (int i = 0; i < current.length; i++) {
            hasMore |= dispatch(current[i]);
        }
        return hasMore;
    }

    private boolean dispatch(final ReactorChannel channel) {
        final boolean turn = JsonConverterLock.begin(channel);
        try {
            final boolean more = channel.dispatch(options, error) > ReactorReturnCodes.SUCCESS;
            hasRead |= options.readArgs().bytesRead() > 0;
            return more;
        } finally {
            JsonConverterLock.end(turn);
        }
    }

    private void dispatchEvents() {
        final ReactorChannel events = reactor.reactorChannel();
        final boolean turn = JsonConverterLock.begin(speaksJson); // a login is sent from here
        try {
            int left;
            do {
                left = events.dispatch(options, error);
            } while (left > ReactorReturnCodes.SUCCESS);
        } finally {
            JsonConverterLock.end(turn);
        }
    }

    /**
     * Waits as this thread's idle mode says, until there is something to read or the time is over.
     * While it has no connection there is nothing to spin for: it waits in the selector, which the
     * Reactor wakes once a connection is open.
     *
     * @param forNs at most this long
     */
    public void idle(final long forNs) {
        if (hasMore || forNs <= 0) {
            return;
        }
        if (hasRead) {
            idle.reset();
        }
        if (channels.length == 0) {
            sleep(forNs);
        } else {
            // a selector counts in ms: a shorter wait has to look again by itself
            idle.await(forNs < MS_NS ? Waker.NONE : waker, forNs);
        }
    }

    private void sleep(final long longestNs) {
        if (longestNs < MS_NS) {
            Waker.NONE.await(longestNs);
        } else {
            select(longestNs / MS_NS);
        }
    }

    private void select(final long ms) {
        try {
            selector.select(key -> nextEventsNs = Long.MIN_VALUE, ms);
        } catch (final IOException e) {
            throw UserError.environment("The selector failed: " + e.getMessage() + ".", e);
        }
    }

    /** Ends a wait of the loop's thread; any thread. */
    public void wake() {
        selector.wakeup();
    }

    /** Closes connections and Reactor; idempotent, on the loop's thread or after its end. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (final ReactorChannel channel : channels) {
            channel.close(error);
        }
        channels = new ReactorChannel[0];
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
