package io.tickmark.workloads.messaging;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.messaging.session.TopicAgreement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
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
}
