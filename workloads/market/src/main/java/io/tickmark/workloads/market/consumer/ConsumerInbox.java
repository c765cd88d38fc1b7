package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Counts;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.ItemSequences;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Takes the item messages of one connection: counts them, decodes every field, checks their numbers
 * and times those that carry a time stamp. One thread; allocates nothing for an update.
 */
final class ConsumerInbox {
    private final NanoClock clock;
    private final WatchedItems items;
    private final ItemSequences updates;
    private final ItemSequences generics;
    private final long ownUserId;
    private final ConsumerTotals totals;
    private final LatencyMeter updateMeter;
    private final LatencyMeter postMeter;
    private final LatencyMeter genericMeter;
    private final LatencyRecorder decodeTime;
    private final Counter received;
    private final Counter images;
    private PayloadDecoder decoder;
    private boolean primes;
    private long lastImageNs;
    private long unknownFields;

    /** What it is made from. */
    record Parts(WatchedItems items, ConsumerTotals totals, int thread, EachLatency each) {}

    ConsumerInbox(final ConsumerShared shared, final Parts parts, final long ownUserId) {
        clock = shared.context().clock();
        items = parts.items();
        totals = parts.totals();
        this.ownUserId = ownUserId;
        updates = new ItemSequences(items.size());
        generics = new ItemSequences(items.size());
        final var recording = shared.context().recording();
        updateMeter =
                new LatencyMeter(LatencyKind.UPDATE, parts.thread(), "", recording, parts.each());
        postMeter = new LatencyMeter(LatencyKind.POST, parts.thread(), "", recording, parts.each());
        genericMeter =
                new LatencyMeter(LatencyKind.GENERIC, parts.thread(), "", recording, parts.each());
        final String suffix = parts.thread() == 1 ? "" : "-" + parts.thread();
        decodeTime =
                shared.settings().measureDecode() ? recording.latency("decodeNs" + suffix) : null;
        received = recording.counter(Counts.RECEIVED + suffix);
        images = recording.counter("images" + suffix);
        dictionary(shared.dictionary());
    }

    /** Decodes with this dictionary from now on. */
    void dictionary(final FieldDictionary dictionary) {
        // the raw number: its unit is seen from the number itself
        decoder = new PayloadDecoder(dictionary, TimeUnit.NANOSECONDS);
    }

    /** While it primes, nothing counts but images. */
    void primes(final boolean isPriming) {
        primes = isPriming;
    }

    void beginSteadyState() {
        updateMeter.beginSteadyState();
        postMeter.beginSteadyState();
        genericMeter.beginSteadyState();
    }

    void on(final Msg message, final ReactorChannel channel) {
        if (message == null) {
            totals.garbled++;
            return;
        }
        final int index = items.index(message.streamId());
        if (index < 0) {
            return;
        }
        switch (message.msgClass()) {
            case MsgClasses.UPDATE -> onUpdate((UpdateMsg) message, index, channel);
            case MsgClasses.REFRESH -> onRefresh((RefreshMsg) message, index, channel);
            case MsgClasses.STATUS -> onStatus((StatusMsg) message, index);
            case MsgClasses.GENERIC -> onGeneric(message, index, channel);
            case MsgClasses.ACK -> onAck((AckMsg) message);
            default -> {}
        }
    }

    private void decode(final Msg message, final ReactorChannel channel) {
        final long beginNs = decodeTime == null ? 0 : clock.nanoTime();
        final int code = decoder.decode(message, channel.majorVersion(), channel.minorVersion());
        if (code < CodecReturnCodes.SUCCESS) {
            totals.garbled++;
        }
        unknownFields += decoder.unknownFields();
        if (decodeTime != null) {
            decodeTime.record(clock.nanoTime() - beginNs);
        }
    }

    private void onUpdate(final UpdateMsg update, final int index, final ReactorChannel channel) {
        decode(update, channel);
        if (update.checkHasPostUserInfo()) {
            if (update.postUserInfo().userId() == ownUserId) {
                totals.postsBack++;
                time(MessageKind.POST, postMeter);
            }
            return;
        }
        totals.updates++;
        received.increment();
        final long sequence = decoder.sequence(MessageKind.UPDATE);
        if (sequence != 0) {
            updates.onMessage(index, sequence);
        }
        time(MessageKind.UPDATE, updateMeter);
    }

    private void time(final MessageKind kind, final LatencyMeter meter) {
        final long stamp = decoder.takenNs(kind);
        if (stamp != 0) {
            meter.onStamped(stamp, decoder.intendedNs(), clock.nanoTime());
        }
    }

    private void onGeneric(final Msg generic, final int index, final ReactorChannel channel) {
        decode(generic, channel);
        totals.genericsReceived++;
        final long sequence = decoder.sequence(MessageKind.GENERIC);
        if (sequence != 0) {
            generics.onMessage(index, sequence);
        }
        time(MessageKind.GENERIC, genericMeter);
    }

    private void onRefresh(
            final RefreshMsg refresh, final int index, final ReactorChannel channel) {
        decode(refresh, channel);
        totals.refreshes++;
        final State state = refresh.state();
        if (state.dataState() == DataStates.SUSPECT) {
            totals.suspects++; // a placeholder: the image is still to come
            return;
        }
        if (isFinal(state) || !refresh.checkRefreshComplete()) {
            onClosed(state, index);
            return;
        }
        updates.onImage(index, decoder.sequence(MessageKind.UPDATE));
        if (items.image(index) && !primes) {
            totals.images++;
            images.increment();
            lastImageNs = clock.nanoTime();
        }
    }

    private void onStatus(final StatusMsg status, final int index) {
        totals.statuses++;
        if (status.checkHasState()) {
            onClosed(status.state(), index);
        }
    }

    private void onClosed(final State state, final int index) {
        if (isFinal(state)) {
            items.close(index, state.text().toString());
        }
    }

    private static boolean isFinal(final State state) {
        return state.streamState() != StreamStates.OPEN
                && state.streamState() != StreamStates.NON_STREAMING;
    }

    private void onAck(final AckMsg ack) {
        if (ack.checkHasNakCode()) {
            totals.nacks++;
        } else {
            totals.acks++;
        }
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

    /** Brings what the sequences say into the totals. */
    void settle() {
        totals.lost = updates.lost() + generics.lost();
        totals.duplicated = updates.repeated() + generics.repeated();
    }
}
