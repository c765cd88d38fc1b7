package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.stream.IntStream;

/** Makes non-interactive providers. */
public final class PublisherFactory implements RoleFactory<PublisherSettings> {
    /** For the service loader. */
    public PublisherFactory() {}

    @Override
    public String name() {
        return "market-publisher";
    }

    @Override
    public String summary() {
        return "Connects to a hub as a non-interactive provider; publishes images, then updates at a rate.";
    }

    @Override
    public Class<PublisherSettings> settings() {
        return PublisherSettings.class;
    }

    static HotThread thread(final int number) {
        return new HotThread("publisher-" + number, false);
    }

    @Override
    public List<HotThread> hotThreads(
            final PublisherSettings settings, final int index, final int count) {
        return IntStream.rangeClosed(1, settings.run().threads().size())
                .mapToObj(number -> thread(number).waiting(settings.run().idle()))
                .toList();
    }

    @Override
    public long expectedDurationNs(final PublisherSettings settings) {
        return settings.endWithHub() ? 0 : settings.source().runTime().toNanos();
    }

    @Override
    public Role create(final PublisherSettings settings, final RoleContext context) {
        return new MarketPublisher(settings, context);
    }
}
