package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.StreamStates;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.workloads.market.data.ItemSequences;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.rssl.Api;
import org.agrona.concurrent.NanoClock;

/**
 * Counts what one connection receives, checks its numbers and times it, whichever library decoded
 * it. One thread at a time; allocates nothing for an update.
 */
final class ItemIntake {
    private final NanoClock clock;
    private final WatchedItems items;
    private final ItemSequences updates;
    private final ItemSequences generics;
    private final ItemSequences posts;
    private final long ownUserId;
    private final boolean libraryAsksAgain;
    private final ConsumerTotals totals;
    private final LatencyMeter updateMeter;
    private final LatencyMeter postMeter;
    private final LatencyMeter genericMeter;
    private final LatencyRecorder decodeTime;
    private final Counter received;
    private final Counter images;
    private boolean primes;
    private boolean hasEnded;
    private long lastImageNs;
    private long unknownFields;

    /** What it is made from. */
    record Parts(
            WatchedItems items,
            ConsumerTotals totals,
            int thread,
            EachLatency each,
            long ownUserId) {}

    ItemIntake(final ConsumerShared shared, final Parts parts) {
        clock = shared.context().clock();
        items = parts.items();
        totals = parts.totals();
        ownUserId = parts.ownUserId();
        libraryAsksAgain = shared.settings().api() == Api.EMA;
        updates = new ItemSequences(items.size());
        generics = new ItemSequences(items.size());
        posts = new ItemSequences(items.size());
        final Recording recording = shared.context().recording();
        updateMeter = meter(LatencyKind.UPDATE, parts, recording);
        postMeter = meter(LatencyKind.POST, parts, recording);
        genericMeter = meter(LatencyKind.GENERIC, parts, recording);
        final String suffix = parts.thread() == 1 ? "" : "-" + parts.thread();
        decodeTime =
                shared.settings().measureDecode() ? recording.latency("decodeNs" + suffix) : null;
        received = recording.counter(Counts.RECEIVED + suffix);
        images = recording.counter("images" + suffix);
    }

    private static LatencyMeter meter(
            final LatencyKind kind, final Parts parts, final Recording recording) {
        return new LatencyMeter(kind, parts.thread(), "", recording, parts.each());
    }

    /** What comes from now on is not to be counted, but for which items have an image. */
    void beginPriming() {
        primes = true;
    }

    /** Forgets what has come while it primed. */
    void endPriming() {
        primes = false;
        totals.clear();
        unknownFields = 0;
        for (int index = 0; index < items.size(); index++) {
            updates.forget(index);
        }
    }

    void beginSteadyState() {
        updateMeter.beginSteadyState();
        postMeter.beginSteadyState();
        genericMeter.beginSteadyState();
    }

    /** Nothing that comes from now on counts, but for posts that come back. */
    void endSteadyState() {
        hasEnded = true;
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
            totals.garbled++;
        }
        unknownFields += unknown;
    }

    /** A message that belongs to no item. */
    void stray() {
        totals.strays++;
    }

    void garbled() {
        totals.garbled++;
    }

    /** An update of the provider's; a time stamp of 0 is none. */
    void update(final int index, final long sequence, final long stamp, final long intendedNs) {
        if (hasEnded) {
            return;
        }
        totals.updates++;
        received.increment();
        if (sequence != 0) {
            updates.onMessage(index, sequence);
        }
        if (stamp != 0) {
            updateMeter.onStamped(stamp, intendedNs, clock.nanoTime());
        }
    }

    /** A post that came back, ours or another's; one that came twice counts as that only. */
    void post(
            final int index,
            final long userId,
            final long sequence,
            final long stamp,
            final long intendedNs) {
        if (userId != ownUserId || sequence != 0 && !posts.onMessage(index, sequence)) {
            return;
        }
        totals.postsBack++;
        if (stamp != 0) {
            postMeter.onStamped(stamp, intendedNs, clock.nanoTime());
        }
    }

    void generic(final int index, final long sequence, final long stamp, final long intendedNs) {
        if (hasEnded) {
            return;
        }
        totals.genericsReceived++;
        if (sequence != 0) {
            generics.onMessage(index, sequence);
        }
        if (stamp != 0) {
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
        totals.refreshes++;
        if (dataState == DataStates.SUSPECT) {
            totals.suspects++; // the image is still to come
            suspect(index);
            return;
        }
        if (isFinal(streamState) || !isComplete) {
            return;
        }
        if (items.recover(index)) {
            totals.recoveredItems++;
        }
        updates.onImage(index, sequence);
        if (items.isComplete() || !items.image(index)) {
            return;
        }
        if (!primes) {
            totals.images++;
            images.increment();
            lastImageNs = clock.nanoTime();
        }
    }

    /** A status of an item's stream, with its state. */
    void status(final int index, final int streamState, final int dataState) {
        status();
        if (!libraryAsksAgain) { // else the state may be its own, which says that nobody answers
            items.answer(index);
        }
        if (!hasEnded && dataState == DataStates.SUSPECT && !isFinal(streamState)) {
            suspect(index);
        }
    }

    /** A status without a state. */
    void status() {
        if (!hasEnded) {
            totals.statuses++;
        }
    }

    private void suspect(final int index) {
        if (items.suspect(index)) {
            totals.suspectItems++;
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
        totals.nacks += isRefused ? 1 : 0;
    }

    /** When the last image that counts came, 0 before the first. */
    long lastImageNs() {
        return lastImageNs;
    }

    /** Fields that the dictionary does not know, so far. */
    long unknownFields() {
        return unknownFields;
    }

    LatencyMeter meter(final LatencyKind kind) {
        return switch (kind) {
            case UPDATE -> updateMeter;
            case POST -> postMeter;
            case GENERIC -> genericMeter;
        };
    }

    /**
     * Brings what the sequences say into the totals. Which posts are lost is seen from how many
     * came back: all of them are ours.
     */
    void settle() {
        totals.lost = updates.lost() + generics.lost();
        totals.duplicated = updates.repeated() + generics.repeated() + posts.repeated();
    }
}
