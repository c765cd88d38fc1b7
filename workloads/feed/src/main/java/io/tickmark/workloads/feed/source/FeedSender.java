package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.Pacer;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Transports;
import io.tickmark.transport.control.Control;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends a feed on a channel, and welcomes subscribers at any time. Single-threaded; allocates only
 * when a receiver connects.
 */
public final class FeedSender {
    private static final int BURST = 64;
    private static final int POLL_LIMIT = 16;
    private static final long END_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** For answers that nobody waits for: of receivers that may have left long ago. */
    private static final long OTHER_ANSWERS_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final NanoClock clock;
    private final Exchange exchange;
    private final Publication publication;
    private final Pacer pacer;
    private final Prices prices;
    private final Control control;
    private final boolean keepsOrder;
    private final FeedMessages messages = new FeedMessages();
    private final MessageHandler handler = this::onMessage;
    private final Set<Long> receivers = new HashSet<>();

    /** Of the receivers that have acknowledged the end, how much each has lost. */
    private final Map<Long, Long> lostByReceiver = new HashMap<>();

    private final FeedFigures figures = FeedFigures.COLUMNS.zero();
    private final UnsafeBuffer message;
    private final int length;
    private boolean isPrepared;
    private int step = FeedMessages.WARM_UP_STEP;
    private int sequence;
    private boolean isEnding;
    private long unheard;

    /**
     * A sender that has not started.
     *
     * @param plan of the feed, of one thread
     * @param exchange BIND side, the caller's to close
     * @param clock of the machine
     * @param control which identifies the trial in the stamps
     */
    public FeedSender(
            final FeedPlan plan,
            final Exchange exchange,
            final NanoClock clock,
            final Control control) {
        this.clock = clock;
        this.exchange = exchange;
        publication = exchange.publication();
        pacer = new Pacer(plan.settings().schedule());
        prices = plan.prices(0);
        this.control = control;
        keepsOrder = new Transports().of(exchange.channel()).traits(exchange.channel()).ordered();
        length = FeedMessages.TICK_AT + plan.settings().messageBytes();
        message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, Long.BYTES));
    }

    /**
     * Begins the schedule.
     *
     * @param startNs when the first message is wanted
     */
    public void start(final long startNs) {
        pacer.start(startNs);
    }

    /** The measured step begins: its messages count from 0. */
    public void beginMeasured() {
        if (keepsOrder) { // elsewhere some of the warm-up may come later than its end
            control.end(publication, step, FeedMessages.SOURCE, sentInStep(), false);
        }
        step = 0;
        sequence = 0;
        if (isPrepared) {
            stamp();
        }
    }

    /**
     * Ends the step: tells the receivers how many messages it had, until those that were asked for
     * have answered, or the time is over.
     *
     * @param wanted how many receivers there should be; others are not waited for as long
     * @param patienceNs how long
     * @param idle waits between two looks
     */
    public void end(final int wanted, final long patienceNs, final IdleStrategy idle) {
        isEnding = true;
        final long beginNs = clock.nanoTime();
        long nowNs = beginNs;
        long againNs = beginNs;
        do {
            if (nowNs - againNs >= 0) {
                againNs = nowNs + END_AGAIN_NS;
                control.end(publication, step, FeedMessages.SOURCE, sentInStep(), true);
            }
            idle.idle(attend());
            nowNs = clock.nanoTime();
        } while (confirmed() < Math.max(wanted, receivers.size())
                && nowNs - beginNs
                        < (confirmed() < wanted
                                ? patienceNs
                                : Math.min(patienceNs, OTHER_ANSWERS_NS)));
    }

    private long sentInStep() {
        return sequence - (isPrepared ? 1 : 0);
    }

    /**
     * Receivers that acknowledged the end.
     *
     * @return how many
     */
    public int confirmed() {
        return lostByReceiver.size();
    }

    /**
     * What those have lost of the step since they were there.
     *
     * @return messages of all of them together
     */
    public long lostAtReceivers() {
        return lostByReceiver.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Sends what is due.
     *
     * @return messages
     */
    public int send() {
        int count = 0;
        long nowNs = clock.nanoTime();
        while (count < BURST && pacer.isDue(nowNs) && offer(nowNs)) {
            pacer.sent(nowNs);
            isPrepared = false;
            count++;
            nowNs = clock.nanoTime();
        }
        figures.lagNs().set(Math.max(0, nowNs - pacer.intendedNs()));
        publication.flush();
        return count;
    }

    /** False where the engine does not take it now: it waits, and the wait is charged to it. */
    private boolean offer(final long nowNs) {
        if (!isPrepared) {
            prices.next(message, FeedMessages.TICK_AT);
            Tick.times(message, FeedMessages.TICK_AT, 0, 0);
            stamp();
            isPrepared = true;
        }
        Stamp.writeSentNs(message, 0, nowNs);
        final long position = publication.offer(message, 0, length);
        if (position >= 0) {
            figures.sent().increment();
            return true;
        }
        if (position == Publication.NOT_CONNECTED) {
            unheard++;
            return true;
        }
        figures.backPressured().increment();
        return false;
    }

    private void stamp() {
        messages.stamp(message, length, pacer.intendedNs(), sequence++, step, control.trialId());
    }

    /**
     * Drives the engine, and welcomes subscribers.
     *
     * @return amount of work done
     */
    public int attend() {
        return publication.doWork() + exchange.subscription().poll(handler, POLL_LIMIT);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int bytes) {
        if (!Stamp.isStamped(buffer, offset, bytes) || bytes < Stamp.FULL_LENGTH) {
            return;
        }
        final int flags = Stamp.flags(buffer, offset);
        if (flags == (Stamp.HELLO | Stamp.REPLY)) {
            onHello(buffer, offset);
        } else if (flags == (Stamp.END | Stamp.REPLY)
                && isEnding
                && Stamp.trialId(buffer, offset) == control.trialId()
                && Stamp.step(buffer, offset) == (step & 0xff)) {
            lostByReceiver.put(
                    Stamp.sentNs(buffer, offset), Math.max(0, Stamp.intendedNs(buffer, offset)));
        }
    }

    private void onHello(final DirectBuffer buffer, final int offset) {
        final long nonce = Stamp.intendedNs(buffer, offset);
        if (control.welcome(publication, Stamp.source(buffer, offset), nonce, Control.COUNTED_IN)
                && receivers.size() < FeedSettings.MAX_SYMBOLS) {
            receivers.add(nonce);
        }
    }

    /** Announces the publisher to a waiting receiver. */
    public void announce() {
        control.announce(publication);
    }

    /**
     * Receivers that said hello so far.
     *
     * @return how many different ones
     */
    public int receivers() {
        return receivers.size();
    }

    /**
     * Its figures so far.
     *
     * @return figures
     */
    public FeedFigures figures() {
        figures.maxLagNs().set(pacer.maxLagNs());
        figures.maxTightSends().set(pacer.maxTightSends());
        return FeedFigures.COLUMNS.sum(List.of(figures));
    }

    /**
     * Messages that the engine took so far.
     *
     * @return how many
     */
    public long sent() {
        return figures.sent().get();
    }

    /**
     * The lag of the next message behind its intended time at the last send.
     *
     * @return ns, 0 where it was not due
     */
    public long lagNs() {
        return figures.lagNs().get();
    }

    /** Resets the maxima: a measurement begins. */
    public void forgetMaxima() {
        pacer.forgetMaxima();
    }

    /**
     * Messages that were due while there was no subscriber.
     *
     * @return how many, none of them sent
     */
    public long unheard() {
        return unheard;
    }
}
