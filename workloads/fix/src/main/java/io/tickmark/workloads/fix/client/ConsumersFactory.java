package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;
import java.util.stream.IntStream;

/** Makes consumers. */
public final class ConsumersFactory implements RoleFactory<ConsumersSettings> {
    /** For the service loader. */
    public ConsumersFactory() {}

    static HotThread thread(final int number) {
        return new HotThread("consumers-" + (number + 1), false);
    }

    @Override
    public String name() {
        return "fix-consumers";
    }

    @Override
    public String summary() {
        return "Receives FIX messages on many sessions, and times and counts them.";
    }

    @Override
    public Class<ConsumersSettings> settings() {
        return ConsumersSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final ConsumersSettings settings, final int index, final int count) {
        return IntStream.range(0, settings.client().threads())
                .mapToObj(number -> thread(number).waiting(settings.client().idle()))
                .toList();
    }

    @Override
    public long expectedDurationNs(final ConsumersSettings settings) {
        return 0;
    }

    @Override
    public Role create(final ConsumersSettings settings, final RoleContext context) {
        return new Consumers(settings, context);
    }
}
