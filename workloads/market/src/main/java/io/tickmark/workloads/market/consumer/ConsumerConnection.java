package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.PostHeader;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyRate;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * One connection of the consumer from its opening to its end, on one thread: requests its items,
 * waits for their images, then measures, posting where it is asked to.
 */
final class ConsumerConnection {
    /** The longest wait while nothing is due; what is set by other threads is seen after it. */
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long posts that are under way are waited for at the end. */
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);

    private final ConsumerShared shared;
    private final RoleContext context;
    private final NanoClock clock;
    private final int thread;
    private final ReactorLoop loop;
    private final WatchedItems items;
    private final ConsumerTotals totals = new ConsumerTotals();
    private final ConsumerInbox inbox;
    private final ConsumerSession session;
    private final ItemRequester requester;
    private final ItemRequester primer;
    private final Queue<ConsumerRow> rows;
    private final long ownUserId;
    private ItemMessages posts;
    private ItemMessages generics;
    private ConsumerTotals atSteady;
    private ConsumerTotals rowStart = new ConsumerTotals();
    private long openedNs;
    private long firstRequestNs;
    private long steadyNs;
    private long endNs;
    private long nextRowNs;
    private long rowNs;
    private long retrievalTold;

    /** What it is made from. */
    record Parts(
            int thread,
            List<Item> items,
            ReactorLoop loop,
            Queue<ConsumerRow> rows,
            EachLatency each) {}

    ConsumerConnection(final ConsumerShared shared, final Parts parts) {
        this.shared = shared;
        context = shared.context();
        clock = context.clock();
        thread = parts.thread();
        loop = parts.loop();
        rows = parts.rows();
        items = new WatchedItems(parts.items());
        // a consumer knows its own posts by it; processes and connections differ
        ownUserId = (ProcessHandle.current().pid() << 8 | thread) & 0xffff_ffffL;
        inbox =
                new ConsumerInbox(
                        shared,
                        new ConsumerInbox.Parts(items, totals, thread, parts.each()),
                        ownUserId);
        session = new ConsumerSession(shared, loop, inbox);
        final ConsumerSettings settings = shared.settings();
        requester = new ItemRequester(items, requests(settings), settings.snapshot());
        primer = new ItemRequester(items, requests(settings), true);
    }

    private TickBursts requests(final ConsumerSettings settings) {
        return bursts(settings.requestRate(), 0);
    }

    /** This connection's part of a rate of all connections. */
    private TickBursts bursts(final long rate, final long marks) {
        final int of = shared.settings().connections();
        return new TickBursts(
                part(rate, of), part(marks, of), shared.settings().run().tickRate(), thread);
    }

    private long part(final long rate, final int of) {
        return rate / of + (thread <= rate % of ? 1 : 0);
    }

    /** Runs to the end; on its own thread. */
    void run() {
        openedNs = clock.nanoTime();
        rowNs = openedNs;
        nextRowNs = openedNs + shared.settings().run().writeStatsInterval().toNanos();
        session.open();
        long nowNs = openedNs;
        while (!shared.isOver() && !isFinished(nowNs)) {
            loop.dispatch(nowNs);
            nowNs = clock.nanoTime();
            work(nowNs);
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += shared.settings().run().writeStatsInterval().toNanos();
            }
            nowNs = clock.nanoTime();
            loop.idle(Math.min(nextWorkNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
        }
        endNs = Math.min(nowNs, shared.endAtNs());
        inbox.settle();
        session.done();
        row(nowNs);
        loop.close(); // at once: a provider would wait for a consumer that reads no more
    }

    private void work(final long nowNs) {
        switch (session.phase()) {
            case STARTUP -> startup(nowNs);
            case STEADY -> steady(nowNs);
            case PRIMING -> prime(nowNs);
            default -> administrate(nowNs);
        }
    }

    private void administrate(final long nowNs) {
        if (session.isReady()) {
            if (shared.settings().primeJvm()) {
                session.phase(ConsumerPhase.PRIMING);
                inbox.primes(true);
                primer.start(session.serviceId(), nowNs);
            } else {
                beginStartup(nowNs);
            }
        } else if (nowNs - openedNs > context.connectTimeoutNs()) {
            shared.fail(
                    "Cannot connect within %d s: %s."
                            .formatted(
                                    TimeUnit.NANOSECONDS.toSeconds(context.connectTimeoutNs()),
                                    session.diagnosis()));
        }
    }

    private void prime(final long nowNs) {
        primer.send(session.writer(), nowNs);
        if (items.isComplete()) {
            items.restart();
            inbox.primes(false);
            session.phase(ConsumerPhase.STARTUP);
            beginStartup(nowNs);
        } else {
            checkPatience(nowNs);
        }
    }

    private void beginStartup(final long nowNs) {
        prepareMessages();
        firstRequestNs = nowNs;
        requester.start(session.serviceId(), nowNs);
    }

    /** Posts and generic messages are read once the dictionary is there that checks them. */
    private void prepareMessages() {
        final ConsumerSettings settings = shared.settings();
        if (settings.postingRate() == 0 && settings.genericMsgRate() == 0) {
            return;
        }
        final MessageFile messages = settings.content().messages(session.dictionary());
        posts =
                messages(
                        messages,
                        MessageKind.POST,
                        bursts(
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
        final TimeUnit unit =
                shared.settings().nanoTime() ? TimeUnit.NANOSECONDS : TimeUnit.MICROSECONDS;
        final MessageEncoder encoder = new MessageEncoder(session.dictionary(), unit);
        return new ItemMessages(
                new ItemMessages.Content(
                        kind, file, encoder, new PostHeader().by(ownUserId, 0x7f000001L)),
                items,
                bursts,
                clock);
    }

    private void startup(final long nowNs) {
        if (!requester.isDone()) {
            totals.requests += requester.send(session.writer(), nowNs);
        }
        if (items.isComplete() && retrievalTold == 0) {
            retrievalTold = inbox.lastImageNs();
            shared.imagesComplete(nowNs);
        }
        if (nowNs - shared.steadyAtNs() >= 0 && shared.isComplete()) {
            beginSteady(nowNs);
        } else if (retrievalTold == 0) {
            checkPatience(nowNs);
        }
    }

    private void checkPatience(final long nowNs) {
        final long patienceNs = shared.settings().steadyStateTime().toNanos();
        if (nowNs - firstRequestNs > patienceNs && firstRequestNs != 0) {
            shared.fail(StartupDiagnosis.of(shared.settings(), items, totals, requester.isDone()));
        }
    }

    private void beginSteady(final long nowNs) {
        session.phase(ConsumerPhase.STEADY);
        steadyNs = nowNs;
        inbox.settle();
        atSteady = totals.copy();
        inbox.beginSteadyState();
        shared.onSteady(thread);
        if (posts != null) {
            posts.start(nowNs);
        }
        if (generics != null) {
            generics.start(nowNs);
        }
    }

    private void steady(final long nowNs) {
        if (nowNs - shared.endAtNs() >= 0) {
            return; // what is under way may still come back
        }
        if (posts != null) {
            posts.send(session.writer(), nowNs);
            totals.posts = posts.sent();
            totals.postLatencies = posts.stamped();
        }
        if (generics != null) {
            generics.send(session.writer(), nowNs);
            totals.genericsSent = generics.sent();
            totals.genericLatenciesSent = generics.stamped();
        }
        if (session.writer().hasFailed()) {
            shared.fail("A message cannot be sent: " + session.writer().failure() + ".");
        }
    }

    private boolean isFinished(final long nowNs) {
        if (!shared.isComplete() || nowNs - shared.endAtNs() < 0) {
            return false;
        }
        if (session.phase() != ConsumerPhase.STEADY) {
            beginSteady(nowNs);
        }
        return totals.postsBack >= totals.posts || nowNs - shared.endAtNs() > LINGER_NS;
    }

    private long nextWorkNs() {
        final long sendingNs =
                Math.min(
                        posts == null ? Long.MAX_VALUE : posts.nextTickNs(),
                        generics == null ? Long.MAX_VALUE : generics.nextTickNs());
        return switch (session.phase()) {
            case STARTUP -> requester.nextTickNs();
            case PRIMING -> primer.nextTickNs();
            case STEADY -> Math.min(sendingNs, shared.endAtNs());
            default -> Long.MAX_VALUE;
        };
    }

    private void row(final long nowNs) {
        inbox.settle();
        final ConsumerTotals now = totals.copy();
        rows.add(
                new ConsumerRow(
                        thread,
                        nowNs,
                        nowNs - rowNs,
                        now.minus(rowStart),
                        inbox.meter(LatencyKind.UPDATE).takeInterval(),
                        inbox.meter(LatencyKind.POST).takeInterval(),
                        inbox.meter(LatencyKind.GENERIC).takeInterval(),
                        retrievalTold > rowNs ? retrievalTold - firstRequestNs : 0,
                        now.images));
        rowStart = now;
        rowNs = nowNs;
    }

    /** What it found out; after {@link #run}. */
    ConsumerFindings findings() {
        return new ConsumerFindings(
                thread,
                atSteady == null ? totals.copy() : atSteady,
                atSteady == null ? new ConsumerTotals() : totals.minus(atSteady),
                new ConsumerFindings.Times(
                        firstRequestNs,
                        inbox.lastImageNs(),
                        steadyNs == 0 ? endNs : steadyNs,
                        endNs,
                        session.loginNs()),
                inbox,
                items,
                posts,
                generics);
    }
}
