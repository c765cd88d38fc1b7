package io.tickmark.workloads.market.transport;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import java.util.List;

/** Makes the sender of the transport-only test. */
public final class TransportSenderFactory implements RoleFactory<TransportTestSettings> {
    /** Found by name. */
    public TransportSenderFactory() {}

    @Override
    public String name() {
        return "market-transport-sender";
    }

    @Override
    public String summary() {
        return "Sends opaque messages over the RSSL transport, without any message model.";
    }

    @Override
    public Class<TransportTestSettings> settings() {
        return TransportTestSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final TransportTestSettings settings, final int index, final int count) {
        return List.of(TransportFactories.SENDER_THREAD);
    }

    @Override
    public long expectedDurationNs(final TransportTestSettings settings) {
        return settings.warmUp().plus(settings.duration()).toNanos();
    }

    @Override
    public Role create(final TransportTestSettings settings, final RoleContext context) {
        return new TransportSender(settings, context);
    }
}
