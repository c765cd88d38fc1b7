package io.tickmark.workloads.messaging;

import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.agrona.DirectBuffer;

/**
 * Counts of a receiver in one step, over all topics. Single-threaded; allocates nothing after
 * construction.
 */
public final class IncomingStep {
    private static final long NOT_ENDED = -1;

    private final int step;
    private final int trialId;
    private final boolean verify;
    private final StampChecksum checksum = new StampChecksum();

    /** By topic; null for one that is not subscribed to. */
    private final SequenceTracker[] trackers;

    /** What the stamp of the next message says if it comes in order; 0 where nothing is known. */
    private long nextNumbers;

    /** Of the message that came last. */
    private SequenceTracker lastTracker;

    private final int wanted;
    private final long[] sent;
    private long corrupted;
    private long firstNs;
    private long lastNs;
    private int payloadBytes;
    private int ended;

    /**
     * An empty step.
     *
     * @param step number
     * @param topics how many there are
     * @param trialId of the trial
     * @param verify whether to check checksums
     */
    public IncomingStep(final int step, final int topics, final int trialId, final boolean verify) {
        this(step, topics, topic -> true, trialId, verify);
    }

    /**
     * An empty step of some of the publisher's topics.
     *
     * @param step number
     * @param topics how many the publisher has
     * @param isWanted whether a topic, 1 to {@code topics}, is one of them
     * @param trialId of the trial
     * @param verify whether to check checksums
     */
    public IncomingStep(
            final int step,
            final int topics,
            final IntPredicate isWanted,
            final int trialId,
            final boolean verify) {
        this.step = step;
        this.trialId = trialId;
        this.verify = verify;
        trackers = new SequenceTracker[topics + 1];
        sent = new long[topics + 1];
        int trackedTopics = 0;
        for (int topic = 1; topic <= topics; topic++) {
            sent[topic] = NOT_ENDED;
            if (isWanted.test(topic)) {
                trackers[topic] = new SequenceTracker();
                trackedTopics++;
            }
        }
        wanted = trackedTopics;
    }

    /**
     * The step's number.
     *
     * @return from 0
     */
    public int step() {
        return step;
    }

    /**
     * Whether a message belongs to this step and trial.
     *
     * @param buffer that holds it
     * @param offset of the message
     * @param length of the message
     * @return false for a stale or foreign one
     */
    public boolean isOwn(final DirectBuffer buffer, final int offset, final int length) {
        final int source = Stamp.source(buffer, offset);
        return Stamp.step(buffer, offset) == (step & 0xff)
                && source >= 1
                && source < trackers.length
                && trackers[source] != null
                && (length < Stamp.FULL_LENGTH || Stamp.trialId(buffer, offset) == trialId);
    }

    /**
     * Whether a message is the one that follows the last message of this step: nearly all are, and
     * need not be looked at any further.
     *
     * @param buffer that holds it
     * @param offset of the message
     * @param length of the message
     * @return true if it is data of this step and of the topic that was heard last, in order
     */
    public boolean isNext(final DirectBuffer buffer, final int offset, final int length) {
        return length >= Stamp.SHORT_LENGTH
                && Stamp.numbers(buffer, offset) == nextNumbers
                && (length < Stamp.FULL_LENGTH || Stamp.trialId(buffer, offset) == trialId);
    }

    /**
     * Records a message of this step.
     *
     * @param buffer that holds it
     * @param offset of the message
     * @param length of the message
     * @param nowNs time of arrival
     * @return true if it is new and intact: its latency counts
     */
    public boolean onMessage(
            final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        if (verify && length >= Stamp.FULL_LENGTH && isCorrupted(buffer, offset, length)) {
            corrupted++;
            return false;
        }
        if (firstNs == 0) {
            firstNs = nowNs;
            payloadBytes = length;
        }
        lastNs = nowNs;
        final long numbers = Stamp.numbers(buffer, offset);
        if (numbers != nextNumbers) {
            lastTracker = trackers[Stamp.source(buffer, offset)];
        }
        final int sequence = (int) numbers;
        final boolean isNew = lastTracker.onMessage(sequence);
        final int next = sequence + 1;
        nextNumbers = next == (int) lastTracker.sentAtLeast() && next != 0 ? numbers + 1 : 0;
        return isNew;
    }

    /** Sets a later time of the last message; ignored where none has arrived yet. */
    void heardAt(final long nowNs) {
        if (firstNs != 0) {
            lastNs = nowNs;
        }
    }

    private boolean isCorrupted(final DirectBuffer buffer, final int offset, final int length) {
        final int carried = Stamp.checksum(buffer, offset);
        return carried != 0 && carried != checksum.of(buffer, offset, length);
    }

    /**
     * Records the end of one topic.
     *
     * @param source topic id
     * @param sentMessages how many were sent, modulo 2^32
     * @return false where it is not a subscribed topic, or its end has come before
     */
    public boolean onEnd(final int source, final int sentMessages) {
        if (source >= 1
                && source < sent.length
                && trackers[source] != null
                && sent[source] == NOT_ENDED) {
            // Only 32 bits are sent; the rest follows from what was received.
            final long known = trackers[source].sentAtLeast();
            sent[source] = known + Math.max(0, sentMessages - (int) known);
            ended++;
            return true;
        }
        return false;
    }

    /**
     * Whether all topics have ended.
     *
     * @return true once they have
     */
    public boolean isEnded() {
        return ended == wanted;
    }

    /**
     * Whether any message of this step has arrived.
     *
     * @return true once one has
     */
    public boolean isStarted() {
        return firstNs != 0 || ended > 0;
    }

    /**
     * Message length of the step.
     *
     * @return bytes of its first message, 0 while there is none
     */
    public int payloadBytes() {
        return payloadBytes;
    }

    /**
     * First to last message.
     *
     * @return ns
     */
    public long durationNs() {
        return lastNs - firstNs;
    }

    /**
     * Messages received, without duplicates.
     *
     * @return over all topics
     */
    public long received() {
        long received = 0;
        for (int topic = 1; topic < trackers.length; topic++) {
            received += trackers[topic] == null ? 0 : trackers[topic].received();
        }
        return received;
    }

    /**
     * Missing messages of a topic that has ended, as far as its sequence numbers show.
     *
     * @param source id of a subscribed topic
     * @return messages neither received nor, where there is one topic, corrupted
     */
    public long lost(final int source) {
        final SequenceTracker tracker = trackers[source];
        final long missing = tracker.lost(Math.max(sent[source], tracker.sentAtLeast()));
        return Math.max(0, wanted == 1 ? missing - corrupted : missing);
    }

    /** Missing messages of all topics that have ended. */
    long lost() {
        long lost = 0;
        for (int topic = 1; topic < trackers.length; topic++) {
            lost += trackers[topic] == null ? 0 : lost(topic);
        }
        return lost;
    }

    /**
     * The counts of the step; without an end the tail is unknown, and so is {@link
     * Counts#LOST_TAIL}.
     *
     * @return by name
     */
    public Map<String, Long> counts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        for (int topic = 1; topic < trackers.length; topic++) {
            final SequenceTracker tracker = trackers[topic];
            if (tracker == null) {
                continue;
            }
            // A message may arrive after the end that overtook it, and show that more were sent
            // than the end stated.
            final long known = Math.max(sent[topic], tracker.sentAtLeast());
            counts.merge(Counts.RECEIVED, tracker.received(), Long::sum);
            counts.merge(Counts.LOST, tracker.lost(known), Long::sum);
            counts.merge(
                    Counts.LOST_HEAD,
                    tracker.received() == 0 ? known : tracker.lostHead(),
                    Long::sum);
            if (sent[topic] != NOT_ENDED && tracker.received() > 0) {
                counts.merge(Counts.LOST_TAIL, tracker.lostTail(known), Long::sum);
            }
            counts.merge(Counts.DUPLICATED, tracker.duplicated(), Long::sum);
            counts.merge(Counts.REORDERED, tracker.reordered(), Long::sum);
        }
        if (verify) {
            counts.put(Counts.CORRUPTED, corrupted);
            // Each message is counted once: a corrupted one is not counted as received, nor as
            // lost.
            counts.merge(Counts.LOST, corrupted, (lost, came) -> Math.max(0, lost - came));
            counts.computeIfPresent(
                    Counts.LOST_HEAD, (name, head) -> Math.min(head, counts.get(Counts.LOST)));
            counts.computeIfPresent(
                    Counts.LOST_TAIL, (name, tail) -> Math.min(tail, counts.get(Counts.LOST)));
        }
        return counts;
    }
}
