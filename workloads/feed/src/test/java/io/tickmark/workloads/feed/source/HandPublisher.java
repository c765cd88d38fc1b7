package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.transport.control.Control;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A publisher written by hand: it sends what the test says, on this host or as if it were on
 * another one. One thread.
 */
public final class HandPublisher implements AutoCloseable {
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final int TRIAL = 4711;

    private final FeedMessages messages = new FeedMessages();
    private final MessageHandler handler = this::onMessage;
    private final Control control = new Control(TRIAL);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
    private final Exchange exchange;
    private final long host;
    private boolean isGreeted;
    private int sequence;
    private final Map<Integer, Long> replies = new HashMap<>();

    public HandPublisher(final String channel) {
        this(channel, HostId.VALUE);
    }

    /** {@code host} is the identity of its clock. */
    public HandPublisher(final String channel, final long host) {
        this.host = host;
        final ChannelUri uri = ChannelUri.parse(channel);
        exchange =
                new Transports()
                        .of(uri)
                        .exchange(uri, Topic.of(List.of("feed")).getFirst(), ExchangeSide.BIND, 0);
    }

    public String channel() {
        return exchange.channel().toString();
    }

    /** Welcomes who says hello; whether somebody has. */
    public boolean attend() {
        exchange.publication().doWork();
        exchange.subscription().poll(handler, 16);
        return isGreeted;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final int flags = Stamp.flags(buffer, offset);
        if (flags == (Stamp.HELLO | Stamp.REPLY)) {
            Stamp.write(
                    message,
                    0,
                    Stamp.intendedNs(buffer, offset),
                    Control.COUNTED_IN,
                    Stamp.WELCOME,
                    0,
                    Stamp.source(buffer, offset));
            Stamp.writeTrialId(message, 0, TRIAL);
            Stamp.writeSentNs(message, 0, host);
            offer(Stamp.FULL_LENGTH);
            isGreeted = true;
        } else if (flags == (Stamp.END | Stamp.REPLY)) {
            replies.put(Stamp.step(buffer, offset), Stamp.intendedNs(buffer, offset));
        }
    }

    public void awaitReceiver() {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (!attend() && System.nanoTime() < endNs) {
            LockSupport.parkNanos(100_000);
        }
    }

    private void offer(final int length) {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        long taken = exchange.publication().offer(message, 0, length);
        while (taken < 0 && taken != Publication.NOT_CONNECTED && System.nanoTime() < endNs) {
            LockSupport.parkNanos(50_000);
            taken = exchange.publication().offer(message, 0, length);
        }
        exchange.publication().flush();
    }

    /** The next price of a symbol, which was due at a time and is sent now. */
    public void sendPrice(final int symbol, final long dueNs) {
        sendPrice(symbol, sequence++, dueNs);
    }

    /** A price with any number. */
    void sendPrice(final int symbol, final int number, final long dueNs) {
        Tick.identity(message, FeedMessages.TICK_AT, symbol, 1);
        Tick.quote(message, FeedMessages.TICK_AT, 1, 2);
        Tick.trade(message, FeedMessages.TICK_AT, 1, 1, 1);
        Tick.times(message, FeedMessages.TICK_AT, 0, 0);
        messages.stamp(message, FeedMessages.TICK_AT + Tick.LENGTH, dueNs, number, 0, TRIAL);
        Stamp.writeSentNs(message, 0, System.nanoTime());
        offer(FeedMessages.TICK_AT + Tick.LENGTH);
    }

    /** A stream's message; the steps of its warm-up are negative. */
    void sendStream(final int step, final int source, final int number) {
        final long nowNs = System.nanoTime();
        Stamp.write(message, 0, nowNs, number, step < 0 ? Stamp.WARM_UP : 0, step, source);
        Stamp.writeTrialId(message, 0, TRIAL);
        Stamp.writeSentNs(message, 0, nowNs);
        offer(Stamp.FULL_LENGTH);
    }

    /**
     * Ends a step of a source; how many of its messages the receiver has lost, -1 for no answer.
     */
    public long end(final int step, final int source, final long sent) {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (!replies.containsKey(step & 0xff) && System.nanoTime() < endNs) {
            announceEnd(step, source, sent);
            LockSupport.parkNanos(1_000_000);
            attend();
        }
        return replies.getOrDefault(step & 0xff, -1L);
    }

    /** Says once that a step has ended. */
    void announceEnd(final int step, final int source, final long sent) {
        control.end(exchange.publication(), step, source, sent, false);
        attend();
    }

    /** Whose end was acknowledged. */
    Set<Integer> repliedSteps() {
        return replies.keySet();
    }

    @Override
    public void close() {
        exchange.close();
    }
}
