package io.tickmark.workloads.messaging.stream;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.time.Pacer;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.Claim;
import io.tickmark.transport.Publication;
import io.tickmark.workloads.messaging.Departures;
import io.tickmark.workloads.messaging.OutgoingBatch;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.session.ExchangePublishing;
import io.tickmark.workloads.messaging.stream.StreamSubscriber.OneWayTimes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The hot loop of the stream publisher: topics in turn, each message at its due time. Batches fill
 * while the next message is already due and are flushed as soon as it is not. Single-threaded,
 * allocates nothing while sending.
 */
final class SendLoop {
    /** Stop, deadline and counters are checked once in this many sends. */
    private static final long LOOK_EVERY = 63;

    /** After a pass that took longer than this, its end is looked for before the next one. */
    private static final long LONG_PASS_NS = 100_000_000;

    /** How long a late sender may catch up at the end, and the last messages wait for room. */
    private static final long GRACE_NS = 1_000_000_000;

    private final NanoClock clock;
    private final RoleContext context;
    private final TopicPublications publications;
    private final long[] sentByTopic;

    /** Of those sent, on purpose. */
    private final long[] lostByTopic;

    private final boolean claims;
    private final int payloadBytes;
    private final OutgoingMessage message;
    private final Claim claim = new Claim();
    private final SendGauges gauges;
    private final LatencyRecorder sendTimes;
    private final SplittableRandom random;
    private final SendGroup group;
    private boolean continues;
    private boolean groups;
    private boolean batches;
    private boolean inGroups;
    private boolean unpaced;
    private long stallNs = ExchangePublishing.STALL_NS;
    private LongConsumer onEnded = refusal -> {};
    private Pacer pacer;
    private boolean measuresSends;
    private double lossPart;
    private int step;
    private int flags;
    private int topic;
    private boolean lost;
    private boolean gathered;
    private boolean done;
    private Idle idle;
    private StallWatch watch = StallWatch.off();
    private Departures departures = Departures.NONE;
    private long looks;
    private long limit;
    private long endNs;
    private long sent;
    private long sentBefore;

    /** All where what is sent is shown, none in a warm-up. */
    private long shownBits;

    private long refused;
    private long refusal;
    private long lastSentNs;
    private long endedNs;
    private long refusedSinceNs;

    SendLoop(
            final List<Publication> ways,
            final int topics,
            final OutgoingMessage message,
            final boolean claims,
            final int payloadBytes,
            final long seed,
            final RoleContext context) {
        this.message = message;
        this.claims = claims;
        this.payloadBytes = payloadBytes;
        this.context = context;
        clock = context.clock();
        idle = IdleStrategies.of(IdleMode.SPIN, clock);
        publications = new TopicPublications(ways, topics);
        sentByTopic = new long[topics + 1];
        lostByTopic = new long[topics + 1];
        gauges = new SendGauges(context.recording());
        sendTimes = context.recording().latency(Latencies.SEND_NS);
        random = new SplittableRandom(seed);
        group =
                new SendGroup(
                        message.batch(payloadBytes, publications.of(1).batch()),
                        publications.of(1).batch());
        pacer = new Pacer(Schedules.asFastAsPossible());
    }

    /** Sets whether the time inside the send call is recorded from now on. */
    void measureSends(final boolean measure) {
        measuresSends = measure;
    }

    /**
     * Sets whether messages that are sent as fast as possible are offered together, many for one
     * clock read, where nothing is required of individual messages: one topic, no artificial loss,
     * send calls not measured.
     */
    void group(final boolean wanted) {
        groups = wanted;
    }

    /** Sets how {@link #run} waits while nothing is due. */
    void idle(final Idle newIdle) {
        idle = newIdle;
    }

    /** Sets the watch for stalls of the sending thread; to be called after {@link #idle(Idle)}. */
    void watch(final StallWatch newWatch) {
        watch = newWatch;
        idle.watch(newWatch);
    }

    /** Notes from now on when the kernel sent each message that is offered by itself. */
    void keepDepartures(final MessageLog log) {
        departures = new Departures(log);
    }

    /**
     * Sets the time without an accepted message after which a run ends, and the listener for the
     * code of a refusal that is final.
     */
    void giveUpAfter(final long newStallNs, final LongConsumer newOnEnded) {
        stallNs = newStallNs;
        onEnded = newOnEnded;
    }

    /** Makes the next run continue the step: what was sent so far belongs to it. */
    void continueStep() {
        continues = true;
    }

    /**
     * Sets whether due messages are offered together at any pace: flushed at once where no further
     * one is due, filled while more are. Groups are sent to the topics in turn.
     */
    void batch(final boolean wanted) {
        batches = wanted;
    }

    /** Sets the part of the messages that is numbered but not sent from now on. */
    void lose(final double percent) {
        lossPart = percent / 100;
    }

    /**
     * Sends the messages due before the end, up to the limit, or until a stop; flushes what is
     * gathered.
     */
    void run(
            final int newStep,
            final int newFlags,
            final Schedule schedule,
            final long startNs,
            final long newLimit,
            final long newEndNs) {
        start(newStep, newFlags, schedule, startNs, newLimit, newEndNs);
        while (!done) {
            if (doWork() > 0) {
                idle.reset();
            } else {
                idle();
            }
        }
        finish();
    }

    /** A message that the engine refused for now is offered again soon, whenever it was due. */
    private void idle() {
        if (refusedSinceNs == 0) {
            idle.awaitDue(Waker.NONE, pacer.intendedNs() - endedNs); // the engine may have work
        } else {
            idle.idle();
        }
    }

    /** To be followed by {@link #doWork} until {@link #isDone}, then {@link #finish}. */
    void start(
            final int newStep,
            final int newFlags,
            final Schedule schedule,
            final long startNs,
            final long newLimit,
            final long newEndNs) {
        begin(newStep, newFlags);
        inGroups =
                batches
                        || groups
                                && schedule.isUnpaced()
                                && publications.topics() == 1
                                && lossPart == 0
                                && !measuresSends;
        unpaced = schedule.isUnpaced();
        group.begin(newFlags, newStep, topic);
        lastSentNs = startNs;
        limit = newLimit;
        endNs = newEndNs;
        pacer = new Pacer(schedule);
        pacer.start(startNs);
        watch.restart(); // what the thread did before is no stall
        prepare();
    }

    /** One pass; returns 0 when there was nothing to do. */
    int doWork() {
        final long nowNs = clock.nanoTime();
        watch.look(nowNs);
        int work = 0;
        if (isOverAfterALongPass(nowNs) || pacer.intendedNs() - endNs >= 0 && !group.isPending()) {
            done = true;
        } else if (group.isPending() || pacer.isDue(nowNs)) {
            work = inGroups ? sendGroup(nowNs) : send(nowNs) ? 1 : 0;
            gathered |= work > 0;
        } else if (gathered) {
            gathered = publications.flush() < 0;
            work = 1;
        } else {
            work = publications.doWork();
        }
        if (work > 0) {
            watch.worked(); // a send may take long, and is not a stall
        }
        if ((looks++ & LOOK_EVERY) == 0) {
            showSent(unpaced ? 0 : Math.max(0, nowNs - pacer.intendedNs()));
            done |= nowNs - endNs > GRACE_NS || context.isStopped() || isStalled(nowNs);
        }
        done |= sent >= limit;
        endedNs = nowNs;
        return work;
    }

    boolean isDone() {
        return done;
    }

    /** Flushes what is gathered. */
    void finish() {
        showSent(0);
        final long flushedByNs = clock.nanoTime() + GRACE_NS;
        while (publications.flush() < 0 && clock.nanoTime() - flushedByNs < 0) {
            publications.doWorkOfAll();
        }
        departures.settle();
    }

    /**
     * Warm-up messages do not count as sent. Without a branch, which the measurement would be the
     * first to take.
     */
    private void showSent(final long lagNs) {
        gauges.set(sentBefore + (sent & shownBits), lagNs);
    }

    /**
     * To open a lost store again may take seconds: a few attempts can be longer than the publisher
     * waits for it, and than it may take to stop.
     */
    private boolean isOverAfterALongPass(final long nowNs) {
        return refusedSinceNs != 0
                && nowNs - endedNs > LONG_PASS_NS
                && (isStalled(nowNs) || context.isStopped());
    }

    private boolean isStalled(final long nowNs) {
        return refusedSinceNs != 0 && nowNs - refusedSinceNs > stallNs;
    }

    /** Whether it ended because the engine accepted nothing for too long. */
    boolean isStalled() {
        return isStalled(clock.nanoTime());
    }

    private void begin(final int newStep, final int newFlags) {
        if ((newStep != step || newFlags == 0) && !continues) {
            Arrays.fill(sentByTopic, 0); // a warm-up in two parts is one step
        }
        // What was refused since before is refused since then, where the step continues.
        refusedSinceNs = continues ? refusedSinceNs : 0;
        continues = false;
        step = newStep;
        flags = newFlags;
        topic = 1;
        gathered = false;
        done = false;
        looks = 0;
        sent = 0;
        sentBefore = gauges.sent();
        shownBits = newFlags == 0 ? -1 : 0;
        refused = 0;
        Arrays.fill(lostByTopic, 0);
    }

    /**
     * Offers the rest of the group, or a new one; returns how many messages the engine accepted.
     */
    private int sendGroup(final long nowNs) {
        if (group.isPending()) {
            group.again(nowNs);
        } else if (unpaced) {
            group.fill(limit - sent, nowNs, (int) sentByTopic[topic]);
        } else {
            group.fillDue(pacer, limit - sent, endNs, nowNs, (int) sentByTopic[topic]);
        }
        final int taken =
                publications
                        .of(topic)
                        .offerAll(group.buffer(), group.offset(), payloadBytes, group.pending());
        if (taken <= 0) {
            onRefusal(taken, nowNs);
            return 0;
        }
        group.taken(taken);
        sent += taken;
        sentByTopic[topic] += taken;
        // Includes the last group of a step, which may be the only one.
        lastSentNs = unpaced && sent >= limit ? clock.nanoTime() : nowNs;
        if (unpaced) {
            pacer.sent(lastSentNs, taken);
        } else {
            pacer.taken(nowNs, group.firstIntendedNs());
        }
        refusedSinceNs = 0;
        if (!group.isPending() && publications.topics() > 1) {
            topic = publications.after(topic);
            group.turnTo(topic);
        }
        return taken;
    }

    /** Sends the current message if the engine accepts it; true if it did. */
    private boolean send(final long nowNs) {
        final long startNs = measuresSends ? clock.nanoTime() : 0;
        final long position;
        if (lost) {
            position = 0;
        } else if (claims) {
            position = claimAndCommit(nowNs);
        } else {
            message.stampSent(message.buffer(), payloadBytes, nowNs);
            position = publications.of(topic).offer(message.buffer(), 0, payloadBytes);
        }
        if (position < 0) {
            onRefusal(position, nowNs);
            return false;
        }
        if (measuresSends && !lost) {
            sendTimes.record(clock.nanoTime() - startNs);
        }
        if (!lost) {
            departures.sent(
                    publications.of(topic),
                    position,
                    OneWayTimes.place(sentByTopic[topic], topic, publications.topics()),
                    nowNs);
        }
        lostByTopic[topic] += lost ? 1 : 0;
        lastSentNs = nowNs;
        sent++;
        sentByTopic[topic]++;
        topic = publications.after(topic);
        pacer.sent(nowNs);
        refusedSinceNs = 0;
        prepare();
        return true;
    }

    /** Ahead of its time, so that checksumming delays no send. */
    private void prepare() {
        lost = lossPart > 0 && random.nextDouble() < lossPart;
        if (!lost) {
            message.prepare(
                    message.buffer(),
                    payloadBytes,
                    pacer.intendedNs(),
                    (int) sentByTopic[topic],
                    flags,
                    step,
                    topic);
        }
    }

    private long claimAndCommit(final long nowNs) {
        final long position = publications.of(topic).tryClaim(payloadBytes, claim);
        if (position >= 0) {
            message.stampSent(message.buffer(), payloadBytes, nowNs);
            claim.buffer().putBytes(0, message.buffer(), 0, payloadBytes);
            claim.commit();
        }
        return position;
    }

    private void onRefusal(final long code, final long nowNs) {
        if (code == Publication.CLOSED || code == Publication.TOO_LONG) {
            done = true;
            onEnded.accept(code);
        }
        refused++;
        refusal = code;
        refusedSinceNs = refusedSinceNs == 0 ? nowNs : refusedSinceNs;
        publications.relieve(topic);
    }

    Pacer pacer() {
        return pacer;
    }

    /** Messages numbered in the current run, including artificially lost ones. */
    long sent() {
        return sent;
    }

    /** Whether the current run offers messages together. */
    boolean isGrouped() {
        return inGroups;
    }

    /** Messages that were offered together, on average; 1 where each was by itself. */
    double messagesPerGroup() {
        return group.mean(sent);
    }

    long[] sentByTopic() {
        return sentByTopic.clone();
    }

    /** Messages of the step that were not lost on purpose, by topic. */
    long[] offeredByTopic() {
        final long[] offered = sentByTopic.clone();
        Arrays.setAll(offered, topic -> offered[topic] - lostByTopic[topic]);
        return offered;
    }

    /** Code with which the last message was refused; 0 before the first refusal. */
    long refusal() {
        return refusal;
    }

    /** The counts of the current run. */
    void addTo(final Map<String, Long> counts) {
        counts.put(Counts.SENT, sent);
        counts.put(Counts.MAX_TIGHT_SENDS, pacer.maxTightSends());
        counts.put(Counts.MAX_LAG_NS, pacer.maxLagNs());
        counts.put(Counts.BACK_PRESSURED, refused);
        if (lossPart > 0) {
            counts.put(Counts.LOST_ON_PURPOSE, artificiallyLost());
        }
    }

    long artificiallyLost() {
        return Arrays.stream(lostByTopic).sum();
    }

    /** The achieved rate; valid once the run is done. */
    double achievedRatePerSecond() {
        return pacer.achievedRatePerSecond(pacer.ratePerSecond() > 0 ? endedNs : stoppedNs());
    }

    /** Without the grace that the last messages were given. */
    private long stoppedNs() {
        return endedNs - endNs > 0 ? endNs : endedNs;
    }

    /**
     * The last send, or the end of the run where the engine took nothing any more; valid once the
     * run is done.
     */
    long untilNs() {
        final long untilNs = pacer.untilNs(stoppedNs());
        return untilNs - lastSentNs > 0 && sent > 0 ? untilNs : lastSentNs;
    }

    long lastSentNs() {
        return lastSentNs;
    }

    /**
     * Messages that are offered together: filled, then offered until the engine has accepted all.
     * Single-threaded, allocates nothing after construction.
     */
    private static final class SendGroup {
        private final OutgoingBatch batch;
        private final GroupSize size;
        private final long[] intendedNs;
        private int flags;
        private int step;
        private int count;
        private int taken;
        private int offeredFrom;
        private long groups;

        /** {@code multiple} is the number that the engine sends with one call. */
        SendGroup(final OutgoingBatch batch, final int multiple) {
            this.batch = batch;
            size = new GroupSize(multiple, batch.capacity());
            intendedNs = new long[batch.capacity()];
        }

        /** A new run. */
        void begin(final int newFlags, final int newStep, final int topic) {
            flags = newFlags;
            step = newStep;
            groups = 0;
            turnTo(topic);
        }

        /** Sends the following groups to another topic. */
        void turnTo(final int topic) {
            batch.begin(flags, step, topic);
            count = 0;
            taken = 0;
        }

        /** Whether messages wait that the engine did not accept. */
        boolean isPending() {
            return taken < count;
        }

        /** Makes the rest be offered again. */
        void again(final long nowNs) {
            size.again(nowNs);
            batch.stampSent(taken, count, nowNs);
        }

        /** Fills as many as an engine accepts in a few microseconds, all due now. */
        void fill(final long most, final long nowNs, final int firstSequence) {
            count = (int) Math.min(size.next(nowNs), most);
            taken = 0;
            batch.prepare(count, nowNs, firstSequence);
            groups++;
        }

        /** Fills all due messages, each with its own intended time; there is at least one. */
        void fillDue(
                final Pacer pacer,
                final long most,
                final long endNs,
                final long nowNs,
                final int firstSequence) {
            count = 0;
            taken = 0;
            do {
                intendedNs[count] = pacer.intendedNs();
                batch.put(count, pacer.intendedNs(), nowNs, firstSequence + count);
                pacer.sent(nowNs);
                count++;
            } while (count < intendedNs.length
                    && count < most
                    && pacer.isDue(nowNs)
                    && pacer.intendedNs() - endNs < 0);
            groups++;
        }

        /** Where the messages are. */
        DirectBuffer buffer() {
            return batch.buffer();
        }

        /** Where the first message begins that the engine has not accepted. */
        int offset() {
            return batch.offsetOf(taken);
        }

        /** How many the engine has not accepted. */
        int pending() {
            return count - taken;
        }

        /** Records how many more the engine accepted. */
        void taken(final int more) {
            offeredFrom = taken;
            taken += more;
        }

        /**
         * Due time of the first of the messages that the engine accepted last; only for {@link
         * #fillDue}.
         */
        long firstIntendedNs() {
            return intendedNs[offeredFrom];
        }

        /** How many messages were in a group, on average; 1 where none was filled. */
        double mean(final long messages) {
            return groups == 0 ? 1 : (double) messages / groups;
        }
    }

    /**
     * The publications of the topics of a stream: one for each, or one for all. Single-threaded,
     * allocates nothing after construction.
     */
    private static final class TopicPublications {
        private final Publication[] all;
        private final Publication[] byTopic;
        private int working;

        TopicPublications(final List<Publication> all, final int topics) {
            this.all = all.toArray(Publication[]::new);
            byTopic = new Publication[topics + 1];
            for (int id = 1; id <= topics; id++) {
                byTopic[id] = all.get(Math.min(id, all.size()) - 1);
            }
        }

        Publication of(final int topic) {
            return byTopic[topic];
        }

        int topics() {
            return byTopic.length - 1;
        }

        /** The topic whose turn is next. */
        int after(final int topic) {
            return topic == topics() ? 1 : topic + 1;
        }

        /**
         * Lets one of them do its work, each in turn: the fate of a message is noticed whichever
         * topic is sent meanwhile.
         */
        int doWork() {
            working = working == all.length - 1 ? 0 : working + 1;
            return all[working].doWork();
        }

        /** Lets the one that refused a message send what it has, and the others work, too. */
        void relieve(final int topic) {
            byTopic[topic].flush();
            byTopic[topic].doWork();
            if (all.length > 1) {
                doWork();
            }
        }

        /** Flushes all; negative where one could not. */
        long flush() {
            long worst = 0;
            for (final Publication publication : all) {
                worst = Math.min(worst, publication.flush());
            }
            return worst;
        }

        void doWorkOfAll() {
            for (final Publication publication : all) {
                publication.doWork();
            }
        }
    }

    /** What other threads see of a sender while it sends; written by its thread. */
    private static final class SendGauges {
        private final Counter sent;
        private final Counter lag;

        SendGauges(final Recording recording) {
            sent = recording.counter(Counts.SENT);
            lag = recording.gauge(Counts.LAG_NS);
        }

        long sent() {
            return sent.get();
        }

        void set(final long newSent, final long lagNs) {
            sent.set(newSent);
            lag.set(lagNs);
        }
    }

    /**
     * How many messages share one clock read: as many as an engine accepts in a few microseconds,
     * so that an expensive send call keeps its own time and a cheap one does not pay for the clock;
     * but no fewer than it sends with one call, because those leave together. Single-threaded.
     */
    static final class GroupSize {
        /**
         * A group that took longer is followed by a smaller one: a clock read of some 20 ns for
         * each would be negligible.
         */
        private static final long TOO_LONG_NS = 4_000;

        /** A group that took less may be followed by a larger one. */
        private static final long SHORT_NS = TOO_LONG_NS / 2;

        private final int least;
        private final int most;
        private int size;
        private long beganNs;

        /**
         * {@code least} is the number that the engine sends with one call, {@code most} what a
         * group can hold.
         */
        GroupSize(final int least, final int most) {
            this.least = Math.min(least, most);
            this.most = most;
            size = this.least;
        }

        /**
         * The rest of a group that was refused is offered again: waiting for room does not count as
         * cost.
         */
        void again(final long nowNs) {
            beganNs = nowNs;
        }

        /** Size of the group that begins now, derived from the time that the one before took. */
        int next(final long nowNs) {
            final long tookNs = nowNs - beganNs;
            beganNs = nowNs;
            if (tookNs > TOO_LONG_NS) {
                size = Math.max(least, size / 2 / least * least);
            } else if (tookNs < SHORT_NS) {
                size = Math.min(most, size * 2);
            }
            return size;
        }
    }
}
