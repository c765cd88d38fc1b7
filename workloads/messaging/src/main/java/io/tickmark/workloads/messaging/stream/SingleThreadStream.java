package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.StepReceiver.IncomingStep;
import io.tickmark.workloads.messaging.stream.StreamSubscriber.OneWayTimes;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The stream test's sending loop and receiving code on one thread, without hello and end: used by
 * calibration to measure the bench itself.
 */
public final class SingleThreadStream {
    private static final int TRIAL_ID = 1;
    private static final int POLL_LIMIT = 256;
    private static final long NO_SEED = 0;

    private final Exchange sending;
    private final Exchange receiving;
    private final SendLoop loop;
    private final OneWayTimes times;
    private final RoleContext context;
    private final MessageHandler handler = this::onMessage;
    private IncomingStep incoming;
    private StallWatch watch = StallWatch.off();

    /**
     * Both ends.
     *
     * @param sending BIND side
     * @param receiving CONNECT side, in the same process
     * @param context of the role
     * @param payloadBytes message length
     */
    public SingleThreadStream(
            final Exchange sending,
            final Exchange receiving,
            final RoleContext context,
            final int payloadBytes) {
        this.receiving = receiving;
        this.context = context;
        this.sending = sending;
        final OutgoingMessage message = new OutgoingMessage(payloadBytes, TRIAL_ID, true);
        loop =
                new SendLoop(
                        List.of(sending.publication()),
                        1,
                        message,
                        false,
                        payloadBytes,
                        NO_SEED,
                        context);
        times = new OneWayTimes(context, false);
    }

    /**
     * Notes what delays messages.
     *
     * @param newWatch for stalls of the thread, begun
     * @param messages gets the times of those received
     */
    public void note(final StallWatch newWatch, final MessageLog messages) {
        watch = newWatch;
        watch.restart();
        loop.watch(newWatch);
        times.keep(messages, OneWayTimes.NO_ARRIVALS, 1);
    }

    /**
     * Begins a step.
     *
     * @param step number
     * @param schedule of the messages
     * @param startNs time of the first
     * @param messages how many
     */
    public void start(
            final int step, final Schedule schedule, final long startNs, final long messages) {
        incoming = new IncomingStep(step, 1, TRIAL_ID, true);
        loop.start(step, 0, schedule, startNs, messages, Long.MAX_VALUE);
    }

    /**
     * Sends what is due and receives what has arrived.
     *
     * @return amount of work, 0 for none
     */
    public int doWork() {
        final int sent = loop.isDone() ? sending.publication().doWork() : loop.doWork();
        final int received = receiving.subscription().poll(handler, POLL_LIMIT);
        if (received > 0) {
            watch.worked();
        } else if (sent == 0) {
            watch.lookAfterEmptyPoll();
        }
        return sent + received;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final long nowNs = context.clock().nanoTime();
        watch.look(nowNs);
        if (Stamp.isStamped(buffer, offset, length)
                && incoming.isOwn(buffer, offset, length)
                && incoming.onMessage(buffer, offset, length, nowNs)) {
            times.record(buffer, offset, length, nowNs);
        }
    }

    /**
     * Whether all is sent; messages in transit may still arrive.
     *
     * @return true once it is
     */
    public boolean isAllSent() {
        return loop.isDone();
    }

    /**
     * When the next message is due.
     *
     * @return ns on the clock; {@link Long#MAX_VALUE} when all is sent
     */
    public long nextSendNs() {
        return loop.isDone() ? Long.MAX_VALUE : loop.pacer().intendedNs();
    }

    /**
     * What was received.
     *
     * @return the step, with its end recorded
     */
    public IncomingStep incoming() {
        incoming.onEnd(1, (int) loop.sent());
        return incoming;
    }

    /**
     * Messages sent.
     *
     * @return the count
     */
    public long sent() {
        return loop.sent();
    }

    /**
     * Achieved rate; valid once all is sent.
     *
     * @return messages per second
     */
    public double achievedRatePerSecond() {
        return loop.achievedRatePerSecond();
    }

    /**
     * Time of the last send.
     *
     * @return ns on the clock
     */
    public long lastSentNs() {
        return loop.lastSentNs();
    }
}
