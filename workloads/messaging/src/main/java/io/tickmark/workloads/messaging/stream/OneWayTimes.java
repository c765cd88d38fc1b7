package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.LatencyLog;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stamp.Stamp;
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
    private final int[] messages = new int[MOST_RUNS];
    private int last = -1;
    private boolean isWarmUp;
    private MessageLog kept = MessageLog.off();
    private MessageLog ofWarmUp = MessageLog.off();
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
     * Keeps the times of measured messages, to find what delayed them.
     *
     * @param log for them
     * @param newArrivedNs when the message that is being recorded reached its socket; then each is
     *     to be recorded by itself
     * @param newTopics over which their publisher sends in turn
     */
    void keep(final MessageLog log, final LongSupplier newArrivedNs, final int newTopics) {
        kept = log;
        ofWarmUp = log.unread();
        arrivedNs = newArrivedNs;
        topics = newTopics;
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
        response.record(nowNs - intended);
        if (length >= Stamp.FULL_LENGTH) {
            service.record(nowNs - Stamp.sentNs(buffer, offset));
            keep(
                    Stamp.flags(buffer, offset) == 0 ? kept : ofWarmUp,
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
    private void keep(
            final MessageLog in,
            final long place,
            final long intended,
            final long sent,
            final long nowNs) {
        if (arrivedNs == NO_ARRIVALS) {
            in.add(intended, sent, nowNs);
        } else {
            in.stamped(0, 0, arrivedNs.getAsLong(), 0);
            in.addNumbered(place, intended, sent, nowNs);
        }
    }

    /** Collects a message to be recorded when those that arrived with it are handled. */
    void collect(final DirectBuffer buffer, final int offset, final int length) {
        final long intended = Stamp.intendedNs(buffer, offset);
        final long sent = length >= Stamp.FULL_LENGTH ? Stamp.sentNs(buffer, offset) : NOT_CARRIED;
        isWarmUp =
                Stamp.flags(buffer, offset) != 0; // never mixed with others in one poll's settling
        if (last >= 0 && intendedNs[last] == intended && sentNs[last] == sent) {
            messages[last]++;
            return;
        }
        if (last == MOST_RUNS - 1) {
            settle(clock.nanoTime());
        }
        last++;
        intendedNs[last] = intended;
        sentNs[last] = sent;
        messages[last] = 1;
    }

    /** Whether anything collected is not recorded yet. */
    boolean isPending() {
        return last >= 0;
    }

    /** Records what was collected. */
    void settle(final long nowNs) {
        for (int run = 0; run <= last; run++) {
            response.record(nowNs - intendedNs[run], messages[run]);
            if (sentNs[run] != NOT_CARRIED) {
                service.record(nowNs - sentNs[run], messages[run]);
                final MessageLog in = isWarmUp ? ofWarmUp : kept;
                in.add(intendedNs[run], sentNs[run], nowNs, messages[run]);
            }
        }
        last = -1;
    }
}
