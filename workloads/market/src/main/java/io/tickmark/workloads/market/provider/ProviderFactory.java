package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.stream.IntStream;

/** Makes interactive providers. */
public final class ProviderFactory implements RoleFactory<ProviderSettings> {
    /** For the service loader. */
    public ProviderFactory() {}

    @Override
    public String name() {
        return "market-provider";
    }

    @Override
    public String summary() {
        return "Accepts consumers; sends the images they ask for, updates and generic messages at "
                + "rates, and their posts back.";
    }

    @Override
    public Class<ProviderSettings> settings() {
        return ProviderSettings.class;
    }

    static HotThread thread(final int number) {
        // not primary: where cores are short it waits for its ticks instead of spinning for them
        return new HotThread("provider-" + number, false);
    }

    @Override
    public List<HotThread> hotThreads(
            final ProviderSettings settings, final int index, final int count) {
        return IntStream.rangeClosed(1, settings.run().threads().size())
                .mapToObj(number -> thread(number).waiting(settings.run().idle()))
                .toList();
    }

    @Override
    public long expectedDurationNs(final ProviderSettings settings) {
        return settings.endWithConsumers() ? 0 : settings.source().runTime().toNanos();
    }

    @Override
    public Role create(final ProviderSettings settings, final RoleContext context) {
        return new MarketProvider(settings, context);
    }
}
