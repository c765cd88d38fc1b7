package io.tickmark.workloads.messaging;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.SequenceTracker;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import io.tickmark.workloads.messaging.session.TopicAgreement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;

/**
 * Sorts what a subscriber receives into steps: data of the current one is counted, the first of the
 * next one closes it, control messages are passed to the session. The warm-up consists of steps
 * before the first, which are discarded: they begin and end as measured ones do, so that all of
 * that code has run, and has been compiled with what only happens then, before the first measured
 * message. Single-threaded; allocates only when a step begins.
 *
 * <p>On a channel that does not keep order the end of a step may overtake its data. There a step
 * with missing messages stays open, and its end is not acknowledged, so that the publisher repeats
 * it, until nothing is missing or no message of the step has arrived for {@value #QUIET_NS} ns.
 */
public final class StepReceiver {
    /**
     * The first step of a warm-up, as publishers number it; stamps carry it modulo 256. A publisher
     * may leave steps out.
     */
    public static final int FIRST_WARM_UP_STEP = -3;

    /** The last step of a warm-up. */
    public static final int WARM_UP_STEP = -1;

    /** Silence after which the missing messages of a step that has ended count as lost. */
    static final long QUIET_NS = 200_000_000;

    private final RoleContext context;
    private final TopicAgreement session;
    private final boolean verify;
    private final boolean keepsOrder;
    private final Counter receivedTotal;
    private final List<StepResult> results = new ArrayList<>();

    /** The step that ended last for each topic, as its end may be repeated. */
    private long[] lostByTopic = {};

    private IncomingStep current;
    private boolean passesOver;
    private boolean lastEnded;
    private long warmUps;
    private long stale;
    private long lastHeardNs;

    /** When a message of the current step or the first end of one of its topics arrived last. */
    private long lastOfStepNs;

    /** Whether an end of the current step said that none follows. */
    private boolean isLast;

    private Runnable beforeClose = () -> {};
    private IntConsumer whenBegun = step -> {};

    /**
     * A receiver without any message.
     *
     * @param context of the role
     * @param session of the subscriber
     * @param verify whether to check checksums
     * @param keepsOrder whether the channel delivers messages in the order of sending
     */
    public StepReceiver(
            final RoleContext context,
            final TopicAgreement session,
            final boolean verify,
            final boolean keepsOrder) {
        this.context = context;
        this.session = session;
        this.verify = verify;
        this.keepsOrder = keepsOrder;
        receivedTotal = context.recording().counter(Counts.RECEIVED);
    }

    /**
     * What to do before a step is closed.
     *
     * @param action records what belongs to the step
     */
    public void beforeClose(final Runnable action) {
        beforeClose = action;
    }

    /**
     * What to do when a step begins, while none of its messages is under way; those of the warm-up
     * are negative.
     *
     * @param action takes the number of the step
     */
    public void whenBegun(final IntConsumer action) {
        whenBegun = action;
    }

    /**
     * When a step of the warm-up ends: all are equally long.
     *
     * @param step from {@link #FIRST_WARM_UP_STEP} to {@link #WARM_UP_STEP}
     * @param beginNs when the warm-up began
     * @param lastingNs how long it is
     * @return ns
     */
    public static long warmUpEndNs(final int step, final long beginNs, final long lastingNs) {
        return beginNs - lastingNs / FIRST_WARM_UP_STEP * (step - FIRST_WARM_UP_STEP + 1);
    }

    /**
     * Sets the time of arrival of the messages since the last such time.
     *
     * @param nowNs later than any of their arrivals
     */
    public void heardAt(final long nowNs) {
        lastHeardNs = nowNs;
        if (current != null) {
            current.heardAt(nowNs);
        }
    }

    /** Begins with the warm-up, once the session knows the trial. */
    public void begin() {
        lostByTopic = new long[session.topics() + 1];
        passesOver =
                IntStream.rangeClosed(1, session.topics())
                        .anyMatch(topic -> !session.isWanted(topic));
        current = newStep(FIRST_WARM_UP_STEP);
        lastHeardNs = context.clock().nanoTime();
    }

    private IncomingStep newStep(final int step) {
        isLast = false;
        // Recordings before the first step are discarded.
        if (step > WARM_UP_STEP) {
            context.recording().beginStep(step, "step " + step);
        }
        whenBegun.accept(step);
        return emptyStep(step);
    }

    private IncomingStep emptyStep(final int step) {
        return new IncomingStep(
                step, session.topics(), session::isWanted, session.trialId(), verify);
    }

    /**
     * Handles a message.
     *
     * @param buffer that holds it
     * @param offset of the message
     * @param length of the message
     * @param nowNs time of arrival
     * @return true if it is data of the current step, new and intact: its latency counts, or
     *     belongs to the warm-up
     */
    public boolean onMessage(
            final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        if (current != null && current.isNext(buffer, offset, length)) {
            lastHeardNs = nowNs;
            lastOfStepNs = nowNs;
            return current.onMessage(buffer, offset, length, nowNs);
        }
        if (!Stamp.isStamped(buffer, offset, length)) {
            stale++;
            return false;
        }
        lastHeardNs = nowNs;
        final int flags = Stamp.flags(buffer, offset);
        if ((flags & ~Stamp.WARM_UP) == 0 && current != null) {
            return onData(buffer, offset, length, nowNs);
        }
        if ((flags & Stamp.END) != 0 && (flags & Stamp.REPLY) == 0) {
            onEnd(buffer, offset, length, nowNs);
        } else {
            session.onControl(buffer, offset, length, flags);
        }
        return false;
    }

    private boolean onData(
            final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        if (passesOver && isPassedOver(Stamp.source(buffer, offset))) {
            return false;
        }
        if (!current.isOwn(buffer, offset, length) && !rollTo(buffer, offset, length)) {
            if (Stamp.flags(buffer, offset) == Stamp.WARM_UP) {
                warmUps++; // overtaken by the first step
            } else {
                stale++;
            }
            return false;
        }
        lastOfStepNs = nowNs;
        return current.onMessage(buffer, offset, length, nowNs);
    }

    /**
     * One exchange may carry all of a publisher's topics, and only some of them may be subscribed
     * to.
     */
    private boolean isPassedOver(final int source) {
        return source >= 1 && source <= session.topics() && !session.isWanted(source);
    }

    /** A step whose end was lost is closed by the first message of a later one. */
    private boolean rollTo(final DirectBuffer buffer, final int offset, final int length) {
        final int ahead = (byte) (Stamp.step(buffer, offset) - current.step());
        if (ahead <= 0 || ahead > 8) {
            return false;
        }
        final IncomingStep next = emptyStep(current.step() + ahead);
        if (!next.isOwn(buffer, offset, length)) {
            return false;
        }
        closeStep();
        current = newStep(next.step());
        return true;
    }

    private void onEnd(
            final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        if (length < Stamp.FULL_LENGTH
                || current == null
                || Stamp.trialId(buffer, offset) != session.trialId()) {
            return;
        }
        final int step = Stamp.step(buffer, offset);
        final int source = Stamp.source(buffer, offset);
        if (source < 1 || source >= lostByTopic.length) {
            stale++;
            return;
        }
        if (!session.isWanted(source)) {
            session.acknowledgeEnd(step, source, 0);
            return;
        }
        final boolean last = (Stamp.flags(buffer, offset) & Stamp.WELCOME) != 0;
        if (step == (current.step() & 0xff) || rollTo(buffer, offset, length)) {
            if (current.onEnd(source, Stamp.sequence(buffer, offset))) {
                lastOfStepNs = nowNs;
            }
            lostByTopic[source] = current.lost(source);
            isLast |= last;
            if (lostByTopic[source] > 0 && mayBeUnderWay(nowNs)) {
                return; // the publisher repeats the end
            }
            closeWhenEnded(nowNs);
        } else if (last && step == ((current.step() - 1) & 0xff)) {
            lastEnded = true; // the publisher was stopped before the step that should follow
        }
        session.acknowledgeEnd(step, source, lostByTopic[source]);
    }

    private boolean mayBeUnderWay(final long nowNs) {
        return !keepsOrder && nowNs - lastOfStepNs < QUIET_NS;
    }

    /**
     * Closes the step when all its topics have ended and what is missing is no longer waited for:
     * to be called now and then while nothing arrives, as a publisher does not repeat an end for
     * ever.
     *
     * @param nowNs present time
     */
    public void closeWhenEnded(final long nowNs) {
        if (current != null
                && current.isStarted()
                && current.isEnded()
                && !lastEnded
                && (!mayBeUnderWay(nowNs) || current.lost() == 0)) {
            lastEnded = isLast;
            for (int source = 1; source < lostByTopic.length; source++) {
                if (session.isWanted(source)) { // some may have come since its end
                    lostByTopic[source] = current.lost(source);
                }
            }
            closeStep();
            current = newStep(current.step() + 1);
        }
    }

    private void closeStep() {
        beforeClose.run();
        if (current.step() <= WARM_UP_STEP) {
            warmUps += current.received();
            receivedTotal.set(0);
            return;
        }
        final StepRecording recorded = context.recording().endStep();
        if (!current.isStarted()) {
            return;
        }
        final Map<String, Long> counts = new LinkedHashMap<>(current.counts());
        counts.put(Counts.STALE, stale);
        counts.putAll(recorded.counts());
        stale = 0;
        results.add(
                new StepResult(
                        current.step(),
                        "",
                        current.payloadBytes(),
                        counts,
                        current.durationNs(),
                        0,
                        0,
                        recorded.latencies(),
                        List.of()));
    }

    /**
     * Whether the publisher has announced the end of the test.
     *
     * @return true once it has
     */
    public boolean isOver() {
        return lastEnded;
    }

    /**
     * Warm-up messages received.
     *
     * @return without duplicates
     */
    public long warmUps() {
        final boolean isOpen = current != null && current.step() <= WARM_UP_STEP;
        return warmUps + (isOpen ? current.received() : 0);
    }

    /**
     * When a message was last received.
     *
     * @return ns
     */
    public long lastHeardNs() {
        return lastHeardNs;
    }

    /**
     * All steps; closes the current one. What came after the last end counts in the last step.
     *
     * @return in order
     */
    public List<StepResult> finish() {
        if (current != null && (current.isStarted() || results.isEmpty())) {
            closeStep();
        }
        current = null;
        if (stale > 0 && !results.isEmpty()) {
            results.addLast(withMoreStale(results.removeLast()));
            stale = 0;
        }
        return List.copyOf(results);
    }

    private StepResult withMoreStale(final StepResult step) {
        final Map<String, Long> counts = new LinkedHashMap<>(step.counts());
        counts.merge(Counts.STALE, stale, Long::sum);
        return step.withCounts(counts);
    }

    /**
     * Counts of a receiver in one step, over all topics. Single-threaded; allocates nothing after
     * construction.
     */
    public static final class IncomingStep {
        private static final long NOT_ENDED = -1;

        private final int step;
        private final int trialId;
        private final boolean verify;
        private final StampChecksum checksum = new StampChecksum();

        /** By topic; null for one that is not subscribed to. */
        private final SequenceTracker[] trackers;

        /**
         * What the stamp of the next message says if it comes in order; 0 where nothing is known.
         */
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
        public IncomingStep(
                final int step, final int topics, final int trialId, final boolean verify) {
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
         * Whether a message is the one that follows the last message of this step: nearly all are,
         * and need not be looked at any further.
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
}
