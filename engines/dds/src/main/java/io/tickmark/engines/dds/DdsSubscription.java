package io.tickmark.engines.dds;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * A DDS reader. Where it listens, the library's receive thread only counts up that something came,
 * and the polling thread takes it: an idle poll is a look at one variable. {@link #run} goes
 * further and takes and handles samples on the receive thread itself, which spares the hand-over to
 * another thread.
 */
final class DdsSubscription implements Subscription {
    private static final long LONGEST_WAIT_NS = 100_000_000;
    private static final long STOP_LOOK_NS = 10_000_000;

    private final DdsChannel channel;
    private final Reader reader;
    private final SampleReader samples;
    private final boolean listens;

    /** How many ask for samples to be taken; whoever made it 1 takes for all. */
    private final AtomicInteger wishes = new AtomicInteger();

    private volatile long arrivals;
    private volatile Thread waiting;
    private volatile MessageHandler direct;
    private volatile Thread runner;
    private KeptMessages kept = KeptMessages.NONE;
    private boolean takenByLibrary; // of whoever takes for all
    private volatile RuntimeException failure;
    private long seen;
    private boolean closed;

    DdsSubscription(final DdsChannel channel, final Domains.Lease lease, final String topic) {
        this.channel = channel;
        listens = channel.parameters().receive() == Reception.LISTENER;
        reader = new Reader(channel, lease, topic, listens ? this::onData : null);
        samples = new SampleReader(reader.entity(), channel.parameters().maxPayloadBytes());
    }

    /** On the library's thread; it calls for one reader never twice at a time. */
    private void onData() {
        arrivals++;
        if (direct != null) {
            takeDirectly(true);
            return;
        }
        final Thread waiter = waiting;
        if (waiter != null) {
            LockSupport.unpark(waiter);
        }
    }

    /** Takes on whichever thread comes first, for all that come meanwhile; throws nothing. */
    private void takeDirectly(final boolean byLibrary) {
        if (wishes.getAndIncrement() != 0) {
            return;
        }
        takenByLibrary = byLibrary;
        int granted;
        do {
            granted = wishes.get();
            final MessageHandler handler = direct;
            if (handler != null && failure == null) {
                takeAll(handler);
            }
        } while (!wishes.compareAndSet(granted, 0));
        if (byLibrary && !kept.isEmpty()) {
            LockSupport.unpark(runner);
        }
    }

    private void takeAll(final MessageHandler handler) {
        try {
            if (!takenByLibrary) {
                kept.send();
            }
            samples.take(handler, Integer.MAX_VALUE);
        } catch (final RuntimeException e) {
            failure = e;
        } catch (final Error e) {
            failure = new IllegalStateException(e);
        }
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        if (closed) {
            return 0;
        }
        if (!listens) {
            return samples.take(handler, limit);
        }
        final long now = arrivals;
        if (now == seen) {
            return 0;
        }
        final int handedOver = samples.take(handler, limit);
        if (samples.isDrained()) {
            seen = now;
        }
        return handedOver;
    }

    @Override
    public void run(
            final MessageHandler handler,
            final IdleStrategy idleStrategy,
            final BooleanSupplier stop) {
        if (!listens) {
            while (!stop.getAsBoolean()) {
                idleStrategy.idle(poll(handler, Integer.MAX_VALUE));
            }
            return;
        }
        runner = Thread.currentThread();
        direct = handler;
        try {
            takeDirectly(false); // what came before
            // What was handled is seen here, because the receive thread wrote wishes after it.
            while (wishes.get() >= 0 && !stop.getAsBoolean() && failure == null) {
                if (kept.isEmpty()) {
                    LockSupport.parkNanos(STOP_LOOK_NS);
                } else {
                    takeDirectly(false); // meanwhile the library's thread reads what makes room
                }
            }
        } finally {
            direct = null;
            while (wishes.get() != 0) {
                Thread.onSpinWait();
            }
            seen = arrivals - 1; // poll looks once more
            kept.send();
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean runsOnOwnThread() {
        return listens;
    }

    @Override
    public void await(final long timeoutNs) {
        final long longestNs = Math.min(timeoutNs, LONGEST_WAIT_NS);
        if (closed) {
            LockSupport.parkNanos(longestNs);
        } else if (!listens) {
            reader.await(longestNs);
        } else {
            waiting = Thread.currentThread();
            if (arrivals == seen) {
                LockSupport.parkNanos(longestNs);
            }
            waiting = null;
        }
    }

    @Override
    public boolean isConnected() {
        return !closed && reader.matches().count() > 0;
    }

    @Override
    public long lost() {
        return closed ? 0 : reader.lost();
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    /**
     * Whoever answers from within a handler of {@link #run} keeps there what the library refuses on
     * its own thread.
     */
    void keeps(final KeptMessages messages) {
        kept = messages;
    }

    /** Whether the handler that asks runs on the library's thread. */
    boolean isTakenByLibrary() {
        return direct != null && takenByLibrary;
    }

    String incompatible() {
        return closed ? "" : reader.incompatible();
    }

    String otherTypes() {
        return closed ? "" : reader.writers().otherTypes();
    }

    long undecodable() {
        return reader.undecodable();
    }

    long tooLong() {
        return samples.tooLong();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(ChannelFacts.of(channel));
        if (!closed) {
            facts.put("matchedWriters", reader.matches().count());
            facts.put("lostByDds", reader.lost());
            facts.put("tooLong", samples.tooLong());
            reader.addFacts(facts);
        }
        return facts;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            reader.close(); // no call-back comes after this
            samples.close();
        }
    }
}
