package io.tickmark.workloads.messaging;

import io.tickmark.kernel.host.ThreadPriority;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transports;
import io.tickmark.workloads.messaging.session.ExchangeReceiving;
import io.tickmark.workloads.messaging.session.PublisherSession;
import io.tickmark.workloads.messaging.session.ReceivingEnd;
import io.tickmark.workloads.messaging.session.TopicAgreement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The part common to all subscribers: open, introduce, poll until the end, linger, report.
 * Single-threaded.
 */
public final class Receiving implements AutoCloseable {
    /** The size of a kernel batch; messages of one poll may share a clock read. */
    private static final int POLL_LIMIT = 64;

    /**
     * A spinning thread reads the clock once in this many empty polls: a read costs as much as a
     * poll.
     */
    private static final long CLOCK_EVERY = 1023;

    /**
     * After its last acknowledgement a subscriber stays for repeated ends, in case the
     * acknowledgement was lost; no longer, because others may not have acknowledged yet.
     */
    private static final long LINGER_NS = 200_000_000;

    /**
     * A publisher that has not been heard for this long misses no acknowledgement: it would have
     * repeated its end twice, or stood still for longer than a busy machine usually lets it.
     */
    private static final long QUIET_NS = 2 * PublisherSession.END_AGAIN_NS + 10_000_000;

    /** Messages stored before their store was given up arrive within this time, or not at all. */
    private static final long GIVEN_UP_NS = 1_000_000_000;

    private final String channel;
    private final List<Topic> topics;
    private final int cookie;
    private final ThreadSettings settings;
    private final HotThread thread;
    private final RoleContext context;
    private final List<String> warnings = new ArrayList<>();
    private Subscription[] subscriptions = {};
    private Waker waker = Waker.NONE;
    private List<String> shownNotes = List.of();
    private ReceivingEnd end;
    private long silenceNs;
    private StallWatch watch = StallWatch.off();
    private int polled;

    /**
     * A subscriber that is not open yet.
     *
     * @param channel as in the settings; replaced by the publisher's endpoint where the controller
     *     passes one
     * @param topics to receive
     * @param cookie of this subscriber
     * @param settings of its thread
     * @param thread as declared
     * @param context of the role
     */
    public Receiving(
            final String channel,
            final List<Topic> topics,
            final int cookie,
            final ThreadSettings settings,
            final HotThread thread,
            final RoleContext context) {
        this.channel = channel;
        this.topics = List.copyOf(topics);
        this.cookie = cookie;
        this.settings = settings;
        this.thread = thread;
        this.context = context;
    }

    /**
     * Opens the channel, directly to the publisher.
     *
     * @param endpoints of the publisher, empty when run by hand
     * @return the receiving end
     */
    public ExchangeReceiving open(final Endpoints endpoints) {
        final ChannelUri opened =
                ChannelUri.parse(endpoints.named("channel").stream().findFirst().orElse(channel));
        final ExchangeReceiving direct = new ExchangeReceiving(opened, topics, cookie, context);
        take(direct);
        return direct;
    }

    /**
     * Adopts the longest silence that a publisher announces.
     *
     * @param endpoints of the other roles, empty when run by hand
     */
    public void expect(final Endpoints endpoints) {
        silenceNs = Silence.announced(endpoints);
    }

    /**
     * Receives from an open receiving end.
     *
     * @param way to receive from, closed together with this
     */
    public void take(final ReceivingEnd way) {
        end = way;
        subscriptions = way.subscriptions().toArray(Subscription[]::new);
        shownNotes = way.notes();
        shownNotes.forEach(context::log);
    }

    /**
     * The agreement with the publisher, once open.
     *
     * @return the agreement
     */
    public TopicAgreement agreement() {
        return end.agreement();
    }

    /**
     * Sorts what is received into steps, once open.
     *
     * @param verify whether to check checksums
     * @return without any message yet
     */
    public StepReceiver steps(final boolean verify) {
        final ChannelUri opened = end.channel();
        return new StepReceiver(
                context,
                end.agreement(),
                verify,
                new Transports().of(opened).traits(opened).ordered());
    }

    /**
     * Number of this subscriber.
     *
     * @return from 1
     */
    public int cookie() {
        return cookie;
    }

    /**
     * Waits until the publisher is known.
     *
     * @param handler the role's own
     */
    public void introduce(final MessageHandler handler) {
        end.introduce(handler);
        subscriptions = end.subscriptions().toArray(Subscription[]::new);
    }

    /**
     * Whether the kernel stamps what arrives.
     *
     * @return of all topics
     */
    public KernelStamps kernelStamps() {
        return subscriptions.length == 0 ? KernelStamps.NOT_ASKED : subscriptions[0].kernelStamps();
    }

    /**
     * When the message that the handler is being given reached its socket.
     *
     * @return by the clock of {@link System#nanoTime}; 0 where that is unknown
     */
    public long arrivedNs() {
        return subscriptions[polled].arrivedNs();
    }

    /**
     * Adds whether an arrival wakes a thread that sleeps until something arrives: where it does
     * not, the thread looks from time to time, and that is part of its latencies.
     *
     * @param idle how it waits; nothing is added where it looks all the time anyway
     * @param waker what it sleeps on
     * @param metrics of its role
     */
    public static void describe(
            final Idle idle, final Waker waker, final Map<String, Object> metrics) {
        if (idle.mode() == IdleMode.BLOCK || idle.mode() == IdleMode.ADAPTIVE) {
            metrics.put("wakesOnArrival", waker.wakesOnArrival());
        }
    }

    /**
     * Watches the thread for stalls while it receives; to be called once it is introduced.
     *
     * @param part what it does with the messages
     * @return the watch, to be called where the handler reads the clock
     */
    public StallWatch watch(final StallWatch.Part part) {
        watch =
                context.recording()
                        .stalls()
                        .watch(
                                thread.name(),
                                part,
                                isCalledByEngine()
                                        ? "the engine calls it on a thread of its own"
                                        : context.idleMode(thread).notWatched());
        return watch;
    }

    private boolean isCalledByEngine() {
        return subscriptions.length == 1 && subscriptions[0].runsOnOwnThread();
    }

    /**
     * Receives until the publisher ends the test, falls silent, or the trial is stopped.
     *
     * @param steps that the handler feeds
     * @param handler the role's own
     * @param afterPoll called after each poll that delivered messages
     * @param exitAtEnd whether to leave when the publisher has ended, and not only when it has been
     *     silent
     * @param idleTimeoutNs how long the publisher may be silent beyond its announced silence;
     *     longer is a failure before its end
     * @param addMetrics adds the role's own figures
     * @return the result
     */
    public RoleResult run(
            final StepReceiver steps,
            final MessageHandler handler,
            final Runnable afterPoll,
            final boolean exitAtEnd,
            final long idleTimeoutNs,
            final Consumer<Map<String, Object>> addMetrics) {
        warnings.addAll(settings.settle(context, thread));
        final Idle idle = context.idleStrategy(thread);
        waker = subscriptions.length == 1 ? subscriptions[0] : Waker.NONE;
        final BooleanSupplier over = () -> steps.isOver() && exitAtEnd || context.isStopped();
        final long patienceNs = idleTimeoutNs + silenceNs;
        final boolean isCalled = isCalledByEngine();
        final BooleanSupplier silent =
                () -> {
                    final long nowNs = context.clock().nanoTime();
                    if (!isCalled) { // the engine's thread closes steps itself
                        steps.closeWhenEnded(nowNs);
                    }
                    return nowNs - steps.lastHeardNs()
                            > (end.isGivenUp() ? GIVEN_UP_NS : patienceNs);
                };
        if (isCalled) {
            subscriptions[0].run(
                    (buffer, offset, length) -> {
                        handler.onMessage(buffer, offset, length);
                        afterPoll.run();
                    },
                    idle,
                    () -> over.getAsBoolean() || silent.getAsBoolean());
        } else {
            idle.watch(watch);
            watch.begin();
            pollUntil(over, silent, handler, afterPoll, idle);
            watch.end();
        }
        final String failure =
                over.getAsBoolean() || steps.isOver() || end.isGivenUp() ? "" : silence(patienceNs);
        linger(steps, handler, afterPoll, idle);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        addMetrics.accept(metrics);
        metrics.put("warmUpReceived", steps.warmUps());
        metrics.put("threadPriority", ThreadPriority.describe());
        describe(idle, waker, metrics);
        end.settle();
        metrics.putAll(end.facts());
        newNotes().stream().filter(note -> !failure.contains(note)).forEach(warnings::add);
        return new RoleResult(steps.finish(), metrics, warnings, failure);
    }

    private void pollUntil(
            final BooleanSupplier over,
            final BooleanSupplier silent,
            final MessageHandler handler,
            final Runnable afterPoll,
            final Idle idle) {
        long idlePolls = 0;
        while (!over.getAsBoolean()) {
            if (!pollOnce(handler, afterPoll, idle)
                    && (idle.mode().sleeps() || (++idlePolls & CLOCK_EVERY) == 0)
                    && silent.getAsBoolean()
                    && !pollOnce(handler, afterPoll, idle)) { // it came while this thread stood
                break;
            }
        }
    }

    /** Where the engine says what is wrong with this end, the publisher is not to blame. */
    private String silence(final long forNs) {
        final Duration silence = Duration.ofNanos(forNs);
        final String lasted =
                Durations.format(
                        silence.truncatedTo(
                                silence.toSeconds() > 0 ? ChronoUnit.SECONDS : ChronoUnit.MILLIS));
        final String said = String.join(" ", newNotes());
        return said.isEmpty()
                ? "The publisher at %s fell silent for %s; if longer gaps are normal there, raise --idle-timeout."
                        .formatted(end.channel(), lasted)
                : "%s Nothing arrived from the publisher at %s for %s."
                        .formatted(said, end.channel(), lasted);
    }

    private List<String> newNotes() {
        return end.notes().stream().filter(note -> !shownNotes.contains(note)).toList();
    }

    private void linger(
            final StepReceiver steps,
            final MessageHandler handler,
            final Runnable afterPoll,
            final Idle idle) {
        final long beganNs = context.clock().nanoTime();
        long nowNs = beganNs;
        while (nowNs - beganNs < LINGER_NS
                && (nowNs - beganNs < QUIET_NS || nowNs - steps.lastHeardNs() < QUIET_NS)
                && !context.isStopped()) {
            pollOnce(handler, afterPoll, idle);
            nowNs = context.clock().nanoTime();
        }
    }

    private boolean pollOnce(
            final MessageHandler handler, final Runnable afterPoll, final Idle idle) {
        int work = 0;
        for (int i = 0; i < subscriptions.length; i++) {
            polled = i;
            final int messages = subscriptions[i].poll(handler, POLL_LIMIT);
            if (messages > 0) {
                afterPoll.run();
                work += messages;
            }
            work += end.doWork(i);
        }
        if (work > 0) {
            watch.worked(); // a long handler is not a stall
            idle.reset();
            return true;
        }
        idle.await(waker, Idle.NEVER_DUE);
        watch.lookAfterEmptyPoll();
        return false;
    }

    @Override
    public void close() {
        if (end != null) {
            end.close();
        }
    }
}
