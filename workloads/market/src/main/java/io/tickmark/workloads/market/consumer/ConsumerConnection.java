package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.LatencyRate;
import io.tickmark.workloads.market.measure.TickBursts;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * One connection of the consumer from its opening to its end, on one thread: requests its items,
 * waits for their images, then measures, posting where it is asked to.
 */
final class ConsumerConnection implements Runnable {
    /** The longest wait while nothing is due; what is set by other threads is seen after it. */
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long posts that are under way are waited for at the end, after the last came back. */
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_LINGER_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * A consumer knows its own posts by it. Those of other processes and hosts, which may have the
     * same process id and address, come back to it too.
     */
    private static final SecureRandom USER_IDS = new SecureRandom();

    private final ConsumerShared shared;
    private final RoleContext context;
    private final NanoClock clock;
    private final int thread;
    private final WatchedItems items;
    private final LoopCounts<ConsumerCounts> loop;
    private final ConsumerCounts counts;
    private final ItemIntake intake;
    private final ConsumerLine line;
    private final ItemRequester requester;
    private final ItemRequester primer;
    private final Queue<LoopCounts.Row<ConsumerCounts>> rows;
    private final Share postShare;
    private final Share genericShare;
    private ItemMessages posts;
    private ItemMessages generics;
    private long openedNs;
    private long askedNs;
    private long firstRequestNs;
    private long steadyNs;
    private long endNs;
    private long nextRowNs;
    private long lastPostsBack;
    private long lastPostNs = Long.MIN_VALUE / 2;
    private Cost atSteadyCost = Cost.NONE;
    private Cost cost = Cost.NONE;
    private boolean areImagesTold;
    private boolean hasSteadyEnded;

    /** Makes the connection on one of the libraries. */
    @FunctionalInterface
    interface LineMaker {
        ConsumerLine make(WatchedItems items, ItemIntake intake, long ownUserId);
    }

    /** What it is made from; its shares are of the rates of posts and of generic messages. */
    record Parts(
            int thread,
            List<Item> items,
            Share posting,
            Share generics,
            LineMaker line,
            Queue<LoopCounts.Row<ConsumerCounts>> rows,
            EachLatency each) {}

    ConsumerConnection(final ConsumerShared shared, final Parts parts) {
        this.shared = shared;
        context = shared.context();
        clock = context.clock();
        thread = parts.thread();
        final Recording recording = context.recording();
        recording.counter(Counts.RECEIVED + LoopCounts.suffix(thread)); // the first in stats.csv
        loop = new LoopCounts<>(ConsumerCounts.COLUMNS, thread, recording);
        counts = loop.live();
        rows = parts.rows();
        postShare = parts.posting();
        genericShare = parts.generics();
        items = new WatchedItems(parts.items());
        final long ownUserId = Integer.toUnsignedLong(USER_IDS.nextInt());
        intake = new ItemIntake(shared, new ItemIntake.Parts(items, loop, parts.each(), ownUserId));
        line = parts.line().make(items, intake, ownUserId);
        if (line.asksAgain()) {
            intake.libraryAsksAgain();
        }
        final ConsumerSettings settings = shared.settings();
        requester = new ItemRequester(items, requests(settings), settings.snapshot());
        primer = new ItemRequester(items, requests(settings), true);
    }

    private TickBursts requests(final ConsumerSettings settings) {
        return bursts(new Share(thread, settings.connections()), settings.requestRate(), 0);
    }

    /** This connection's part of a rate of all connections. */
    private TickBursts bursts(final Share share, final long rate, final long marks) {
        return new TickBursts(
                share.part(rate), share.part(marks), shared.settings().run().tickRate(), thread);
    }

    /** Runs to the end, and closes the connection however it ends; on its own thread. */
    @Override
    public void run() {
        try {
            live();
        } finally {
            line.close(); // at once: a provider would wait for a consumer that reads no more
        }
    }

    private void live() {
        openedNs = clock.nanoTime();
        loop.beginIntervals(openedNs);
        nextRowNs = openedNs + shared.settings().run().writeStatsInterval().toNanos();
        try {
            line.open();
            loop();
        } finally { // one that fails has its figures up to then
            end();
        }
    }

    private void loop() {
        long nowNs = openedNs;
        while (!shared.isOver() && !isFinished(nowNs)) {
            line.dispatch(nowNs);
            nowNs = clock.nanoTime();
            work(nowNs);
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += shared.settings().run().writeStatsInterval().toNanos();
            }
            nowNs = clock.nanoTime();
            line.idle(Math.min(nextWorkNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
        }
    }

    private void end() {
        final long nowNs = clock.nanoTime();
        endNs = Math.min(nowNs, shared.endAtNs());
        if (steadyNs != 0 && !hasSteadyEnded) {
            endSteady();
        }
        row(nowNs);
    }

    private void work(final long nowNs) {
        switch (line.phase()) {
            case STARTUP -> startup(nowNs);
            case STEADY -> steady(nowNs);
            case PRIMING -> prime(nowNs);
            default -> {
                administrate(nowNs);
                return;
            }
        }
        line.flush(); // every turn: what a full socket has refused is offered again
    }

    private void administrate(final long nowNs) {
        if (line.isReady()) {
            if (shared.settings().primeJvm()) {
                line.phase(ConsumerPhase.PRIMING);
                intake.beginPriming();
                askedNs = nowNs;
                primer.start(nowNs);
            } else {
                beginStartup(nowNs);
            }
        } else if (nowNs - openedNs > context.connectTimeoutNs()) {
            shared.fail(
                    "Cannot connect within %s: %s."
                            .formatted(
                                    Durations.format(Duration.ofNanos(context.connectTimeoutNs())),
                                    line.diagnosis()));
        }
    }

    private void prime(final long nowNs) {
        primer.send(line, nowNs);
        repeat(primer, nowNs);
        if (items.isComplete()) {
            items.restart();
            intake.endPriming();
            line.phase(ConsumerPhase.STARTUP);
            beginStartup(nowNs);
        } else {
            checkPatience(primer, nowNs);
        }
    }

    private void beginStartup(final long nowNs) {
        prepareMessages();
        askedNs = nowNs;
        firstRequestNs = nowNs;
        requester.start(nowNs);
    }

    /** Posts and generic messages are read once the dictionary is there that checks them. */
    private void prepareMessages() {
        final ConsumerSettings settings = shared.settings();
        if (settings.postingRate() == 0 && settings.genericMsgRate() == 0) {
            return;
        }
        final MessageFile messages = settings.content().messages(line.dictionary());
        posts =
                messages(
                        messages,
                        MessageKind.POST,
                        bursts(
                                postShare,
                                settings.postingRate(),
                                LatencyRate.parse(
                                        settings.postingLatencyRate(),
                                        settings.postingRate(),
                                        "--posting-latency-rate")));
        generics =
                messages(
                        messages,
                        MessageKind.GENERIC,
                        bursts(
                                genericShare,
                                settings.genericMsgRate(),
                                LatencyRate.parse(
                                        settings.genericMsgLatencyRate(),
                                        settings.genericMsgRate(),
                                        "--generic-msg-latency-rate")));
    }

    private ItemMessages messages(
            final MessageFile file, final MessageKind kind, final TickBursts bursts) {
        if (bursts.ratePerSecond() == 0) {
            return null;
        }
        final String option =
                kind == MessageKind.POST
                        ? ConsumerSettings.POSTING_RATE
                        : ConsumerSettings.GENERIC_MSG_RATE;
        return new ItemMessages(new ItemMessages.Content(kind, file, option), items, bursts, clock);
    }

    private void startup(final long nowNs) {
        if (!requester.isDone()) {
            counts.requests().add(requester.send(line, nowNs));
        }
        if (!areImagesTold) {
            repeat(requester, nowNs);
        }
        if (items.isComplete() && !areImagesTold) {
            areImagesTold = true;
            counts.retrievalNs().set(intake.lastImageNs() - firstRequestNs);
            shared.imagesComplete(nowNs);
        }
        if (nowNs - shared.steadyAtNs() >= 0 && shared.isComplete()) {
            beginSteady(nowNs);
        } else if (!areImagesTold) {
            checkPatience(requester, nowNs);
        }
    }

    private void repeat(final ItemRequester asking, final long nowNs) {
        if (!line.asksAgain()) {
            counts.repeated()
                    .add(asking.repeat(line, nowNs, shared.settings().requestTimeout().toNanos()));
        }
    }

    private void checkPatience(final ItemRequester asking, final long nowNs) {
        final long patienceNs =
                shared.settings().steadyStateTime().isZero()
                        ? context.connectTimeoutNs()
                        : shared.settings().steadyStateTime().toNanos();
        if (nowNs - askedNs > patienceNs) {
            shared.fail(
                    StartupDiagnosis.of(
                            patienceNs, items, counts, asking.isDone(), line.failure()));
        }
    }

    private void beginSteady(final long nowNs) {
        line.phase(ConsumerPhase.STEADY);
        steadyNs = nowNs;
        intake.settle();
        intake.beginSteadyState();
        shared.onSteady(thread);
        if (posts != null) {
            posts.start(nowNs);
        }
        if (generics != null) {
            generics.start(nowNs);
        }
        atSteadyCost = Cost.now(line.libraryThread());
    }

    private void steady(final long nowNs) {
        if (nowNs - shared.endAtNs() >= 0) {
            if (!hasSteadyEnded) {
                endSteady();
                if (counts.postsBack().get() < counts.posts().get()) {
                    row(nowNs); // so that no rate is spread over the wait for posts
                }
            }
            return;
        }
        if (posts != null) {
            posts.send(line, nowNs);
            counts.posts().set(posts.sent());
        }
        if (generics != null) {
            generics.send(line, nowNs);
            counts.genericsSent().set(generics.sent());
            counts.genericLatenciesSent().set(generics.stamped());
        }
        if (!line.failure().isEmpty()) {
            shared.fail("A message cannot be sent: " + line.failure() + ".");
        }
    }

    /** What comes later does not count, but for posts that are under way. */
    private void endSteady() {
        hasSteadyEnded = true;
        cost = Cost.now(line.libraryThread()).since(atSteadyCost);
        intake.endSteadyState();
    }

    private boolean isFinished(final long nowNs) {
        if (!shared.isComplete() || nowNs - shared.endAtNs() < 0) {
            return false;
        }
        if (line.phase() != ConsumerPhase.STEADY) {
            beginSteady(nowNs);
        }
        if (counts.postsBack().get() != lastPostsBack) {
            lastPostsBack = counts.postsBack().get();
            lastPostNs = nowNs;
        }
        return counts.postsBack().get() >= counts.posts().get()
                || nowNs - Math.max(shared.endAtNs(), lastPostNs) > LINGER_NS
                || nowNs - shared.endAtNs() > LONGEST_LINGER_NS;
    }

    private long nextWorkNs() {
        final long sendingNs =
                Math.min(
                        posts == null ? Long.MAX_VALUE : posts.nextTickNs(),
                        generics == null ? Long.MAX_VALUE : generics.nextTickNs());
        return switch (line.phase()) {
            case STARTUP -> requester.nextTickNs();
            case PRIMING -> primer.nextTickNs();
            case STEADY -> Math.min(sendingNs, shared.endAtNs());
            default -> Long.MAX_VALUE;
        };
    }

    private void row(final long nowNs) {
        intake.settle();
        rows.add(loop.takeInterval(nowNs));
    }

    /** What it found out; after {@link #run}. */
    ConsumerFindings findings() {
        counts.loginNs().set(line.loginNs());
        return new ConsumerFindings(
                loop,
                new ConsumerFindings.Times(
                        firstRequestNs,
                        intake.lastImageNs(),
                        steadyNs == 0 ? endNs : steadyNs,
                        endNs),
                intake,
                items,
                posts,
                generics,
                cost);
    }
}
