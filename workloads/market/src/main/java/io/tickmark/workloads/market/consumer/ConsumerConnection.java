package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopResult;
import io.tickmark.kernel.record.Recording;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.LatencyRate;
import io.tickmark.workloads.market.measure.TickBursts;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.concurrent.NanoClock;

/**
 * One connection of the consumer from its opening to its end, on one thread: requests its items,
 * waits for their images, then measures, and posts where configured.
 */
final class ConsumerConnection implements Runnable {
    /** The longest wait while nothing is due; changes by other threads are seen after it. */
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How long to wait at the end for posts in flight, after the last one that returned. */
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_LINGER_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Identifies a consumer's own posts. Those of other processes and hosts, which may have the
     * same process id and address, are also returned to it.
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
    private final StallWatch watch;
    private final ConsumerApi api;
    private final ItemRequester requester;
    private final ItemRequester primer;
    private final Queue<LoopCounts.Row<ConsumerCounts>> rows;
    private final Share postShare;
    private final Share genericShare;
    private ItemMessages posts;
    private ItemMessages generics;
    private long openedNs;
    private long requestedNs;
    private long firstRequestNs;
    private long steadyNs;
    private long endNs;
    private long nextRowNs;
    private long lastPostsBack;
    private long lastPostNs = Long.MIN_VALUE / 2;
    private CpuCost atSteadyCost = CpuCost.NONE;
    private CpuCost cost = CpuCost.NONE;
    private boolean areImagesReported;
    private boolean hasSteadyEnded;

    /** Makes the connection on one of the libraries. */
    @FunctionalInterface
    interface ApiMaker {
        ConsumerApi make(WatchedItems items, ItemIntake intake, long ownUserId);
    }

    /** Its context, with its shares of the rates of posts and of generic messages. */
    record Parts(
            int thread,
            List<Item> items,
            Share posting,
            Share generics,
            ApiMaker api,
            Queue<LoopCounts.Row<ConsumerCounts>> rows,
            LatencyListener each) {}

    ConsumerConnection(final ConsumerShared shared, final Parts parts) {
        this.shared = shared;
        context = shared.context();
        clock = context.clock();
        thread = parts.thread();
        final Recording recording = context.recording();
        recording.counter(Counts.RECEIVED + LoopCounts.suffix(thread)); // the first in stats.csv
        watch = shared.watch(thread);
        loop = new LoopCounts<>(ConsumerCounts.COLUMNS, thread, recording);
        counts = loop.live();
        rows = parts.rows();
        postShare = parts.posting();
        genericShare = parts.generics();
        items = new WatchedItems(parts.items());
        final long ownUserId = Integer.toUnsignedLong(USER_IDS.nextInt());
        intake = new ItemIntake(shared, new ItemIntake.Parts(items, loop, parts.each(), ownUserId));
        api = parts.api().make(items, intake, ownUserId);
        if (api.asksAgain()) {
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

    /** Keeps the times of updates of the steady state; to be called before it runs. */
    void keep(final MessageLog log) {
        intake.keep(log);
    }

    /** Runs to the end, and closes the connection however it ends; on its own thread. */
    @Override
    public void run() {
        try {
            live();
        } finally {
            api.close(); // at once: a provider would wait for a consumer that has stopped reading
        }
    }

    /** Closes the connection of a role that could not run; idempotent. */
    void close() {
        api.close();
    }

    private void live() {
        openedNs = clock.nanoTime();
        loop.beginIntervals(openedNs);
        nextRowNs = openedNs + shared.settings().run().writeStatsInterval().toNanos();
        try {
            api.open();
            loop();
        } finally { // a connection that fails keeps its figures up to then
            end();
        }
    }

    private void loop() {
        long nowNs = openedNs;
        while (!shared.isOver() && !isFinished(nowNs)) {
            watch.worked(); // reading and decoding are not stalls
            api.dispatch(nowNs);
            nowNs = clock.nanoTime();
            watch.look(nowNs);
            watch.worked();
            work(nowNs);
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += shared.settings().run().writeStatsInterval().toNanos();
            }
            nowNs = clock.nanoTime();
            watch.look(nowNs);
            api.idle(Math.min(nextWorkNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
            watch.look(nowNs);
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
        switch (api.phase()) {
            case STARTUP -> startup(nowNs);
            case STEADY -> steady(nowNs);
            case PRIMING -> prime(nowNs);
            default -> {
                administrate(nowNs);
                return;
            }
        }
        api.flush(); // every turn: offers again what a full socket has refused
    }

    private void administrate(final long nowNs) {
        if (api.isReady()) {
            if (shared.settings().primeJvm()) {
                api.phase(ConsumerApi.Phase.PRIMING);
                intake.beginPriming();
                requestedNs = nowNs;
                primer.start(nowNs);
            } else {
                beginStartup(nowNs);
            }
        } else if (nowNs - openedNs > context.connectTimeoutNs()) {
            shared.fail(
                    "Cannot connect within %s: %s."
                            .formatted(
                                    Durations.format(Duration.ofNanos(context.connectTimeoutNs())),
                                    api.diagnosis()));
        }
    }

    private void prime(final long nowNs) {
        primer.send(api, nowNs);
        repeat(primer, nowNs);
        if (items.isComplete()) {
            items.restart();
            intake.endPriming();
            api.phase(ConsumerApi.Phase.STARTUP);
            beginStartup(nowNs);
        } else {
            checkPatience(primer, nowNs);
        }
    }

    private void beginStartup(final long nowNs) {
        prepareMessages();
        requestedNs = nowNs;
        firstRequestNs = nowNs;
        requester.start(nowNs);
    }

    /** Posts and generic messages are read once the dictionary that checks them is known. */
    private void prepareMessages() {
        final ConsumerSettings settings = shared.settings();
        if (settings.postingRate() == 0 && settings.genericMsgRate() == 0) {
            return;
        }
        final MessageFile messages = settings.content().messages(api.dictionary());
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
            counts.requests().add(requester.send(api, nowNs));
        }
        if (!areImagesReported) {
            repeat(requester, nowNs);
        }
        if (items.isComplete() && !areImagesReported) {
            areImagesReported = true;
            counts.retrievalNs().set(intake.lastImageNs() - firstRequestNs);
            shared.imagesComplete(nowNs);
        }
        if (nowNs - shared.steadyAtNs() >= 0 && shared.isComplete()) {
            beginSteady(nowNs);
        } else if (!areImagesReported) {
            checkPatience(requester, nowNs);
        }
    }

    private void repeat(final ItemRequester asking, final long nowNs) {
        if (!api.asksAgain()) {
            counts.repeated()
                    .add(asking.repeat(api, nowNs, shared.settings().requestTimeout().toNanos()));
        }
    }

    private void checkPatience(final ItemRequester asking, final long nowNs) {
        final long patienceNs =
                shared.settings().steadyStateTime().isZero()
                        ? context.connectTimeoutNs()
                        : shared.settings().steadyStateTime().toNanos();
        if (nowNs - requestedNs > patienceNs) {
            shared.fail(
                    StartupDiagnosis.of(patienceNs, items, counts, asking.isDone(), api.failure()));
        }
    }

    private void beginSteady(final long nowNs) {
        api.phase(ConsumerApi.Phase.STEADY);
        steadyNs = nowNs;
        intake.settle();
        intake.beginSteadyState();
        if (thread == 1) {
            shared.beginSteady(); // for the recording, which all connections share
        }
        if (posts != null) {
            posts.start(nowNs);
        }
        if (generics != null) {
            generics.start(nowNs);
        }
        atSteadyCost = CpuCost.now(api.libraryThread());
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
            posts.send(api, nowNs);
            counts.posts().set(posts.sent());
        }
        if (generics != null) {
            generics.send(api, nowNs);
            counts.genericsSent().set(generics.sent());
            counts.genericLatenciesSent().set(generics.stamped());
        }
        if (!api.failure().isEmpty()) {
            shared.fail("A message cannot be sent: " + api.failure() + ".");
        }
    }

    /** Later messages do not count, except posts in flight. */
    private void endSteady() {
        hasSteadyEnded = true;
        cost = CpuCost.now(api.libraryThread()).since(atSteadyCost);
        intake.endSteadyState();
    }

    private boolean isFinished(final long nowNs) {
        if (!shared.isComplete() || nowNs - shared.endAtNs() < 0) {
            return false;
        }
        if (api.phase() != ConsumerApi.Phase.STEADY) {
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
        return switch (api.phase()) {
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

    /** Its result; valid after {@link #run}. */
    Findings findings() {
        counts.loginNs().set(api.loginNs());
        return new Findings(
                loop,
                new Findings.Times(
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

    /**
     * The result of one connection.
     *
     * @param counts that it made
     * @param times of its life
     * @param intake of what it received
     * @param items with their states
     * @param posts null where it did not post
     * @param generics null where it sent none
     * @param cost of the steady state
     */
    record Findings(
            LoopCounts<ConsumerCounts> counts,
            Times times,
            ItemIntake intake,
            WatchedItems items,
            ItemMessages posts,
            ItemMessages generics,
            CpuCost cost)
            implements LoopResult.OneLoop<ConsumerCounts> {
        /**
         * Times of a connection, in ns; 0 for events that did not occur.
         *
         * @param firstRequestNs when the first item was requested
         * @param lastImageNs when the last image came
         * @param steadyNs when the steady state began
         * @param endNs when it ended
         */
        record Times(long firstRequestNs, long lastImageNs, long steadyNs, long endNs) {}

        /** The longest startup state of the connections that requested anything, in ns. */
        static long startupNs(final List<Findings> of) {
            return of.stream()
                    .map(Findings::times)
                    .filter(times -> times.firstRequestNs() != 0)
                    .mapToLong(times -> times.steadyNs() - times.firstRequestNs())
                    .max()
                    .orElse(0);
        }

        /** The longest steady state, in ns. */
        static long steadyNs(final List<Findings> of) {
            return of.stream()
                    .map(Findings::times)
                    .mapToLong(times -> times.endNs() - times.steadyNs())
                    .max()
                    .orElse(0);
        }

        /**
         * From the first request of any of them to the last image of any, in ns; 0 where none
         * arrived. A connection that never requested is not included.
         */
        static long retrievalNs(final List<Findings> of) {
            final long last =
                    of.stream().mapToLong(one -> one.times().lastImageNs()).max().orElse(0);
            final long first =
                    of.stream()
                            .mapToLong(one -> one.times().firstRequestNs())
                            .filter(requestNs -> requestNs != 0)
                            .min()
                            .orElse(last);
            return last == 0 ? 0 : last - first;
        }
    }

    /**
     * One connection's part of what several do together.
     *
     * @param number of the connection among those that take part, from 1; 0 for one that does not
     * @param of how many take part
     */
    record Share(int number, int of) {
        /** Shares of the connections; those without a suitable item do not take part. */
        static List<Share> among(
                final List<List<Item>> connections, final Predicate<Item> isMeant) {
            final int of = (int) connections.stream().filter(has(isMeant)).count();
            final List<Share> shares = new ArrayList<>();
            int number = 0;
            for (final List<Item> items : connections) {
                shares.add(new Share(has(isMeant).test(items) ? ++number : 0, of));
            }
            return shares;
        }

        private static Predicate<List<Item>> has(final Predicate<Item> isMeant) {
            return items -> items.stream().anyMatch(isMeant);
        }

        /** This connection's part; the parts of all add up to the total. */
        long part(final long total) {
            return number == 0 ? 0 : total / of + (number <= total % of ? 1 : 0);
        }
    }

    /** Describes why the steady state was not reached, from the consumer's own counts. */
    static final class StartupDiagnosis {
        private StartupDiagnosis() {}

        /**
         * {@code refusal} is the library's reason for refusing the waiting request; empty if it
         * refused none.
         */
        static String of(
                final long patienceNs,
                final WatchedItems items,
                final ConsumerCounts counts,
                final boolean allRequested,
                final String refusal) {
            return "Steady state was not reached within %s: %d of %d images arrived%s."
                    .formatted(
                            Durations.format(Duration.ofNanos(patienceNs)),
                            items.images(),
                            items.size(),
                            reason(items, counts, allRequested, refusal));
        }

        private static String reason(
                final WatchedItems items,
                final ConsumerCounts counts,
                final boolean allRequested,
                final String refusal) {
            if (items.closed() > 0) {
                return CountSentence.of(
                        "; %d item{ was|s were} closed by the provider, the last one %s (do the item lists of both sides"
                                + " match?)",
                        items.closed(), items.closedWords());
            }
            if (counts.suspects().get() > 0) {
                return CountSentence.of(
                        "; %d image{ was a placeholder|s were placeholders} with suspect data: the hub does not hold"
                                + " {this item|these items} (yet), do the item lists match?",
                        counts.suspects().get());
            }
            if (!allRequested && !refusal.isEmpty()) {
                return "; not all items could be requested: " + refusal;
            }
            if (!allRequested) {
                return "; not all items were requested yet: raise --request-rate or --steady-state-time";
            }
            final int unanswered = items.size() - items.answered();
            if (unanswered > 0) {
                return CountSentence.of(
                        "; %d item{ is|s are} unanswered: the provider sends nothing for {it|them}, neither an image nor a"
                                + " refusal%s; does it serve {it|them}, or is it overloaded by its update rate?",
                        unanswered,
                        counts.repeated().get() == 0
                                ? ""
                                : CountSentence.of(
                                        ", although %d request{ was|s were} sent again (--request-timeout)",
                                        counts.repeated().get()));
            }
            return "; they arrive too slowly: lower the provider's update rate, or raise --steady-state-time";
        }
    }

    /**
     * Requests the items of one connection in bursts, in order; a request without a free buffer
     * waits.
     */
    static final class ItemRequester {
        private static final int LOOKS = 4;

        private final WatchedItems items;
        private final TickBursts bursts;
        private final boolean snapshots;
        private final long[] requestedNs;
        private int next;
        private long nextLookNs;

        ItemRequester(final WatchedItems items, final TickBursts bursts, final boolean snapshots) {
            this.items = items;
            this.bursts = bursts;
            this.snapshots = snapshots;
            requestedNs = new long[items.size()];
        }

        void start(final long nowNs) {
            next = 0;
            nextLookNs = nowNs;
            bursts.start(nowNs);
        }

        boolean isDone() {
            return next == items.size();
        }

        long nextTickNs() {
            return isDone() ? Long.MAX_VALUE : bursts.nextTickNs();
        }

        /**
         * Sends one burst if it is due, to be flushed by the caller; returns how many requests were
         * sent. A late requester catches up burst by burst and reads in between: otherwise a
         * library whose cost per request grows with the pending ones would only request, and fall
         * further and further behind.
         */
        int send(final ConsumerApi api, final long nowNs) {
            int sent = 0;
            final long burstNs = bursts.isDue(nowNs) ? bursts.intendedNs() : 0;
            while (!isDone() && bursts.isDue(nowNs) && bursts.intendedNs() == burstNs) {
                if (!api.request(next, snapshots || items.get(next).snapshot())) {
                    break;
                }
                bursts.sent(nowNs, false);
                requestedNs[next] = nowNs;
                next++;
                sent++;
            }
            return sent;
        }

        /**
         * Repeats requests that were not answered within the time-out, to be flushed by the caller;
         * returns for how many items. Checks only periodically, as there may be very many items.
         */
        int repeat(final ConsumerApi api, final long nowNs, final long timeoutNs) {
            if (timeoutNs == 0 || nowNs - nextLookNs < 0) {
                return 0;
            }
            nextLookNs = nowNs + timeoutNs / LOOKS;
            int repeated = 0;
            for (int index = 0; index < next; index++) {
                if (!items.isAnswered(index) && nowNs - requestedNs[index] >= timeoutNs) {
                    if (!api.request(index, snapshots || items.get(index).snapshot())) {
                        break; // without an output buffer; the next look finds it again
                    }
                    requestedNs[index] = nowNs;
                    repeated++;
                }
            }
            return repeated;
        }
    }
}
