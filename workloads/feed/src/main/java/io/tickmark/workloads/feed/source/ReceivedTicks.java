package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.feed.source.FeedFigures.FeedCounts;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Converts received messages to ticks: messages of a feed unchanged, and those of a stream as one
 * symbol for each of its topics, with the number of the message as price and its length as size.
 * Counts the numbers that are missing, in each step of a stream by themselves. Single-threaded;
 * allocates only for a source that is new.
 */
final class ReceivedTicks {
    /** Answer to an end where it is not known how many messages are missing, or not yet. */
    static final long UNKNOWN = -1;

    private static final int SOURCES = 1 << 16;

    /** Silence after which missing messages count as lost where messages may overtake another. */
    private static final long QUIET_NS = 200_000_000;

    /**
     * A publisher that is there is heard more often: after a second it is asked. One that does not
     * answer while it sends has paused before for half as long at most as it may.
     */
    private static final long MAX_SILENCE_NS = 3_000_000_000L;

    private static final int PAUSES = 2;

    private final FeedMessages messages = new FeedMessages();
    private final FeedClock time;
    private final TickSink[] sinks;
    private final FeedCounts counts;
    private final BooleanSupplier isStopped;
    private final int symbols;
    private final boolean keepsOrder;
    private final OfSource[] sources = new OfSource[SOURCES];
    private final int[] volumes;

    /** When the publisher was last heard, ns after the epoch, and its longest pause; 0 for none. */
    private final Counter heardNs = Counter.detached("heardNs");

    private final Counter longestPauseNs = Counter.detached("longestPauseNs");
    private int step;
    private int trialId;
    private boolean hasBegun;
    private volatile boolean hasEnded;

    /** Steps begun so far: what is known of a source may be of an earlier one. */
    private int steps;

    /**
     * Whether what is missing before the first message may have been sent before this was there; of
     * all later steps of the same trial it is lost.
     */
    private boolean isHeadFree;

    /** When a message of the current step, or the first end of one of its sources, came last. */
    private long lastOfStepNs;

    /** What came of one source in the current step. */
    private static final class OfSource {
        private final SequenceTracker tracker = new SequenceTracker();
        private int step;

        /** How many its publisher says it has sent; 0 before its end. */
        private long sent;

        /** Of the lost, those that are counted already. */
        private long counted;

        /** Arrived, but of no symbol. */
        private long skipped;

        void begin(final int newStep) {
            step = newStep;
            tracker.reset();
            sent = 0;
            counted = 0;
            skipped = 0;
        }
    }

    ReceivedTicks(
            final FeedSettings settings,
            final boolean keepsOrder,
            final FeedClock time,
            final TickSink[] sinks,
            final FeedCounts counts,
            final BooleanSupplier isStopped) {
        this.keepsOrder = keepsOrder;
        this.time = time;
        this.sinks = sinks.clone();
        this.counts = counts;
        this.isStopped = isStopped;
        symbols = settings.symbols();
        volumes = new int[symbols];
    }

    /** The publisher gave a sign: a message, a welcome, an end. */
    void heard(final long nowNs) {
        final long afterEpochNs = Math.max(1, nowNs - time.epochNs());
        if (heardNs.get() != 0 && afterEpochNs - heardNs.get() > longestPauseNs.get()) {
            longestPauseNs.set(afterEpochNs - heardNs.get());
        }
        heardNs.set(afterEpochNs);
    }

    /** What is known of the publisher; any thread. */
    SourceState source(final long nowNs) {
        final long lastNs = heardNs.get();
        if (lastNs == 0) {
            return SourceState.NONE;
        }
        final long silentNs = nowNs - time.epochNs() - lastNs;
        final long maxNs = Math.max(MAX_SILENCE_NS, PAUSES * longestPauseNs.get());
        return new SourceState(true, hasEnded, silentNs > maxNs ? silentNs : 0);
    }

    /** A message that is stamped and no control message. */
    void onData(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final boolean isOnOurClock) {
        final int source = Stamp.source(buffer, offset);
        final boolean isTick = source == FeedMessages.SOURCE;
        if (isTick ? !messages.isWhole(buffer, offset, length) : source > symbols) {
            counts.live().skipped().increment();
            return;
        }
        final int symbol = isTick ? Tick.symbol(buffer, offset + FeedMessages.TICK_AT) : source - 1;
        final boolean isOurs = symbol >= 0 && symbol < symbols;
        final long nowNs = time.clock().nanoTime();
        number(buffer, offset, length, isOurs, nowNs);
        if (!isOurs) {
            counts.live().skipped().increment();
            return;
        }
        final long intendedNs = isOnOurClock ? Stamp.intendedNs(buffer, offset) : nowNs;
        final long lagNs =
                isOnOurClock && length >= Stamp.FULL_LENGTH
                        ? Math.max(0, Stamp.sentNs(buffer, offset) - intendedNs)
                        : 0;
        volumes[symbol] += length;
        for (final TickSink sink : sinks) {
            final int claim = claim(sink);
            if (claim == TickSink.NO_ROOM) {
                return; // it ends
            }
            final MutableDirectBuffer to = sink.buffer();
            if (isTick) {
                to.putBytes(claim, buffer, offset + FeedMessages.TICK_AT, Tick.LENGTH);
            } else {
                stream(to, claim, symbol, Stamp.sequence(buffer, offset), length);
            }
            Tick.times(to, claim, intendedNs - time.epochNs(), isOnOurClock ? lagNs : Tick.NO_LAG);
            sink.commit(claim);
        }
        counts.received(lagNs);
        if (!isOnOurClock) {
            counts.live().fromArrival().increment();
        }
    }

    /** Waits for room: a message taken off the channel cannot be put back. */
    private int claim(final TickSink sink) {
        int claim = sink.claim();
        while (claim == TickSink.NO_ROOM && !isStopped.getAsBoolean()) {
            counts.live().backPressured().increment();
            LockSupport.parkNanos(1);
            claim = sink.claim();
        }
        return claim;
    }

    private void stream(
            final MutableDirectBuffer to,
            final int claim,
            final int symbol,
            final int sequence,
            final int length) {
        Tick.identity(to, claim, symbol, sequence + 1);
        Tick.quote(to, claim, 0, 0);
        Tick.trade(to, claim, sequence & Integer.MAX_VALUE, length, volumes[symbol]);
    }

    private void number(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final boolean isOurs,
            final long nowNs) {
        final int trial = length >= Stamp.FULL_LENGTH ? Stamp.trialId(buffer, offset) : trialId;
        if (!isOfStep(trial, Stamp.step(buffer, offset))) {
            return;
        }
        lastOfStepNs = nowNs;
        final OfSource from = of(Stamp.source(buffer, offset));
        if (from.tracker.onMessage(Stamp.sequence(buffer, offset)) && !isOurs) {
            from.skipped++;
        }
        count(from);
    }

    /** A publisher has welcomed this: messages of its trial are numbered from here on. */
    void onWelcome(final int trial) {
        if (trial != trialId) {
            trialId = trial;
            hasBegun = false;
            hasEnded = false;
            heardNs.set(0); // until it came, it was no pause of this one
            longestPauseNs.set(0);
        }
    }

    /**
     * A publisher says how many messages a source had in a step; it repeats that until it is
     * answered.
     *
     * @return how many of them are in no feed: they did not come, or were skipped; {@link #UNKNOWN}
     *     where it is not known what was sent before this was there, or what is still under way. A
     *     feed is received from any time on: what it sent before is not asked for
     */
    long onEnd(final int trial, final int ofStep, final int source, final int sent) {
        if (trial != trialId || !isOfStep(trial, ofStep)) {
            return UNKNOWN; // of another publisher, or it has begun another step since
        }
        final boolean isFeed = source == FeedMessages.SOURCE;
        if ((byte) ofStep >= 0) {
            hasEnded = true; // not so the end of a warm-up
        }
        if (source > symbols) {
            return Integer.toUnsignedLong(sent); // it was skipped, however much came
        }
        final OfSource from = of(source);
        final long nowNs = time.clock().nanoTime();
        final long next = from.tracker.sentAtLeast();
        final long all = next == 0 ? Integer.toUnsignedLong(sent) : next + (sent - (int) next);
        if (all > from.sent) {
            from.sent = all;
            lastOfStepNs = nowNs;
        }
        final boolean isAnyBefore =
                from.tracker.received() == 0 ? all > 0 : from.tracker.lostHead() > 0;
        if (isHeadFree && from.tracker.received() == 0) {
            return isAnyBefore ? UNKNOWN : 0;
        }
        count(from);
        final boolean mayBeUnderWay =
                from.counted > 0 && !keepsOrder && nowNs - lastOfStepNs < QUIET_NS;
        return isHeadFree && isAnyBefore && !isFeed || mayBeUnderWay
                ? UNKNOWN
                : from.counted + from.skipped;
    }

    /**
     * Whether something belongs to the current step, which it may begin. A late message of the step
     * before does not; steps that begin at a lower number are those of another run.
     */
    private boolean isOfStep(final int trial, final int ofStep) {
        final byte ahead = (byte) (ofStep - step);
        if (hasBegun && trial == trialId && (ahead == 0 || ahead == -1)) {
            return ahead == 0;
        }
        hasEnded = false;
        isHeadFree = !hasBegun || trial != trialId || ahead < 0;
        hasBegun = true;
        trialId = trial;
        step = ofStep;
        steps++;
        return true;
    }

    private OfSource of(final int source) {
        OfSource from = sources[source];
        if (from == null) {
            from = new OfSource();
            sources[source] = from;
        }
        if (from.step != steps) {
            from.begin(steps);
        }
        return from;
    }

    /** Late messages make fewer lost ones. */
    private void count(final OfSource from) {
        final long lost =
                from.tracker.lost(Math.max(from.sent, from.tracker.sentAtLeast()))
                        - (isHeadFree ? from.tracker.lostHead() : 0);
        if (lost != from.counted) {
            counts.live().lost().add(lost - from.counted);
            from.counted = lost;
        }
    }
}
