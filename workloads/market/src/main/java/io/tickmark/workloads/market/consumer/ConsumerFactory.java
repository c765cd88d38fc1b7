package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.stream.IntStream;

/** Makes market-data consumers. */
public final class ConsumerFactory implements RoleFactory<ConsumerSettings> {
    /** For the service loader. */
    public ConsumerFactory() {}

    @Override
    public String name() {
        return "market-consumer";
    }

    @Override
    public String summary() {
        return "Requests items, decodes images, updates and generic messages, posts, and times them.";
    }

    @Override
    public Class<ConsumerSettings> settings() {
        return ConsumerSettings.class;
    }

    static HotThread thread(final int number) {
        return new HotThread("consumer-" + number, false);
    }

    @Override
    public List<HotThread> hotThreads(
            final ConsumerSettings settings, final int index, final int count) {
        return IntStream.rangeClosed(1, settings.connections())
                .mapToObj(number -> thread(number).waiting(settings.run().idle()))
                .toList();
    }

    @Override
    public long expectedDurationNs(final ConsumerSettings settings) {
        final long requestingNs = 1_000_000_000L * settings.itemCount() / settings.requestRate();
        return settings.snapshot()
                ? requestingNs
                : requestingNs
                        + settings.delaySteadyStateCalc().toNanos()
                        + settings.steadyStateTime().toNanos();
    }

    @Override
    public Role create(final ConsumerSettings settings, final RoleContext context) {
        return new MarketConsumer(settings, context);
    }
}
