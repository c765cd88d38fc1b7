package io.tickmark.lab.mock;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import java.util.List;

/** Creates roles that pretend to receive. */
public final class MockReceiver implements RoleFactory<MockSettings> {
    /** For the service loader. */
    public MockReceiver() {}

    @Override
    public String name() {
        return "mock-receiver";
    }

    @Override
    public String summary() {
        return "Pretends to receive.";
    }

    @Override
    public Class<MockSettings> settings() {
        return MockSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final MockSettings settings, final int index, final int count) {
        return List.of(new HotThread("receiver").on(settings.core()));
    }

    @Override
    public int engineThreads(final MockSettings settings) {
        return settings.engineThreads();
    }

    @Override
    public long expectedDurationNs(final MockSettings settings) {
        return settings.lasting().toNanos() * settings.sizes().size();
    }

    @Override
    public long patienceNs(final MockSettings settings) {
        return settings.patience().toNanos();
    }

    @Override
    public void checkHere(final MockSettings settings) {
        if (settings.trouble() == MockSettings.Trouble.LACKS) {
            throw UserError.environment("The receiver's server is not installed; install it.");
        }
    }

    @Override
    public Role create(final MockSettings settings, final RoleContext context) {
        return new MockRole(settings, context, false);
    }
}
