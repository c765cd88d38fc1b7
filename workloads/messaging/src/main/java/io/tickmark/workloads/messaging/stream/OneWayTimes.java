package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.workloads.messaging.StepReceiver;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Records response and service time of one-way messages. Single-threaded, allocates nothing.
 *
 * <p>Either each message with its own time ({@link #record}), or those of one poll with one ({@link
 * #collect}, then {@link #settle}): the clock is read when the last of them has been handled, so
 * that none appears faster than it was, and the first appears later by the handling of the others.
 * Reading the clock for each would cost more than handling it, and would make the last ones later
 * than that.
 */
final class OneWayTimes {
    /** Most different times of one poll; further ones are settled at once. */
    private static final int MOST_RUNS = 64;

    /** Where the kernel stamps nothing. */
    static final LongSupplier NO_ARRIVALS = () -> 0;

    /** Used in place of a send time: the message is too short for one. */
    private static final long NOT_CARRIED = Long.MIN_VALUE;

    private final NanoClock clock;
    private final LatencyRecorder response;
    private final LatencyRecorder service;
    private final LatencyLog log;
    private final long[] intendedNs = new long[MOST_RUNS];
    private final long[] sentNs = new long[MOST_RUNS];
    private final int[] streams = new int[MOST_RUNS];
    private final int[] counts = new int[MOST_RUNS];
    private int last = -1;
    private MessageLog kept = MessageLog.off();

    /** Of the step that is being received. */
    private MessageLog messages = MessageLog.off();

    private LongSupplier arrivedNs = NO_ARRIVALS;
    private int topics = 1;

    OneWayTimes(final RoleContext context, final boolean logLatencies) {
        clock = context.clock();
        response = context.recording().latency(Latencies.RESPONSE_NS);
        service = context.recording().latency(Latencies.SERVICE_NS);
        log =
                logLatencies
                        ? context.recording().latencyLog(Latencies.RESPONSE_NS)
                        : LatencyLog.off();
    }

    /**
     * Sets how many topics there are, each of which must recover from a fault; to be called before
     * the first message of the second one.
     */
    void ofTopics(final int count) {
        response.ofStreams(count);
    }

    /**
     * Keeps the times of measured messages, to find what delayed them.
     *
     * @param log for them
     * @param newArrivedNs when the message that is being recorded reached its socket; then each is
     *     to be recorded by itself
     * @param newTopics over which their publisher sends in turn
     */
    void keep(final MessageLog log, final LongSupplier newArrivedNs, final int newTopics) {
        kept = log;
        messages = log;
        arrivedNs = newArrivedNs;
        topics = newTopics;
    }

    /**
     * A step begins: the times of its messages are kept where it is measured. Nothing is collected
     * meanwhile.
     *
     * @param step negative for those of the warm-up
     */
    void begin(final int step) {
        messages = step > StepReceiver.WARM_UP_STEP ? kept : kept.unread();
    }

    /**
     * Place of a message in the order sent, over all topics: sequences are those of one topic.
     *
     * @param topic from 1
     * @param topics over which they are sent in turn
     */
    static long place(final long sequence, final int topic, final int topics) {
        return sequence * topics + topic - 1;
    }

    void record(final DirectBuffer buffer, final int offset, final int length, final long nowNs) {
        final long intended = Stamp.intendedNs(buffer, offset);
        response.recordDelivery(intended, nowNs, stream(buffer, offset));
        if (length >= Stamp.FULL_LENGTH) {
            service.record(nowNs - Stamp.sentNs(buffer, offset));
            keep(
                    place(Stamp.sequence(buffer, offset), Stamp.source(buffer, offset), topics),
                    intended,
                    Stamp.sentNs(buffer, offset),
                    nowNs);
        }
        log.log(
                intended,
                nowNs,
                nowNs - intended,
                Stamp.source(buffer, offset),
                Stamp.sequence(buffer, offset));
    }

    /** The departure is known to the sender alone, who keeps the messages of the same places. */
    private void keep(final long place, final long intended, final long sent, final long nowNs) {
        if (arrivedNs == NO_ARRIVALS) {
            messages.add(intended, sent, nowNs);
        } else {
            messages.stamped(0, 0, arrivedNs.getAsLong(), 0);
            messages.addNumbered(place, intended, sent, nowNs);
        }
    }

    /**
     * Messages of several topics may share a time; where it does not matter, they stay together.
     */
    private int stream(final DirectBuffer buffer, final int offset) {
        return response.keepsDeliveries() ? Stamp.source(buffer, offset) - 1 : 0;
    }

    /** Collects a message to be recorded when those that arrived with it are handled. */
    void collect(final DirectBuffer buffer, final int offset, final int length) {
        final long intended = Stamp.intendedNs(buffer, offset);
        final long sent = length >= Stamp.FULL_LENGTH ? Stamp.sentNs(buffer, offset) : NOT_CARRIED;
        final int stream = stream(buffer, offset);
        if (last >= 0
                && intendedNs[last] == intended
                && sentNs[last] == sent
                && streams[last] == stream) {
            counts[last]++;
            return;
        }
        if (last == MOST_RUNS - 1) {
            settle(clock.nanoTime());
        }
        last++;
        intendedNs[last] = intended;
        sentNs[last] = sent;
        streams[last] = stream;
        counts[last] = 1;
    }

    /** Whether anything collected is not recorded yet. */
    boolean isPending() {
        return last >= 0;
    }

    /** Records what was collected. */
    void settle(final long nowNs) {
        for (int run = 0; run <= last; run++) {
            response.recordDelivery(intendedNs[run], nowNs, streams[run], counts[run]);
            if (sentNs[run] != NOT_CARRIED) {
                service.record(nowNs - sentNs[run], counts[run]);
                messages.add(intendedNs[run], sentNs[run], nowNs, counts[run]);
            }
        }
        last = -1;
    }
}
