package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;

/** State shared by the workers of a gateway. Any thread. */
final class GatewayState {
    /** Room for a session's own messages beside those for its consumer. */
    private static final int SESSION_BYTES = 1 << 16;

    private static final long BETWEEN_LINES_NS = 1_000_000_000;

    private final GatewaySettings settings;
    private final SessionConfig config;
    private final SlowRules slow;
    private final FixStores stores;
    private final List<WorkerInbox> inboxes;
    private final Consumer<String> listener;
    private final AtomicInteger producers = new AtomicInteger();
    private final AtomicInteger producersEver = new AtomicInteger();
    private final AtomicInteger consumers = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean hasForgotten = new AtomicBoolean();
    private final AtomicBoolean hasRejected = new AtomicBoolean();
    private final AtomicLong notLoggedOn = new AtomicLong();
    private final AtomicLong crowded = new AtomicLong();
    private final AtomicLong acceptFailures = new AtomicLong();
    private final AtomicLong endedWithoutLogout = new AtomicLong();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private final NanoClock clock;
    private boolean hasReported;
    private long reportedNs;
    private long suppressedSince;
    private List<Worker> workers = List.of();

    GatewayState(
            final GatewaySettings settings,
            final int workers,
            final Consumer<String> listener,
            final NanoClock clock) {
        this.settings = settings;
        this.clock = clock;
        this.listener = listener;
        slow = settings.slow().rules();
        config =
                settings.session()
                        .acceptor(
                                (int)
                                        Math.min(
                                                Integer.MAX_VALUE - 8L,
                                                (long) slow.mostBytes()
                                                        + SESSION_BYTES
                                                        + settings.session().maxMessageBytes()))
                        .withChecks(settings.checking().checks());
        stores = new FixStores(settings.store());
        final int maxMessageBytes = settings.session().maxMessageBytes();
        inboxes = Stream.generate(() -> new WorkerInbox(maxMessageBytes)).limit(workers).toList();
    }

    /** Before any worker starts. */
    void workers(final List<Worker> all) {
        workers = List.copyOf(all);
    }

    Worker worker(final int number) {
        return workers.get(number);
    }

    int workerCount() {
        return inboxes.size();
    }

    /** A disconnected consumer has lost its kept messages: the first one is reported. */
    void forgotten() {
        if (hasForgotten.compareAndSet(false, true)) {
            listener.accept(
                    "--away-bytes %d: reached; the longest-absent consumer loses the messages kept so far, and gets a gap fill."
                            .formatted(settings.store().awayBytes()));
        }
    }

    /**
     * Passes a message to all other workers; serves its own while it waits for room. Where one has
     * given up, or the gateway ends, no more room is made: then the message is lost with the rest.
     */
    void passToOtherWorkers(final int from, final FanOutMessage message) {
        for (int i = 0; i < workers.size(); i++) {
            if (i != from) {
                while (!inboxes.get(i).offer(message)) {
                    if (failure.get() != null || workers.get(from).isStopping()) {
                        return;
                    }
                    workers.get(i).wake();
                    inboxes.get(from).drain(workers.get(from).fanOut());
                }
                workers.get(i).wake();
            }
        }
    }

    boolean isKnown(final LogonRequest request) {
        return isRight(settings.session().username(), request.username())
                && isRight(settings.session().password(), request.password());
    }

    private static boolean isRight(final String wanted, final String given) {
        return wanted.isEmpty() || wanted.equals(given);
    }

    boolean isProducer(final boolean isProducersPort, final String compId) {
        final boolean isOnePort =
                settings.producersPort() == settings.consumersPort()
                        && settings.producersPort() != 0;
        return isOnePort ? compId.startsWith(settings.session().producerPrefix()) : isProducersPort;
    }

    GatewaySettings settings() {
        return settings;
    }

    SessionConfig config() {
        return config;
    }

    SlowRules slow() {
        return slow;
    }

    FixStores stores() {
        return stores;
    }

    WorkerInbox inbox(final int worker) {
        return inboxes.get(worker);
    }

    void producerJoined() {
        producers.incrementAndGet();
        producersEver.incrementAndGet();
    }

    void producerLeft() {
        producers.decrementAndGet();
    }

    void consumerJoined() {
        consumers.incrementAndGet();
    }

    void consumerLeft() {
        consumers.decrementAndGet();
    }

    int producers() {
        return producers.get();
    }

    int producersEver() {
        return producersEver.get();
    }

    int consumers() {
        return consumers.get();
    }

    /**
     * A connection waits for its Logon. Any of them may be closed to make room: the one that has
     * waited longest is, by its own worker.
     */
    void waits(final Waiting connection) {
        Waiting crowdedOut = null;
        synchronized (waiting) {
            waiting.add(connection);
            if (waiting.size() > settings.mostWaiting()) {
                crowdedOut = waiting.iterator().next();
                waiting.remove(crowdedOut);
            }
        }
        if (crowdedOut != null) {
            crowdedOut.crowdOut();
            crowded.incrementAndGet();
            rarely(
                    "more than %d connections have not logged on (--most-waiting); those that have waited longest are closed"
                            .formatted(settings.mostWaiting()));
        }
    }

    /** It has logged on, or ended. */
    void stoppedWaiting(final Waiting connection) {
        synchronized (waiting) {
            waiting.remove(connection);
        }
    }

    /** A connection before its Logon; any thread may request its end. */
    interface Waiting {
        void crowdOut();
    }

    /** The clock of the role. */
    NanoClock clock() {
        return clock;
    }

    /** A connection ended before its Logon was taken. */
    void neverLoggedOn(final String reason) {
        notLoggedOn.incrementAndGet();
        rarely("A connection was closed before it was logged on: " + reason);
    }

    /** A connection could not be taken. */
    void notAccepted(final String reason) {
        acceptFailures.incrementAndGet();
        rarely(
                "A connection could not be accepted (%s); retrying until it can be."
                        .formatted(reason));
    }

    /** Events that any client may cause are reported once a second at most, with their number. */
    private void rarely(final String sentence) {
        final long nowNs = clock.nanoTime();
        final long suppressed;
        synchronized (waiting) {
            if (hasReported && nowNs - reportedNs < BETWEEN_LINES_NS) {
                suppressedSince++;
                return;
            }
            hasReported = true;
            reportedNs = nowNs;
            suppressed = suppressedSince;
            suppressedSince = 0;
        }
        listener.accept(
                suppressed == 0
                        ? sentence
                        : "%s (and %d more like it since the last line)"
                                .formatted(sentence, suppressed));
    }

    long notLoggedOn() {
        return notLoggedOn.get();
    }

    long crowdedOut() {
        return crowded.get();
    }

    long acceptFailures() {
        return acceptFailures.get();
    }

    long endedWithoutLogout() {
        return endedWithoutLogout.get();
    }

    /** A session is over; reasons other than a Logout are counted and reported. */
    void ended(final String counterpart, final String reason) {
        if (!reason.isEmpty()) {
            endedWithoutLogout.incrementAndGet();
            listener.accept(
                    (counterpart.isEmpty() ? "A session" : counterpart) + " ended: " + reason);
        }
    }

    /** A message was rejected: the first one is reported, all are counted. */
    void rejected(final String counterpart, final InboundMessage message, final String reason) {
        if (hasRejected.compareAndSet(false, true)) {
            listener.accept(
                    "Message %d (35=%s) of %s was rejected: %s; further ones are only counted."
                            .formatted(message.sequence(), message.type(), counterpart, reason));
        }
    }

    void failed(final Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    /** Why a worker gave up, null while all work. */
    Throwable failure() {
        return failure.get();
    }
}
