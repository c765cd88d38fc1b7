package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Converts received messages to ticks: messages of a feed unchanged, and those of a stream as one
 * symbol for each of its topics, with the number of the message as price and its length as size.
 * Counts the numbers that are missing. Single-threaded, allocates nothing.
 */
final class ReceivedTicks {
    private static final int SOURCES = 1 << 16;

    private final FeedMessages messages = new FeedMessages();
    private final FeedClock time;
    private final TickSink[] sinks;
    private final FeedCounts counts;
    private final BooleanSupplier isStopped;
    private final int symbols;
    private final int[] expected = new int[SOURCES];
    private final int[] volumes;
    private int step;
    private int trialId;

    ReceivedTicks(
            final FeedSettings settings,
            final FeedClock time,
            final TickSink[] sinks,
            final FeedCounts counts,
            final BooleanSupplier isStopped) {
        this.time = time;
        this.sinks = sinks.clone();
        this.counts = counts;
        this.isStopped = isStopped;
        symbols = settings.symbols();
        volumes = new int[symbols];
    }

    /** A message that is stamped and no control message. */
    void onData(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final boolean isOnOurClock) {
        final int source = Stamp.source(buffer, offset);
        final boolean isTick = source == FeedMessages.SOURCE;
        final int symbol = isTick ? tickSymbol(buffer, offset, length) : source - 1;
        if (symbol < 0 || symbol >= symbols) {
            counts.skipped();
            return;
        }
        number(buffer, offset, length, source);
        final long nowNs = time.clock().nanoTime();
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
            counts.fromArrival();
        }
    }

    /** Waits for room: a message taken off the channel cannot be put back. */
    private int claim(final TickSink sink) {
        int claim = sink.claim();
        while (claim == TickSink.NO_ROOM && !isStopped.getAsBoolean()) {
            counts.backPressured();
            LockSupport.parkNanos(1);
            claim = sink.claim();
        }
        return claim;
    }

    private int tickSymbol(final DirectBuffer buffer, final int offset, final int length) {
        return messages.isWhole(buffer, offset, length)
                ? Tick.symbol(buffer, offset + FeedMessages.TICK_AT)
                : -1;
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

    /** A new step, trial or publisher counts from 0 again. */
    private void number(
            final DirectBuffer buffer, final int offset, final int length, final int source) {
        final int trial = length >= Stamp.FULL_LENGTH ? Stamp.trialId(buffer, offset) : trialId;
        if (trial != trialId || Stamp.step(buffer, offset) != step) {
            trialId = trial;
            step = Stamp.step(buffer, offset);
            Arrays.fill(expected, 0);
        }
        final int sequence = Stamp.sequence(buffer, offset);
        final int missing = sequence - expected[source];
        // a subscriber that joins while it runs has missed nothing
        if (missing > 0 && expected[source] != 0) {
            counts.lost(missing);
        }
        if (missing >= 0) {
            expected[source] = sequence + 1;
        }
    }
}
