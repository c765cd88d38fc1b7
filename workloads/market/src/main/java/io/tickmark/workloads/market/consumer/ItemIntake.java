package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.StreamStates;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.workloads.market.data.ItemSequences;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.StampClock;
import org.agrona.concurrent.NanoClock;

/**
 * Counts what one connection receives, checks its numbers and times it, independent of the library
 * that decoded it. One thread at a time; allocates nothing for an update.
 */
final class ItemIntake {
    private final NanoClock clock;
    private final StampClock stampClock = new StampClock();
    private final boolean isProviderElsewhere;
    private final WatchedItems items;
    private final ItemSequences updates;
    private final ItemSequences generics;
    private final ItemSequences posts;
    private final long ownUserId;
    private final LoopCounts<ConsumerCounts> loop;
    private final ConsumerCounts counts;
    private final LatencyMeter updateMeter;
    private final LatencyMeter postMeter;
    private final LatencyMeter genericMeter;
    private final LatencyRecorder decodeTime;
    private MessageLog ofSteadyState = MessageLog.off();
    private boolean libraryAsksAgain;
    private boolean primes;
    private boolean hasEnded;
    private int gone;
    private long lastImageNs;

    /** Its context. */
    record Parts(
            WatchedItems items,
            LoopCounts<ConsumerCounts> counts,
            LatencyListener each,
            long ownUserId) {}

    ItemIntake(final ConsumerShared shared, final Parts parts) {
        clock = shared.context().clock();
        isProviderElsewhere = shared.isProviderElsewhere();
        items = parts.items();
        loop = parts.counts();
        counts = loop.live();
        ownUserId = parts.ownUserId();
        updates = new ItemSequences(items.size());
        generics = new ItemSequences(items.size());
        posts = new ItemSequences(items.size());
        final Recording recording = shared.context().recording();
        updateMeter = meter(LatencyKind.UPDATE, parts, recording);
        postMeter = meter(LatencyKind.POST, parts, recording);
        genericMeter = meter(LatencyKind.GENERIC, parts, recording);
        decodeTime =
                shared.settings().measureDecode()
                        ? recording.latency("decodeNs" + LoopCounts.suffix(loop.number()))
                        : null;
    }

    private static LatencyMeter meter(
            final LatencyKind kind, final Parts parts, final Recording recording) {
        final LoopCounts<ConsumerCounts> of = parts.counts();
        return new LatencyMeter(
                kind, of.number(), "", recording, of.live().latency(kind), parts.each());
    }

    /** The times of updates of the steady state go here; to be called before it begins. */
    void keep(final MessageLog log) {
        ofSteadyState = log;
        updateMeter.keep(log.unread());
    }

    /** The library itself repeats unanswered requests. */
    void libraryAsksAgain() {
        libraryAsksAgain = true;
    }

    /** Messages from now on are not counted, except which items have an image. */
    void beginPriming() {
        primes = true;
    }

    /** Discards what arrived while it primed. */
    void endPriming() {
        primes = false;
        loop.clear();
        for (int index = 0; index < items.size(); index++) {
            updates.forget(index);
        }
    }

    void beginSteadyState() {
        loop.beginSteady();
        updateMeter.keep(ofSteadyState);
    }

    /** Messages from now on do not count, except returned posts. */
    void endSteadyState() {
        hasEnded = true;
        gone = items.gone(clock.nanoTime());
    }

    /** The time before decoding, where decoding is timed. */
    long beginDecode() {
        return decodeTime == null ? 0 : clock.nanoTime();
    }

    /** A message is decoded; returns false where it could not be, or is not to count. */
    void decoded(final long beginNs, final boolean isWhole, final int unknown) {
        if (decodeTime != null && !primes) {
            decodeTime.record(clock.nanoTime() - beginNs);
        }
        if (!isWhole) {
            counts.garbled().increment();
        }
        counts.unknownFields().add(unknown);
    }

    /** Another server continues the item, with its own numbers, starting with the next image. */
    void takenOver(final int index) {
        updates.forget(index);
    }

    /** A message that belongs to no item. */
    void stray() {
        counts.strays().increment();
    }

    void garbled() {
        counts.garbled().increment();
    }

    /**
     * An update of the provider; a time stamp of 0 means none, a host of 0 that the message does
     * not say whose clock its times are of.
     */
    void update(
            final int index,
            final long sequence,
            final long stamp,
            final long intendedNs,
            final long host) {
        if (hasEnded) {
            return;
        }
        counts.updates().increment();
        if (sequence != 0) {
            updates.onMessage(index, sequence);
        }
        if (stamp != 0 && stampClock.isOwn(host, isProviderElsewhere)) {
            updateMeter.onStamped(stamp, intendedNs, clock.nanoTime());
        }
    }

    /**
     * A returned post, ours or another's; a duplicate counts only as such. Ours are stamped by this
     * clock.
     */
    void post(
            final int index,
            final long userId,
            final long sequence,
            final long stamp,
            final long intendedNs) {
        if (userId != ownUserId || sequence != 0 && !posts.onMessage(index, sequence)) {
            return;
        }
        counts.postsBack().increment();
        if (stamp != 0) {
            postMeter.onStamped(stamp, intendedNs, clock.nanoTime());
        }
    }

    /** A generic message of the provider, with the values of an update. */
    void generic(
            final int index,
            final long sequence,
            final long stamp,
            final long intendedNs,
            final long host) {
        if (hasEnded) {
            return;
        }
        counts.genericsReceived().increment();
        if (sequence != 0) {
            generics.onMessage(index, sequence);
        }
        if (stamp != 0 && stampClock.isOwn(host, isProviderElsewhere)) {
            genericMeter.onStamped(stamp, intendedNs, clock.nanoTime());
        }
    }

    /** A refresh: the image, a placeholder for it, or the end of the stream. */
    void refresh(
            final int index,
            final int streamState,
            final int dataState,
            final boolean isComplete,
            final long sequence) {
        if (hasEnded) {
            return;
        }
        items.answer(index);
        counts.refreshes().increment();
        if (dataState == DataStates.SUSPECT) {
            counts.suspects().increment(); // the image has not arrived yet
            suspect(index);
            return;
        }
        if (isFinal(streamState) || !isComplete) {
            return;
        }
        if (items.recover(index)) {
            counts.recoveredItems().increment();
        }
        updates.onImage(index, sequence);
        if (items.isComplete() || !items.image(index)) {
            return;
        }
        if (!primes) {
            counts.images().increment();
            lastImageNs = clock.nanoTime();
        }
    }

    /** A status of an item's stream, with its state. */
    void status(final int index, final int streamState, final int dataState) {
        status();
        if (!libraryAsksAgain) { // otherwise the state may be its own, which reports a missing
            // answer
            items.answer(index);
        }
        if (hasEnded || isFinal(streamState)) {
            return;
        }
        if (dataState == DataStates.SUSPECT) {
            suspect(index);
        } else if (dataState == DataStates.OK && items.recover(index)) {
            counts.recoveredItems().increment(); // its source is back, and its data is still valid
        }
    }

    /** A status without a state. */
    void status() {
        if (!hasEnded) {
            counts.statuses().increment();
        }
    }

    private void suspect(final int index) {
        if (items.suspect(index, clock.nanoTime())) {
            counts.suspectItems().increment();
        }
    }

    /** Whether a stream is closed in this state. */
    static boolean isFinal(final int streamState) {
        return streamState != StreamStates.OPEN && streamState != StreamStates.NON_STREAMING;
    }

    /** The item's stream is closed. */
    void closed(final int index, final String words) {
        if (!hasEnded) {
            items.close(index, words);
        }
    }

    /** A post is answered: taken, or refused. */
    void acknowledged(final boolean isRefused) {
        counts.nacks().add(isRefused ? 1 : 0);
    }

    /** When the last image that counts arrived, 0 before the first. */
    long lastImageNs() {
        return lastImageNs;
    }

    /** Whether there were stamps of another machine's clock, which were not timed. */
    boolean hasOtherClock() {
        return stampClock.hasOther();
    }

    /** How many updates also contained their due time. */
    long updatesWithIntended() {
        return updateMeter.withIntended();
    }

    /**
     * Adds the results of the sequences to the totals. Lost posts follow from the number of
     * returned ones: all of them are ours.
     */
    void settle() {
        counts.lost().set(updates.lost() + generics.lost());
        counts.duplicated().set(updates.repeated() + generics.repeated() + posts.repeated());
        counts.closedItems().set(items.closed());
        counts.goneItems().set(gone);
    }
}
