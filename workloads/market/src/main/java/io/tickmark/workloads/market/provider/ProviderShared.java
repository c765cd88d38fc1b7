package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SourceGroup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** State shared by the threads of one provider. Any thread. */
final class ProviderShared extends SourceGroup {
    private final ProviderSettings settings;
    private final AtomicInteger consumers = new AtomicInteger();
    private final AtomicInteger refusedConnections = new AtomicInteger();
    private final AtomicInteger threadsWithImages = new AtomicInteger();
    private volatile boolean everHadConsumer;

    ProviderShared(
            final ProviderSettings settings,
            final RoleContext context,
            final FieldDictionary dictionary,
            final MessageFile messages) {
        super(
                context,
                "thread",
                MarketProvider.Factory.threads(settings),
                settings.run().watched(settings.api(), StallWatch.Part.SEND),
                settings.connection(),
                new Sent(settings.source(), settings.content(), dictionary, messages));
        this.settings = settings;
    }

    /** A connection could not be accepted; the first one is reported, all are counted. */
    void refusedConnection(final String why) {
        if (refusedConnections.getAndIncrement() == 0) {
            context()
                    .log(
                            "A connection cannot be accepted: %s; the provider keeps trying."
                                    .formatted(why));
        }
    }

    /** Whether consumers may have another clock. */
    OtherClock otherClock() {
        return OtherClock.of(context());
    }

    int refusedConnections() {
        return refusedConnections.get();
    }

    ProviderSettings settings() {
        return settings;
    }

    /**
     * The messages to a new consumer.
     *
     * @param seed different for each connection, so that each stamps different messages of a burst
     */
    ItemFeed feed(final int seed) {
        final int tickRate = settings.run().tickRate();
        return new ItemFeed(
                context().clock(),
                new TickBursts(
                        settings.source().updateRate(),
                        settings.source().latencyRate(),
                        tickRate,
                        seed),
                new TickBursts(
                        settings.genericMsgRate(), settings.genericLatencyRate(), tickRate, seed));
    }

    void consumerJoined() {
        consumers.incrementAndGet();
        everHadConsumer = true;
    }

    void consumerLeft() {
        if (consumers.decrementAndGet() == 0 && settings.endWithConsumers()) {
            end();
        }
    }

    /** Whether a consumer has to be disconnected, which is then counted and reported. */
    boolean isTooSlow(final ServedConsumer consumer, final ProviderCounts counts) {
        final long maxQueuedBytes = settings.queue().maxQueuedBytes();
        if (!consumer.isTooSlow(maxQueuedBytes)) {
            return false;
        }
        counts.slowConsumers().increment();
        context()
                .log(
                        "A consumer is disconnected: more than %d bytes are queued for it (--max-queued-bytes)."
                                .formatted(maxQueuedBytes));
        return true;
    }

    boolean hadConsumer() {
        return everHadConsumer;
    }

    /**
     * Called once the consumers of a plan have had their time to connect. A trial whose consumer,
     * or the hub before it, is gone must not last as long as the provider could; when started by
     * hand, consumers may connect at any time.
     */
    void checkForConsumers() {
        if (settings.endWithConsumers() && !everHadConsumer && context().trialId() != 0) {
            fail(
                    "No consumer has connected within %s; the consumer, or the hub in front of it, is missing."
                            .formatted(
                                    Durations.format(
                                            Duration.ofNanos(context().connectTimeoutNs()))));
        }
    }

    /** A thread has begun to send images, or has sent all that were requested. */
    void sendsImages(final boolean isSending) {
        threadsWithImages.addAndGet(isSending ? 1 : -1);
    }

    /** Whether no thread sends images. */
    boolean areImagesSent() {
        return threadsWithImages.get() == 0;
    }
}
