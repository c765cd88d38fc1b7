package io.tickmark.wire.match;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import io.tickmark.wire.net.Addresses;
import io.tickmark.wire.net.IpPacket;
import io.tickmark.wire.tcp.ByteStream;
import io.tickmark.wire.tcp.TcpFlow;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Follows stamped messages: when each was on the wire, when its echo was, and what the application
 * measured of the same. A message that comes back to the end it left from is its echo; one from the
 * same end to another is a copy. Single thread; allocates only for new ends, and for short messages
 * that come before the trial's roles have found each other.
 */
public final class StampMatcher {
    /** Two ends, each as a hash of address and port. */
    private record EndPair(long source, long destination) {}

    /** What one end sent in a step, and how much of it came back. */
    private static final class Sender {
        private long messages;
        private long echoes;
    }

    /**
     * A message that was seen before the trial's roles found each other.
     *
     * @param stamp a copy of its short stamp
     * @param length of the message
     */
    private record EarlyMessage(EndPair endPair, DirectBuffer stamp, int length, long timeNs) {}

    /** A step as the stamps tell it: each trial counts its own from 0. */
    private record TrialStep(int trialId, int step) {}

    private static final int MOST_HELD = 1 << 18;

    /** Longer than roles may take to find each other. */
    private static final long LONGEST_HELD_NS = 120_000_000_000L;

    private static final int MAX_OUTSTANDING = 1 << 20;
    private static final long WINDOW_NS = 60_000_000_000L;

    private final Timeline timeline;
    private final TrialEnds trialEnds;
    private final Optional<EpochOffset> offset;
    private final Optional<ApplicationLog> log;
    private final IntFunction<MessageLog> kept;
    private final StampCheck check;
    private final StampDatagrams datagrams = new StampDatagrams(this);
    private Outstanding outstanding;
    private final StampCounts counts = new StampCounts();
    private final List<EarlyMessage> held = new ArrayList<>();
    private final Map<Integer, StepRecording> steps = new LinkedHashMap<>();
    private final Map<Integer, Integer> payloads = new LinkedHashMap<>();
    private final Map<Integer, Long> messages = new LinkedHashMap<>();
    private final Map<Integer, Long> durationsNs = new LinkedHashMap<>();
    private final Map<Integer, Long2ObjectHashMap<Sender>> senders = new LinkedHashMap<>();
    private Long2ObjectHashMap<Sender> sendersOfStep = new Long2ObjectHashMap<>();
    private WireLatency roundTrip;
    private WireLatency intendedToWire;
    private WireLatency sentToWire;
    private WireLatency application;
    private WireLatency sameOnWire;
    private WireLatency difference;
    private Counter inTotal;
    private Counter outTotal;
    private MessageLog pings = MessageLog.off();
    private final Set<TrialStep> over = new HashSet<>();
    private final Map<Integer, Integer> trials = new LinkedHashMap<>();
    private TrialStep current = new TrialStep(0, -1);
    private int step = -1;
    private long before;
    private long firstNs;
    private long lastNs;

    /**
     * A matcher that has seen nothing.
     *
     * @param timeline where it is recorded
     * @param trialId whose messages count; 0 for any, each with steps of its own
     * @param offset of the clocks; empty where it is not known: nothing one-way then
     * @param log what the application measured; empty for none
     * @param kept by the number of a step, what gets the times of its pings on the wire
     * @param areAskedFor whether what may be a stamped message, or not, is taken for one
     */
    public StampMatcher(
            final Timeline timeline,
            final int trialId,
            final Optional<EpochOffset> offset,
            final Optional<ApplicationLog> log,
            final IntFunction<MessageLog> kept,
            final boolean areAskedFor) {
        this.timeline = timeline;
        trialEnds = new TrialEnds(trialId);
        this.offset = offset;
        this.log = log;
        this.kept = kept;
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
        return new StampStream(new EndPair(flow.sourceEnd(), flow.destinationEnd()), this);
    }

    /**
     * A message of at least the short stamp, of which {@code there} bytes can be read; {@code
     * timeNs} is when its last byte was captured.
     */
    private void onStamped(
            final EndPair endPair,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final int there,
            final long timeNs) {
        final int flags = Stamp.flags(buffer, at);
        if ((flags & (Stamp.HELLO | Stamp.WELCOME | Stamp.END | Stamp.REPLY)) != 0) {
            trialEnds.learn(endPair, buffer, at, length);
            name(length < Stamp.FULL_LENGTH ? 0 : Stamp.trialId(buffer, at));
            counts.controls++;
            if (!trialEnds.isUndecided()) {
                takeHeld();
            }
        } else if (!check.holds(buffer, at, length, there, timeNs)) {
            counts.unproven += length < Stamp.FULL_LENGTH ? 1 : 0;
        } else if (length < Stamp.FULL_LENGTH && trialEnds.isUndecided()) {
            hold(new EarlyMessage(endPair, copyOf(buffer, at), length, timeNs));
        } else {
            onProven(endPair, buffer, at, length, timeNs);
        }
    }

    /** Until it is known whose it is. */
    private void hold(final EarlyMessage message) {
        held.add(message);
        if (held.size() == MOST_HELD || message.timeNs - held.getFirst().timeNs > LONGEST_HELD_NS) {
            trialEnds.giveUp();
            takeHeld();
        }
    }

    private static DirectBuffer copyOf(final DirectBuffer buffer, final int at) {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[Stamp.SHORT_LENGTH]);
        copy.putBytes(0, buffer, at, Stamp.SHORT_LENGTH);
        return copy;
    }

    private void takeHeld() {
        held.forEach(each -> onProven(each.endPair, each.stamp, 0, each.length, each.timeNs));
        held.clear();
    }

    private void onProven(
            final EndPair endPair,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final long timeNs) {
        final int flags = Stamp.flags(buffer, at);
        if (trialEnds.isOther(endPair, buffer, at, length)) {
            counts.otherTrials++;
        } else if ((flags & Stamp.WARM_UP) != 0) {
            counts.warmUps++;
        } else if (!timeline.isOf(this)) {
            counts.ignored++;
        } else if (isInStep(
                trialEnds.trialOf(endPair, buffer, at, length, current.trialId),
                Stamp.step(buffer, at),
                length,
                timeNs)) {
            onMeasured(endPair, buffer, at, length, timeNs);
        }
    }

    /** Short messages may have come before the first control message, which says whose they are. */
    private void name(final int trialId) {
        if (trialId != 0 && step >= 0 && current.trialId == 0) {
            final List<TrialStep> unnamed = List.copyOf(over);
            over.clear();
            unnamed.forEach(each -> over.add(new TrialStep(trialId, each.step)));
            current = new TrialStep(trialId, current.step);
            trials.replaceAll((_, _) -> trialId);
        }
    }

    /** Advances to the message's step if it is a later one; false for one that is over. */
    private boolean isInStep(
            final int trialId, final int ofMessage, final int length, final long timeNs) {
        if (ofMessage == current.step && trialId == current.trialId) {
            return true;
        }
        final TrialStep other = new TrialStep(trialId, ofMessage);
        if (over.contains(other)) {
            counts.ofOverStep++;
            return false;
        }
        if (outstanding == null) {
            begin();
        }
        endStep(timeNs);
        current = other;
        // the steps of several trials stand in one result, each with a number of its own
        step = trialEnds.areOfOneTrial() ? ofMessage : Math.max(ofMessage, step + 1);
        trials.put(step, trialId);
        pings = kept.apply(step);
        payloads.put(step, length);
        before = counts.messages;
        firstNs = Long.MAX_VALUE;
        lastNs = Long.MIN_VALUE;
        sendersOfStep = new Long2ObjectHashMap<>();
        senders.put(step, sendersOfStep);
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
            over.add(current);
            steps.put(step, timeline.endStep(timeNs));
            messages.put(step, counts.messages - before);
            durationsNs.put(step, Math.max(0, lastNs - firstNs));
        }
    }

    private void onMeasured(
            final EndPair endPair,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final long timeNs) {
        final long key = key(Stamp.intendedNs(buffer, at), buffer, at);
        final int slot = outstanding.find(key);
        if (slot < 0) {
            onSent(endPair, buffer, at, length, timeNs, key);
        } else if (endPair.destination() != outstanding.origin(slot)) {
            counts.copies++;
        } else if (outstanding.copied(slot, timeNs) == 1) {
            counts.echoes++;
            sender(outstanding.origin(slot)).echoes++;
            outTotal.increment();
            // below 0 where this is the message, read late, as it stood behind a hole
            final long onWireNs = Math.abs(timeNs - outstanding.timeNs(slot));
            counts.behindHole += timeNs < outstanding.timeNs(slot) ? 1 : 0;
            roundTrip.record(onWireNs);
            if (offset.isPresent() && length >= Stamp.FULL_LENGTH) {
                pings.addCaptured(
                        Stamp.sequence(buffer, at),
                        Stamp.sentNs(buffer, at),
                        outstanding.timeNs(slot) - offset.get().ns(),
                        timeNs - offset.get().ns());
            }
            if (log.isPresent() && log.get().isRoundTrip() && length < Stamp.FULL_LENGTH) {
                counts.notComparable++;
            } else if (log.isPresent() && log.get().isRoundTrip()) {
                final long sentNs = Stamp.sentNs(buffer, at);
                pair(log.get().receivedNs(key(sentNs, buffer, at)), sentNs, onWireNs);
            }
        } else {
            counts.repeatedEchoes++;
        }
    }

    private void onSent(
            final EndPair endPair,
            final DirectBuffer buffer,
            final int at,
            final int length,
            final long timeNs,
            final long key) {
        outstanding.add(key, timeNs);
        outstanding.origin(outstanding.find(key), endPair.source());
        counts.messages++;
        sender(endPair.source()).messages++;
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

    private Sender sender(final long end) {
        Sender known = sendersOfStep.get(end);
        if (known == null) {
            known = new Sender();
            sendersOfStep.put(end, known);
        }
        return known;
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
        trialEnds.giveUp();
        takeHeld();
        endStep(timeNs);
        step = -1;
        current = new TrialStep(0, -1);
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
     * How many trials the steps are of.
     *
     * @return the count
     */
    public int trials() {
        return (int) trials.values().stream().distinct().count();
    }

    /**
     * Which of the trials a step is of.
     *
     * @param ofStep number
     * @return from 1, in the order in which they were captured
     */
    public int trial(final int ofStep) {
        return trials.values().stream().distinct().toList().indexOf(trials.get(ofStep)) + 1;
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
     * Messages of a step that were to come back: those of senders that got an echo in any step. A
     * sender that never got one streams one way.
     *
     * @param ofStep number
     * @return the count
     */
    public long pings(final int ofStep) {
        return senders.get(ofStep).entrySet().stream()
                .filter(each -> isEchoed(each.getKey()))
                .mapToLong(each -> each.getValue().messages)
                .sum();
    }

    /**
     * Messages of a step that were to come back and were not seen to.
     *
     * @param ofStep number
     * @return the count
     */
    public long withoutEcho(final int ofStep) {
        return senders.get(ofStep).entrySet().stream()
                .filter(each -> isEchoed(each.getKey()))
                .mapToLong(each -> each.getValue().messages - each.getValue().echoes)
                .sum();
    }

    private boolean isEchoed(final long end) {
        return senders.values().stream()
                .map(ofStep -> ofStep.get(end))
                .anyMatch(sender -> sender != null && sender.echoes > 0);
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

    /**
     * Tells the messages of the trial from those of other runs. A message of less than 32 bytes
     * carries no trial id; by the control messages, which all do, it is known which ends are whose.
     * Single thread; allocates only for new ends.
     */
    private static final class TrialEnds {
        private final int trialId;
        private final Set<Long> ours = new HashSet<>();
        private final Set<Long> others = new HashSet<>();

        /** Where every trial counts: the last one whose control messages an end sent or got. */
        private final Map<Long, Integer> trialsOfEnds = new HashMap<>();

        private boolean isGivenUp;

        /** {@code trialId} is 0 where every trial counts. */
        TrialEnds(final int trialId) {
            this.trialId = trialId;
        }

        /** Takes a control message; a subscriber's first hello knows no trial yet. */
        void learn(
                final EndPair endPair, final DirectBuffer buffer, final int at, final int length) {
            if (length < Stamp.FULL_LENGTH || Stamp.trialId(buffer, at) == 0) {
                return;
            }
            if (trialId == 0) {
                trialsOfEnds.put(endPair.source(), Stamp.trialId(buffer, at));
                trialsOfEnds.put(endPair.destination(), Stamp.trialId(buffer, at));
                return;
            }
            final Set<Long> ends = Stamp.trialId(buffer, at) == trialId ? ours : others;
            ends.add(endPair.source());
            ends.add(endPair.destination());
        }

        /** Whether none of the trial's own control messages was seen, but one may still come. */
        boolean isUndecided() {
            return trialId != 0 && ours.isEmpty() && !isGivenUp;
        }

        /** It will not send its own: a foreign echo service has none. */
        void giveUp() {
            isGivenUp = true;
        }

        /** Whether the messages of one trial only count. */
        boolean areOfOneTrial() {
            return trialId != 0;
        }

        /**
         * The trial of a message that counts. Where neither its stamp nor its ends tell, it is
         * taken for one of the trial {@code inProgress}.
         */
        int trialOf(
                final EndPair endPair,
                final DirectBuffer buffer,
                final int at,
                final int length,
                final int inProgress) {
            if (trialId != 0 || length >= Stamp.FULL_LENGTH) {
                return trialId != 0 ? trialId : Stamp.trialId(buffer, at);
            }
            final Integer ofSource = trialsOfEnds.get(endPair.source());
            return ofSource != null
                    ? ofSource
                    : trialsOfEnds.getOrDefault(endPair.destination(), inProgress);
        }

        /**
         * Where none of the trial's own control messages was seen, what is not another's counts.
         */
        boolean isOther(
                final EndPair endPair, final DirectBuffer buffer, final int at, final int length) {
            if (trialId == 0) {
                return false;
            }
            if (length >= Stamp.FULL_LENGTH) {
                return Stamp.trialId(buffer, at) != trialId;
            }
            return !isAmong(ours, endPair) && (!ours.isEmpty() || isAmong(others, endPair));
        }

        private static boolean isAmong(final Set<Long> ends, final EndPair endPair) {
            return ends.contains(endPair.source()) || ends.contains(endPair.destination());
        }
    }

    /**
     * Tells stamped messages from other traffic, one datagram in eight of which has the bits of the
     * stamp's version where a stamp has them. Single thread, allocates nothing.
     */
    private static final class StampCheck {
        /** A message is sent when it is due or later, and hardly a day later. */
        private static final long LONGEST_LAG_NS = 86_400_000_000_000L;

        /** Short messages carry only their due time, which is compared with the packet's time. */
        private static final long NEAR_NS = 3_600_000_000_000L;

        private final Optional<EpochOffset> offset;
        private final boolean areAskedFor;
        private final StampChecksum checksum = new StampChecksum();

        /** {@code areAskedFor}: what cannot be told is taken for a stamped message. */
        StampCheck(final Optional<EpochOffset> offset, final boolean areAskedFor) {
            this.offset = offset;
            this.areAskedFor = areAskedFor;
        }

        /**
         * Whether a message that has the version's bits is stamped; {@code there} bytes of it can
         * be read. The checksum is looked at where all of them are; 0 stands for none.
         */
        boolean holds(
                final DirectBuffer buffer,
                final int at,
                final int length,
                final int there,
                final long timeNs) {
            final long intendedNs = Stamp.intendedNs(buffer, at);
            if (length < Stamp.FULL_LENGTH) {
                return areAskedFor
                        || offset.isPresent()
                                && isWithin(
                                        intendedNs - timeNs + offset.get().ns() + NEAR_NS,
                                        2 * NEAR_NS);
            }
            return intendedNs > 0
                    && isWithin(Stamp.sentNs(buffer, at) - intendedNs, LONGEST_LAG_NS)
                    && (there < length
                            || Stamp.checksum(buffer, at) == 0
                            || Stamp.checksum(buffer, at) == checksum.of(buffer, at, length));
        }

        private static boolean isWithin(final long ns, final long mostNs) {
            return ns >= 0 && ns < mostNs;
        }
    }

    /**
     * Stamped messages in UDP datagrams. Where the sender leaves the cutting to the kernel
     * (UDP_SEGMENT), a capture sees one large datagram of several messages of one length; the
     * length is found by looking for the next sequence number. Single thread; allocates one object
     * for each datagram between ends that it has not just seen.
     */
    private static final class StampDatagrams {
        private static final int HEADER_BYTES = 8;
        private static final int MAX_SEGMENTS = 128;

        private final StampMatcher matcher;
        private EndPair endPair = new EndPair(0, 0);
        private int segmentBytes;

        StampDatagrams(final StampMatcher matcher) {
            this.matcher = matcher;
        }

        /** Whether it holds stamped messages, which were handed on. */
        boolean onDatagram(final IpPacket ip, final long timeNs) {
            final int stamp = ip.payload() + HEADER_BYTES;
            final DirectBuffer buffer = ip.buffer();
            final int length = ip.payloadBytes() - HEADER_BYTES;
            final int there = ip.limit() - stamp;
            if (there < Math.min(length, Stamp.FULL_LENGTH)
                    || !Stamp.isStamped(buffer, stamp, length)) {
                return false;
            }
            final long source =
                    Addresses.hash(ip.sourceHigh(), ip.sourceLow(), port(buffer, ip.payload()));
            final long destination =
                    Addresses.hash(
                            ip.destinationHigh(),
                            ip.destinationLow(),
                            port(buffer, ip.payload() + 2));
            if (endPair.source() != source || endPair.destination() != destination) {
                endPair = new EndPair(source, destination);
            }
            final int segment = segmentBytes(buffer, stamp, there);
            for (int at = 0; at < length; at += segment) {
                final int message = Math.min(segment, length - at);
                if (there - at >= Math.min(message, Stamp.FULL_LENGTH)
                        && Stamp.isStamped(buffer, stamp + at, message)) {
                    matcher.onStamped(
                            endPair,
                            buffer,
                            stamp + at,
                            message,
                            Math.min(message, there - at),
                            timeNs);
                }
            }
            return true;
        }

        private static int port(final DirectBuffer buffer, final int at) {
            return buffer.getShort(at, ByteOrder.BIG_ENDIAN) & 0xffff;
        }

        /** Length of the messages of a datagram, all of it where it holds one. */
        private int segmentBytes(final DirectBuffer buffer, final int stamp, final int there) {
            if (segmentBytes > 0 && isNext(buffer, stamp, segmentBytes, there)) {
                return segmentBytes;
            }
            final int least = Math.max(Stamp.SHORT_LENGTH, there / MAX_SEGMENTS);
            for (int bytes = least; bytes <= there - Stamp.SHORT_LENGTH; bytes++) {
                if (isNext(buffer, stamp, bytes, there)) {
                    segmentBytes = bytes;
                    return bytes;
                }
            }
            return Integer.MAX_VALUE / 2;
        }

        /** Whether the message behind so many bytes follows the first one. */
        private static boolean isNext(
                final DirectBuffer buffer, final int stamp, final int bytes, final int there) {
            final int next = stamp + bytes;
            return there - bytes >= Stamp.SHORT_LENGTH
                    && Stamp.isStamped(buffer, next, Stamp.SHORT_LENGTH)
                    && Stamp.sequence(buffer, next) == Stamp.sequence(buffer, stamp) + 1
                    && Stamp.source(buffer, next) == Stamp.source(buffer, stamp)
                    && Stamp.step(buffer, next) == Stamp.step(buffer, stamp)
                    && Stamp.flags(buffer, next) == Stamp.flags(buffer, stamp);
        }
    }

    /**
     * Stamped messages of one direction of a TCP connection: each after its length, 4 bytes
     * little-endian. Keeps the stamp of a message only and passes over the rest. What is no stamped
     * message ends the reading until the next segment that begins with one. Single thread,
     * allocates nothing.
     */
    private static final class StampStream implements ByteStream {
        private static final int LENGTH_BYTES = Integer.BYTES;

        /** What the tcp channel sends at most. */
        private static final int MAX_MESSAGE_BYTES = 256 << 10;

        /** After so many segments that begin with no message it is another protocol. */
        private static final int MOST_ATTEMPTS = 64;

        private final EndPair endPair;
        private final StampMatcher matcher;
        private final UnsafeBuffer head =
                new UnsafeBuffer(new byte[LENGTH_BYTES + Stamp.FULL_LENGTH]);
        private int headBytes;
        private int toSkip;
        private int attempts;
        private boolean isSeeking = true;

        StampStream(final EndPair endPair, final StampMatcher matcher) {
            this.endPair = endPair;
            this.matcher = matcher;
        }

        @Override
        public void onBytes(
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final long timeNs,
                final long position) {
            if (isSeeking && !begins(buffer, offset, length)) {
                return;
            }
            final int limit = offset + length;
            int at = offset;
            while (at < limit) {
                if (toSkip > 0) {
                    final int skipped = Math.min(toSkip, limit - at);
                    toSkip -= skipped;
                    at += skipped;
                } else {
                    final int wanted = Math.min(wanted() - headBytes, limit - at);
                    head.putBytes(headBytes, buffer, at, wanted);
                    headBytes += wanted;
                    at += wanted;
                    if (headBytes < LENGTH_BYTES) {
                        return;
                    }
                    if (!isPossible(head, 0, headBytes)) {
                        onGap();
                        return;
                    }
                    if (headBytes == wanted()) {
                        toSkip = messageBytes() - (headBytes - LENGTH_BYTES);
                    }
                }
                if (toSkip == 0 && headBytes >= LENGTH_BYTES && headBytes == wanted()) {
                    matcher.onStamped(
                            endPair,
                            head,
                            LENGTH_BYTES,
                            messageBytes(),
                            headBytes - LENGTH_BYTES,
                            timeNs);
                    headBytes = 0;
                }
            }
        }

        private int messageBytes() {
            return head.getInt(0, ByteOrder.LITTLE_ENDIAN);
        }

        /** How much of a message is to be kept. */
        private int wanted() {
            return headBytes < LENGTH_BYTES
                    ? LENGTH_BYTES
                    : LENGTH_BYTES + Math.min(Stamp.FULL_LENGTH, messageBytes());
        }

        private boolean begins(final DirectBuffer buffer, final int offset, final int length) {
            if (attempts >= MOST_ATTEMPTS) {
                return false;
            }
            attempts++;
            if (length < LENGTH_BYTES + Stamp.SHORT_LENGTH || !isPossible(buffer, offset, length)) {
                return false;
            }
            isSeeking = false;
            attempts = 0;
            headBytes = 0;
            toSkip = 0;
            return true;
        }

        /** Whether a length that can be is there and, as far as it is there, a stamp. */
        private static boolean isPossible(
                final DirectBuffer buffer, final int offset, final int length) {
            final int message = buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            return message >= Stamp.SHORT_LENGTH
                    && message <= MAX_MESSAGE_BYTES
                    && (length < LENGTH_BYTES + Stamp.SHORT_LENGTH
                            || Stamp.isStamped(buffer, offset + LENGTH_BYTES, message));
        }

        @Override
        public void onGap() {
            isSeeking = true;
            headBytes = 0;
            toSkip = 0;
        }
    }
}
