package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.workloads.fix.message.FixTemplate;
import java.util.List;
import java.util.stream.IntStream;

/** Makes producers. */
public final class ProducersFactory implements RoleFactory<ProducersSettings> {
    private static final double UNPACED_RATE = 100_000;

    /** For the service loader. */
    public ProducersFactory() {}

    static HotThread thread(final int number) {
        return new HotThread("producers-" + (number + 1), false);
    }

    @Override
    public String name() {
        return "fix-producers";
    }

    @Override
    public String summary() {
        return "Sends FIX messages at a rate on many sessions.";
    }

    @Override
    public Class<ProducersSettings> settings() {
        return ProducersSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final ProducersSettings settings, final int index, final int count) {
        return IntStream.range(0, settings.client().threads())
                .mapToObj(number -> thread(number).waiting(settings.client().idle()))
                .toList();
    }

    @Override
    public long expectedDurationNs(final ProducersSettings settings) {
        final double rate = settings.rate() > 0 ? settings.rate() : UNPACED_RATE;
        final double sendNs =
                settings.duration().isZero()
                        ? settings.messages() / rate * 1e9
                        : settings.duration().toNanos();
        return (long) sendNs
                + settings.warmUp().toNanos()
                + settings.linger().toNanos()
                + 1_000_000_000;
    }

    @Override
    public void check(final ProducersSettings settings) {
        FixTemplate.read(settings.message());
    }

    @Override
    public Role create(final ProducersSettings settings, final RoleContext context) {
        return new Producers(settings, context, FixTemplate.read(settings.message()));
    }
}
