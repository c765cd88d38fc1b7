package io.tickmark.wire.match;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.wire.net.IpPacket;
import io.tickmark.wire.tcp.ByteStream;
import io.tickmark.wire.tcp.TcpFlow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * Follows stamped messages: when each was on the wire, when its echo was, and what the application
 * measured of the same. A message that comes back to the end it left from is its echo; one from the
 * same end to another is a copy. Single thread; allocates only for new ends.
 */
public final class StampMatcher implements StampHandler {
    private static final int MAX_OUTSTANDING = 1 << 20;
    private static final long WINDOW_NS = 60_000_000_000L;

    private final Timeline timeline;
    private final int trialId;
    private final Optional<ClockOffset> offset;
    private final Optional<ApplicationLog> log;
    private final StampCheck check;
    private final StampDatagrams datagrams = new StampDatagrams(this);
    private Outstanding outstanding;
    private final StampCounts counts = new StampCounts();
    private final Map<Integer, StepRecording> steps = new LinkedHashMap<>();
    private final Map<Integer, Integer> payloads = new LinkedHashMap<>();
    private final Map<Integer, Long> messages = new LinkedHashMap<>();
    private final Map<Integer, Long> durationsNs = new LinkedHashMap<>();
    private WireLatency roundTrip;
    private WireLatency intendedToWire;
    private WireLatency sentToWire;
    private WireLatency application;
    private WireLatency sameOnWire;
    private WireLatency difference;
    private Counter inTotal;
    private Counter outTotal;
    private int step = -1;
    private long before;
    private long firstNs;
    private long lastNs;

    /**
     * A matcher that has seen nothing.
     *
     * @param timeline where it is recorded
     * @param trialId whose messages count; 0 for any
     * @param offset of the clocks; empty where it is not known: nothing one-way then
     * @param log what the application measured; empty for none
     * @param areAskedFor whether what may be a stamped message, or not, is taken for one
     */
    public StampMatcher(
            final Timeline timeline,
            final int trialId,
            final Optional<ClockOffset> offset,
            final Optional<ApplicationLog> log,
            final boolean areAskedFor) {
        this.timeline = timeline;
        this.trialId = trialId;
        this.offset = offset;
        this.log = log;
        check = new StampCheck(offset, areAskedFor);
    }

    /**
     * Takes a UDP datagram.
     *
     * @param ip that holds it
     * @param timeNs when it was captured
     * @return whether it holds stamped messages
     */
    public boolean onDatagram(final IpPacket ip, final long timeNs) {
        return datagrams.onDatagram(ip, timeNs);
    }

    /**
     * Takes the bytes of a TCP connection that may carry stamped messages.
     *
     * @param flow that was not seen before
     * @return the stream
     */
    public ByteStream open(final TcpFlow flow) {
        return new StampStream(new Way(flow.sourceEnd(), flow.destinationEnd()), this);
    }

    @Override
    public void onStamped(
            final Way way,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final int there,
            final long timeNs) {
        final int flags = Stamp.flags(buffer, at);
        if ((flags & (Stamp.HELLO | Stamp.WELCOME | Stamp.END | Stamp.REPLY)) != 0) {
            counts.controls++;
        } else if (!check.holds(buffer, at, length, there, timeNs)) {
            counts.unproven += length < Stamp.FULL_LENGTH ? 1 : 0;
        } else if (trialId != 0
                && length >= Stamp.FULL_LENGTH
                && Stamp.trialId(buffer, at) != trialId) {
            counts.otherTrials++;
        } else if ((flags & Stamp.WARM_UP) != 0) {
            counts.warmUps++;
        } else if (!timeline.isOf(this)) {
            counts.ignored++;
        } else if (isInStep(Stamp.step(buffer, at), length, timeNs)) {
            onMeasured(way, buffer, at, length, timeNs);
        }
    }

    /** Goes on to the message's step if it is a later one; false for one that is over. */
    private boolean isInStep(final int ofMessage, final int length, final long timeNs) {
        if (ofMessage == step) {
            return true;
        }
        if (steps.containsKey(ofMessage)) {
            counts.late++;
            return false;
        }
        if (outstanding == null) {
            begin();
        }
        endStep(timeNs);
        step = ofMessage;
        payloads.put(step, length);
        before = counts.messages;
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
        timeline.beginStep(step, length + "B", timeNs);
        return true;
    }

    /** A capture without stamps needs no room for them, and shows no figures of them. */
    private void begin() {
        outstanding = new Outstanding(MAX_OUTSTANDING, WINDOW_NS, (copies, lastNs, counted) -> {});
        roundTrip = timeline.latency(WireFigures.ROUND_TRIP_NS);
        intendedToWire = timeline.latency(WireFigures.INTENDED_TO_WIRE_NS);
        sentToWire = timeline.latency(WireFigures.SENT_TO_WIRE_NS);
        application = timeline.latency(WireFigures.APPLICATION_NS);
        sameOnWire = timeline.latency(WireFigures.SAME_ON_WIRE_NS);
        difference = timeline.latency(WireFigures.APPLICATION_MINUS_WIRE_NS);
        inTotal = timeline.counter(WireFigures.IN);
        outTotal = timeline.counter(WireFigures.OUT);
    }

    private void endStep(final long timeNs) {
        if (step >= 0) {
            steps.put(step, timeline.endStep(timeNs));
            messages.put(step, counts.messages - before);
            durationsNs.put(step, Math.max(0, lastNs - firstNs));
        }
    }

    private void onMeasured(
            final Way way,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final long timeNs) {
        final long key = key(Stamp.intendedNs(buffer, at), buffer, at);
        final int slot = outstanding.find(key);
        if (slot < 0) {
            onSent(way, buffer, at, length, timeNs, key);
        } else if (way.destination() != outstanding.origin(slot)) {
            counts.copies++;
        } else if (outstanding.copied(slot, timeNs) == 1) {
            counts.echoes++;
            outTotal.increment();
            // below 0 where this is the message, read late, as it stood behind a hole
            final long onWireNs = Math.abs(timeNs - outstanding.timeNs(slot));
            counts.late += timeNs < outstanding.timeNs(slot) ? 1 : 0;
            roundTrip.record(onWireNs);
            if (log.isPresent() && log.get().isRoundTrip()) {
                final long sentNs = length >= Stamp.FULL_LENGTH ? Stamp.sentNs(buffer, at) : 0;
                pair(log.get().receivedNs(key(sentNs, buffer, at)), sentNs, onWireNs);
            }
        } else {
            counts.repeatedEchoes++;
        }
    }

    private void onSent(
            final Way way,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final long timeNs,
            final long key) {
        outstanding.add(key, timeNs);
        outstanding.origin(outstanding.find(key), way.source());
        counts.messages++;
        firstNs = Math.min(firstNs, timeNs);
        lastNs = Math.max(lastNs, timeNs);
        inTotal.increment();
        if (offset.isEmpty()) {
            return;
        }
        final long intendedNs = Stamp.intendedNs(buffer, at);
        final long wireNs = timeNs - offset.get().ns();
        final long sentNs = length >= Stamp.FULL_LENGTH ? Stamp.sentNs(buffer, at) : intendedNs;
        intendedToWire.record(wireNs - intendedNs);
        if (length >= Stamp.FULL_LENGTH) {
            sentToWire.record(wireNs - sentNs);
        }
        if (log.isPresent() && !log.get().isRoundTrip()) {
            pair(log.get().receivedNs(key), sentNs, wireNs - sentNs);
        }
    }

    private void pair(final long receivedNs, final long sentNs, final long onWireNs) {
        if (receivedNs == 0) {
            counts.notPaired++;
            return;
        }
        counts.paired++;
        application.record(receivedNs - sentNs);
        sameOnWire.record(onWireNs);
        difference.record(receivedNs - sentNs - onWireNs);
    }

    private static long key(final long timeNs, final DirectBuffer buffer, final int at) {
        return StampKey.of(
                timeNs,
                Stamp.step(buffer, at),
                Stamp.source(buffer, at),
                Stamp.sequence(buffer, at));
    }

    /**
     * Ends the last step; at the end of the capture.
     *
     * @param timeNs of its last packet
     */
    public void finish(final long timeNs) {
        endStep(timeNs);
        step = -1;
    }

    /**
     * What was recorded in each step.
     *
     * @return step to recording, in order
     */
    public Map<Integer, StepRecording> steps() {
        return steps;
    }

    /**
     * How long the messages of a step are.
     *
     * @param ofStep number
     * @return bytes, stamp included
     */
    public int payloadBytes(final int ofStep) {
        return payloads.get(ofStep);
    }

    /**
     * How many messages a step had.
     *
     * @param ofStep number
     * @return the count
     */
    public long messages(final int ofStep) {
        return messages.get(ofStep);
    }

    /**
     * First to last message of a step.
     *
     * @param ofStep number
     * @return ns
     */
    public long durationNs(final int ofStep) {
        return durationsNs.get(ofStep);
    }

    /**
     * What was counted.
     *
     * @return the counts, live
     */
    public StampCounts counts() {
        return counts;
    }
}
