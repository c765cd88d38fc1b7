package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.measure.OtherClock;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.LibraryConnection.Destination;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * State shared by the connections of one consumer: their peers, and when the steady state begins
 * and ends. Any thread.
 */
final class ConsumerShared extends LoopGroup {
    private final ConsumerSettings settings;
    private final Destination provider;
    private final FieldDictionary dictionary;
    private final OtherClock otherClock;
    private final AtomicInteger complete = new AtomicInteger();
    private volatile long steadyAtNs = Long.MAX_VALUE;
    private volatile long endAtNs = Long.MAX_VALUE;

    /**
     * {@code dictionary} is the one from files, or our own; a provider's may replace it. {@code
     * otherClock} says whether the provider may have another clock.
     */
    ConsumerShared(
            final ConsumerSettings settings,
            final RoleContext context,
            final Peer provider,
            final FieldDictionary dictionary,
            final OtherClock otherClock) {
        super(
                context,
                "connection",
                MarketConsumer.Factory.threads(settings),
                settings.run().watched(settings.api(), StallWatch.Part.RECEIVE));
        this.settings = settings;
        this.provider =
                new Destination(
                        "provider",
                        provider,
                        settings.connection(),
                        settings.uname(),
                        settings.reconnectDelay());
        this.dictionary = dictionary;
        this.otherClock = otherClock;
    }

    ConsumerSettings settings() {
        return settings;
    }

    Destination provider() {
        return provider;
    }

    OtherClock otherClock() {
        return otherClock;
    }

    /** Whether stamps that do not say whose they are may be of another clock, by the addresses. */
    boolean isProviderElsewhere() {
        return otherClock.isElsewhere(host())
                || settings.standbyServer()
                        .map(Peer::host)
                        .filter(otherClock::isElsewhere)
                        .isPresent();
    }

    String host() {
        return provider.peer().host();
    }

    int port() {
        return provider.peer().port();
    }

    /** A connection was lost while it was in this phase; {@code why} is the library's reason. */
    void lost(final ConsumerApi.Phase phase, final String why) {
        fail(
                "The connection to %s was lost while %s%s."
                        .formatted(provider.peer(), phase.words(), why));
    }

    ConnectionSettings connection() {
        return settings.connection();
    }

    FieldDictionary dictionary() {
        return dictionary;
    }

    /** One connection has all its images; the last of them begins the steady state for all. */
    void imagesComplete(final long nowNs) {
        if (complete.incrementAndGet() == settings.connections()) {
            final long at = nowNs + settings.delaySteadyStateCalc().toNanos();
            endAtNs = settings.snapshot() ? at : at + settings.steadyStateTime().toNanos();
            steadyAtNs = at;
        }
    }

    /** Whether all images of all connections have arrived. */
    boolean isComplete() {
        return steadyAtNs != Long.MAX_VALUE;
    }

    long steadyAtNs() {
        return steadyAtNs;
    }

    long endAtNs() {
        return endAtNs;
    }
}
