package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.Receiving;
import io.tickmark.workloads.messaging.StepReceiver;
import io.tickmark.workloads.messaging.latency.LatencyPubSettings.EchoKind;
import io.tickmark.workloads.messaging.session.Exchanges;
import io.tickmark.workloads.messaging.session.FailedWait;
import io.tickmark.workloads.messaging.session.PublisherSession;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Sends pings and receives echoes; has no schedule and records nothing. Single-threaded, allocates
 * nothing while pinging.
 */
final class Pinger {
    /** Called for each echo of the current step that arrived in time. */
    interface EchoListener {
        void onEcho(long nowNs, long intendedNs, int sequence);
    }

    /** Source of the stamps. */
    static final int TOPIC_ID = 1;

    private static final int POLL_LIMIT = 16;

    /** Pings of one size in a row while warming up. */
    private static final int WARM_UP_PINGS = 100;

    /** Pings whose positions are remembered where the kernel stamps them. */
    private static final int POSITIONS = 1 << 14;

    /**
     * While waiting the clock is read once in this many polls: a read costs as much as a poll of
     * shared memory.
     */
    private static final long CLOCK_EVERY = 31;

    private final NanoClock clock;
    private final RoleContext context;
    private final LatencyPubSettings settings;
    private final Exchange exchange;
    private final Publication publication;
    private final Subscription subscription;
    private final PublisherSession session;
    private final OutgoingMessage message;
    private final long timeoutNs;
    private final boolean looks;
    private final Idle idle;
    private final StallWatch watch;
    private final StampChecksum checksum = new StampChecksum();
    private final SequenceTracker echoes = new SequenceTracker();
    private final MessageHandler handler = this::onMessage;

    /** Of pings by sequence; empty where the kernel stamps none. */
    private final long[] positions;

    private EchoListener listener = (nowNs, intendedNs, sequence) -> {};
    private int step;
    private int flags;
    private int payloadBytes;
    private long sent;
    private long refused;
    private long corrupted;
    private long stale;
    private int staleBytes;
    private long inTime;
    private long sentNs;
    private int lastEcho;

    Pinger(
            final Exchange exchange,
            final PublisherSession session,
            final OutgoingMessage message,
            final LatencyPubSettings settings,
            final RoleContext context) {
        this.session = session;
        this.message = message;
        this.settings = settings;
        this.context = context;
        clock = context.clock();
        timeoutNs = settings.pingTimeout().toNanos();
        this.exchange = exchange;
        publication = exchange.publication();
        subscription = exchange.subscription();
        positions = new long[subscription.kernelStamps().areKept() ? POSITIONS : 0];
        idle = context.idleStrategy(LatencyPublisher.Factory.THREAD);
        looks = idle.mode().sleeps();
        watch =
                context.recording()
                        .stalls()
                        .watch(
                                LatencyPublisher.Factory.THREAD.name(),
                                StallWatch.Part.SEND_AND_RECEIVE,
                                idle.mode().notWatched());
        idle.watch(watch);
    }

    /** Begins to watch for stalls of this thread, until {@link #endWatch}. */
    void beginWatch() {
        watch.begin();
    }

    void endWatch() {
        watch.end();
    }

    /** The clock was read. */
    void look(final long nowNs) {
        watch.look(nowNs);
    }

    /** Clears all counts for a step; its echoes are passed to the listener. */
    void begin(
            final int newStep,
            final int newPayloadBytes,
            final int newFlags,
            final EchoListener newListener) {
        step = newStep;
        payloadBytes = newPayloadBytes;
        flags = newFlags;
        listener = newListener;
        echoes.reset();
        sent = 0;
        refused = 0;
        corrupted = 0;
        stale = 0;
        inTime = 0;
        lastEcho = -1;
        watch.restart();
    }

    /** Clears all counts for a step of the warm-up, with all sizes in turn. */
    void beginWarmUp(final int newStep, final EchoListener newListener) {
        begin(newStep, settings.sweep().getFirst(), Stamp.WARM_UP, newListener);
    }

    /** Sets the size from the next ping on; echoes of another size are stale. */
    void resize(final int newPayloadBytes) {
        payloadBytes = newPayloadBytes;
    }

    /** Stamps the next ping; to be called again only once it was sent. */
    void prepare(final long intendedNs) {
        message.prepare(
                message.buffer(), payloadBytes, intendedNs, (int) sent, flags, step, TOPIC_ID);
    }

    /** Offers the prepared ping; false when the engine refused it for now. */
    boolean offer() {
        sentNs = clock.nanoTime();
        watch.look(sentNs);
        watch.worked(); // a send may take long, and is not a stall
        message.stampSent(message.buffer(), payloadBytes, sentNs);
        final long position = publication.offer(message.buffer(), 0, payloadBytes);
        if (position >= 0) {
            publication.flush();
            if (positions.length > 0) {
                positions[(int) sent & positions.length - 1] = position;
            }
            sent++;
            idle.restart();
            return true;
        }
        if (position == Publication.CLOSED || position == Publication.TOO_LONG) {
            throw ended(position);
        }
        refused++;
        publication.doWork();
        return false;
    }

    private UserError ended(final long refusal) {
        return UserError.environment(
                (refusal == Publication.TOO_LONG
                                ? FailedWait.at(exchange.channel())
                                        + "the engine accepts no pings of %d bytes; send shorter ones."
                                                .formatted(payloadBytes)
                                : "The engine closed the publication while pinging.")
                        + Exchanges.firstNote(List.of(exchange)));
    }

    /** Adds how it waits for echoes. */
    void describe(final Map<String, Object> metrics) {
        Receiving.describe(idle, subscription, metrics);
    }

    /** Whether the kernel stamps pings and echoes. */
    KernelStamps kernelStamps() {
        return subscription.kernelStamps().and(publication.kernelStamps());
    }

    /** Which times are known of a ping. */
    MessageLog.Kind messageKind() {
        return positions.length > 0 ? MessageLog.Kind.STAMPED : MessageLog.Kind.RECEIVED;
    }

    /** Tells a log the kernel's times of a ping whose echo is being taken. */
    void stamp(final int sequence, final MessageLog log) {
        if (positions.length == 0) {
            return;
        }
        final long arrivedNs = subscription.arrivedNs();
        if ((int) sent - sequence > positions.length) {
            log.stamped(0, 0, arrivedNs, 0);
            return;
        }
        final long position = positions[sequence & positions.length - 1];
        final long outNs = publication.cardDepartedNs(position);
        final long backNs = subscription.cardArrivedNs();
        log.stamped(
                publication.queuedNs(position),
                publication.departedNs(position),
                arrivedNs,
                outNs == 0 || backNs == 0 ? 0 : backNs - outNs);
    }

    /** When the last ping was offered. */
    long sentNs() {
        return sentNs;
    }

    /** Handles what has arrived. */
    int poll() {
        final int work = subscription.poll(handler, POLL_LIMIT) + publication.doWork();
        if (work > 0) {
            watch.worked();
            idle.reset();
        }
        return work;
    }

    /** Waits as the idle mode says; nothing has arrived. */
    void idle() {
        idle.await(subscription, Idle.NEVER_DUE);
    }

    /** The same, with a ping due after the given time. */
    void idle(final long untilDueNs) {
        if (isAllAnswered()) {
            idle.awaitDue(subscription, untilDueNs);
        } else {
            idle.await(subscription, untilDueNs);
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final long nowNs = clock.nanoTime();
        watch.look(nowNs);
        if (!Stamp.isStamped(buffer, offset, length)) {
            onStale(length);
            return;
        }
        final int arrived = Stamp.flags(buffer, offset);
        if ((arrived & (Stamp.HELLO | Stamp.END)) != 0) {
            session.onControl(buffer, offset, length, arrived);
        } else if (length == payloadBytes && isCorrupted(buffer, offset, length)) {
            corrupted++; // checked before its step and trial are read, as those may be corrupted
        } else if (length != payloadBytes
                || Stamp.step(buffer, offset) != (step & 0xff)
                || isOfAnotherTrial(buffer, offset, length)) {
            onStale(length);
        } else if (echoes.onMessage(Stamp.sequence(buffer, offset))) {
            onNewEcho(nowNs, Stamp.intendedNs(buffer, offset), Stamp.sequence(buffer, offset));
        }
    }

    private void onStale(final int length) {
        stale++;
        staleBytes = length;
    }

    /** An echo that arrives after the time-out is not a latency: its ping has timed out. */
    private void onNewEcho(final long nowNs, final long intendedNs, final int sequence) {
        if (nowNs - intendedNs <= timeoutNs) {
            inTime++;
            lastEcho = sequence;
            listener.onEcho(nowNs, intendedNs, sequence);
        }
    }

    private boolean isOfAnotherTrial(
            final DirectBuffer buffer, final int offset, final int length) {
        return length >= Stamp.FULL_LENGTH && Stamp.trialId(buffer, offset) != session.trialId();
    }

    private boolean isCorrupted(final DirectBuffer buffer, final int offset, final int length) {
        return settings.verify()
                && length >= Stamp.FULL_LENGTH
                && Stamp.checksum(buffer, offset) != checksum.of(buffer, offset, length);
    }

    /** Pings that the engine accepted. */
    long sent() {
        return sent;
    }

    /** Pings whose echo arrived neither in time nor corrupted; each ping is counted once. */
    long timedOut() {
        return Math.max(0, sent - inTime - corrupted);
    }

    /** Whether every ping has had an echo, in time, late or corrupted. */
    boolean isAllAnswered() {
        return echoes.received() + corrupted >= sent;
    }

    /**
     * The step's counts. Only the publisher knows what an external echo service received; our own
     * subscriber reports it itself.
     */
    void addTo(final Map<String, Long> counts) {
        counts.put(Counts.SENT, sent);
        counts.put(Counts.BACK_PRESSURED, refused);
        counts.put(Counts.STALE, stale);
        counts.put(Counts.DUPLICATED, echoes.duplicated());
        if (settings.echo() == EchoKind.EXTERNAL) {
            counts.put(Counts.RECEIVED, inTime);
            counts.put(Counts.REORDERED, echoes.reordered());
        }
        if (settings.verify()) {
            counts.put(Counts.CORRUPTED, corrupted);
        }
    }

    /**
     * One ping and its echo, intact or corrupted; false when it timed out or the trial was stopped.
     */
    boolean pingOnce(final long waitNs) {
        final long startNs = clock.nanoTime();
        final long corruptedBefore = corrupted;
        prepare(startNs);
        long spins = 0;
        while (!offer()) {
            poll();
            if (isOver(startNs, waitNs)) {
                return false;
            }
        }
        final int expected = (int) (sent - 1);
        while (lastEcho != expected && corrupted == corruptedBefore) {
            if (poll() == 0) {
                idle();
                watch.lookAfterEmptyPoll();
            }
            if ((looks || (++spins & CLOCK_EVERY) == 0) && isOver(startNs, waitNs)) {
                break;
            }
        }
        return lastEcho == expected
                || corrupted > corruptedBefore; // it may have arrived with the last poll
    }

    private boolean isOver(final long startNs, final long waitNs) {
        return context.isStopped() || clock.nanoTime() - startNs > waitNs;
    }

    /**
     * Pings one after the other until the given time, all sizes in turn; a foreign echo service may
     * lose some.
     */
    void pingAllSizesUntil(final long endNs) {
        while (!isAt(endNs)) {
            for (final int size : settings.sweep()) {
                resize(size);
                for (int i = 0; i < WARM_UP_PINGS && !isAt(endNs); i++) {
                    pingOnce(settings.pingTimeout().toNanos());
                }
            }
        }
    }

    private boolean isAt(final long endNs) {
        return clock.nanoTime() - endNs >= 0 || context.isStopped();
    }

    /** Pings a foreign echo service until it answers. */
    void findEcho(final ChannelUri channel, final Exchange exchange) {
        final long endNs = clock.nanoTime() + context.connectTimeoutNs();
        beginWarmUp(StepReceiver.FIRST_WARM_UP_STEP, (nowNs, intendedNs, sequence) -> {});
        while (!pingOnce(Math.min(100_000_000, settings.pingTimeout().toNanos()))) {
            if (clock.nanoTime() - endNs > 0 || context.isStopped()) {
                throw UserError.environment(
                        FailedWait.at(channel)
                                + (stale == 0
                                        ? "no echo came back"
                                        : String.format(
                                                Locale.ROOT,
                                                "it answers, but does not send back what it got"
                                                        + " (%,d bytes came back for %,d): no echo",
                                                staleBytes,
                                                payloadBytes))
                                + FailedWait.ended(
                                        context,
                                        "start an echo service there (RFC 862), or check the address.",
                                        List.of(exchange)));
            }
        }
    }

    /** Keeps the engine going until the start. */
    void waitUntil(final long startAtNs) {
        while (clock.nanoTime() - startAtNs < 0 && !context.isStopped()) {
            poll();
            Thread.onSpinWait();
        }
    }
}
