package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tickmark.kernel.stamp.Stamp;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;

/**
 * What a transport tells the contract test about itself, and the means to drive both ends from one
 * thread. Everything opened through it is closed after the test.
 */
public abstract class TransportFixture {
    static final int BINDER = Topic.DEFAULT.id();
    static final int LENGTH = 64;
    static final int OUTBOX_BYTES = 1 << 20;
    static final NanoClock CLOCK = SystemNanoClock.INSTANCE;
    private static final long SPINS_BEFORE_PARKING = 200;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** For subclasses. */
    protected TransportFixture() {}

    /**
     * The transport under test.
     *
     * @return as the ServiceLoader would make it
     */
    protected abstract Transport transport();

    /**
     * A channel that is not in use yet, as the user of the binding side writes it: port 0, no name
     * or a unique one.
     *
     * @return another one on every call
     */
    protected abstract ChannelUri channel();

    /**
     * Channels of the right scheme with an invalid address; each has to cause a usage error.
     *
     * @return at least one
     */
    protected abstract List<ChannelUri> badAddresses();

    /**
     * Which side of a one-way stream has to be opened first because it owns the address.
     *
     * @return true for subscriptions (udp), false for publications (tcp, shm)
     */
    protected boolean subscriptionBinds() {
        return false;
    }

    /**
     * Whether another process can be the other end.
     *
     * @return false for channels within one process
     */
    protected boolean crossesProcesses() {
        return true;
    }

    /**
     * Whether a second BIND side on the same address is refused.
     *
     * @return false where the engine shares addresses
     */
    protected boolean bindsExclusively() {
        return true;
    }

    /**
     * Whether a CONNECT side that stays reconnects to the BIND side after it was restarted on the
     * same channel.
     *
     * @return false where the BIND side runs the engine
     */
    protected boolean followsRestart() {
        return true;
    }

    /**
     * More bytes than fit between a publication and a subscription that does not poll.
     *
     * @return bytes, with all buffers in between
     */
    protected long bufferedBytes() {
        return 64L << 20;
    }

    /**
     * How long anything at all may take before the test fails.
     *
     * @return generous: the machine may be loaded
     */
    protected Duration patience() {
        return Duration.ofMinutes(2);
    }

    @AfterEach
    void closeAll() {
        CloseHelper.closeAll(opened);
    }

    final <T extends AutoCloseable> T opened(final T closeable) {
        opened.push(closeable);
        return closeable;
    }

    final Exchange bind(final ChannelUri channel) {
        return opened(transport().exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0));
    }

    final Exchange connect(final Exchange bound, final int cookie) {
        return opened(
                transport().exchange(bound.channel(), Topic.DEFAULT, ExchangeSide.CONNECT, cookie));
    }

    final Ends ends(final Publication publication, final Subscription subscription, final int id) {
        return new Ends(publication, subscription, id, new Inbox(), new Outbox(id, OUTBOX_BYTES));
    }

    final Ends ends(final Exchange exchange, final int id) {
        return ends(exchange.publication(), exchange.subscription(), id);
    }

    /** Opens a one-way stream, the binding side first, and waits until it is connected. */
    final Ends stream() {
        final Ends stream = subscriptionBinds() ? streamToBound() : streamFromBound();
        until(
                "the stream is connected",
                () -> {
                    stream.pump();
                    return stream.publication.subscriberCount() != 0
                            && stream.subscription.isConnected();
                });
        return stream;
    }

    private Ends streamToBound() {
        final Subscription first = opened(transport().subscription(channel(), Topic.DEFAULT));
        return ends(opened(transport().publication(first.channel(), Topic.DEFAULT)), first, BINDER);
    }

    private Ends streamFromBound() {
        final Publication first = opened(transport().publication(channel(), Topic.DEFAULT));
        return ends(
                first, opened(transport().subscription(first.channel(), Topic.DEFAULT)), BINDER);
    }

    /** Drives both until the BIND side has received each CONNECT side's hello. */
    final void meet(final Ends binder, final Ends... connectors) {
        for (final Ends connector : connectors) {
            until(
                    "BIND hears cookie " + connector.id,
                    () -> {
                        binder.outbox.offerHello(binder.publication, Stamp.HELLO);
                        connector.outbox.offerHello(
                                connector.publication, Stamp.HELLO | Stamp.REPLY);
                        connector.pump();
                        binder.pump();
                        return binder.inbox.heard(connector.id);
                    });
        }
    }

    /** Offers one message until it is taken, driving others meanwhile. */
    final void send(
            final Outbox outbox,
            final Publication publication,
            final int sequence,
            final int length,
            final Runnable meanwhile) {
        until(
                "message " + sequence + " is taken",
                () -> {
                    final long position = outbox.offer(publication, sequence, length);
                    if (position < 0) {
                        assertThat(position)
                                .isIn(
                                        Publication.BACK_PRESSURED,
                                        Publication.NOT_CONNECTED,
                                        Publication.ADMIN_ACTION);
                        publication.doWork();
                        meanwhile.run();
                    }
                    return position >= 0;
                });
        until(
                "message " + sequence + " is flushed",
                () -> {
                    final boolean flushed = publication.flush() >= 0;
                    if (!flushed) {
                        meanwhile.run();
                    }
                    return flushed;
                });
    }

    /** Waits for something that has to happen, with a deadline. */
    final void until(final String what, final BooleanSupplier condition) {
        final long startNs = CLOCK.nanoTime();
        for (long tries = 0; !condition.getAsBoolean(); tries++) {
            if (CLOCK.nanoTime() - startNs > patience().toNanos()) {
                fail("not within " + patience() + ": " + what);
            }
            if (tries > SPINS_BEFORE_PARKING) {
                LockSupport.parkNanos(50_000);
            } else {
                Thread.yield();
            }
        }
    }

    /**
     * One side of an exchange, or both ends of a one-way stream, with what was received.
     *
     * @param publication sends with {@code outbox}
     * @param subscription received into {@code inbox}
     * @param id source of what it sends
     * @param inbox what was received
     * @param outbox writes what is sent
     */
    record Ends(
            Publication publication,
            Subscription subscription,
            int id,
            Inbox inbox,
            Outbox outbox) {
        /** Drives both and receives what is available. */
        void pump() {
            publication.doWork();
            subscription.poll(inbox, 16);
        }
    }
}
