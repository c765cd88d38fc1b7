package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.LogonRequest;
import io.tickmark.workloads.fix.session.SessionConfig;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What the workers of a gateway have in common. Any thread. */
final class Shared {
    /** Beside the messages of consumers, the session's own must find room. */
    private static final int SESSION_BYTES = 1 << 16;

    private final GatewaySettings settings;
    private final SessionConfig config;
    private final SlowRules slow;
    private final Stores stores;
    private final List<WorkerInbox> inboxes;
    private final Consumer<String> listener;
    private final AtomicInteger producers = new AtomicInteger();
    private final AtomicInteger producersEver = new AtomicInteger();
    private final AtomicInteger consumers = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean hasForgotten = new AtomicBoolean();
    private final AtomicBoolean hasRejected = new AtomicBoolean();
    private List<Worker> workers = List.of();

    Shared(final GatewaySettings settings, final int workers, final Consumer<String> listener) {
        this.settings = settings;
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
        stores = new Stores(settings.store());
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

    /** A consumer that is away has lost what was kept for it: the first one is told. */
    void forgotten() {
        if (hasForgotten.compareAndSet(false, true)) {
            listener.accept(
                    "--away-bytes %d: reached; whoever is away longest loses the messages kept so far, and gets a gap fill."
                            .formatted(settings.store().awayBytes()));
        }
    }

    /**
     * Gives a message to all other workers; waits for room by serving its own. Where one has given
     * up, or the gateway ends, nobody makes room any more: then the message is lost with the rest.
     */
    void bringToOthers(final int from, final FanOutMessage message) {
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

    Stores stores() {
        return stores;
    }

    WorkerInbox inbox(final int worker) {
        return inboxes.get(worker);
    }

    void producerCame() {
        producers.incrementAndGet();
        producersEver.incrementAndGet();
    }

    void producerWent() {
        producers.decrementAndGet();
    }

    void consumerCame() {
        consumers.incrementAndGet();
    }

    void consumerWent() {
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

    /** A session is over; reasons other than a Logout are told. */
    void ended(final String counterpart, final String reason) {
        if (!reason.isEmpty()) {
            listener.accept(
                    (counterpart.isEmpty() ? "A session" : counterpart) + " ended: " + reason);
        }
    }

    /** A message was rejected: the first one is told, all are counted. */
    void rejected(final String counterpart, final InboundMessage message, final String reason) {
        if (hasRejected.compareAndSet(false, true)) {
            listener.accept(
                    "Message %d (35=%s) of %s was rejected: %s; further ones are counted alone."
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
