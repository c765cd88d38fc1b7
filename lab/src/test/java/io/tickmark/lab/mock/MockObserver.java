package io.tickmark.lab.mock;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates roles that watch the others: they end when they are stopped. Their hot thread does not
 * belong to them. They pretend to have members.
 */
public final class MockObserver implements RoleFactory<MockSettings> {
    private static final long LOOK_NS = 1_000_000;

    /** For the service loader. */
    public MockObserver() {}

    @Override
    public String name() {
        return "mock-observer";
    }

    @Override
    public String summary() {
        return "Watches the others.";
    }

    @Override
    public Class<MockSettings> settings() {
        return MockSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final MockSettings settings, final int index, final int count) {
        return List.of(new HotThread("engine"));
    }

    @Override
    public boolean isPlaceable() {
        return false;
    }

    @Override
    public long expectedDurationNs(final MockSettings settings) {
        return 0;
    }

    @Override
    public boolean isObserver() {
        return true;
    }

    @Override
    public int members(final MockSettings settings) {
        return 2;
    }

    @Override
    public Role create(final MockSettings settings, final RoleContext context) {
        return new Role() {
            private final Queue<MemberFault> faults = new ConcurrentLinkedQueue<>();

            @Override
            public void inject(final MemberFault fault) {
                faults.add(fault);
            }

            @Override
            public Endpoints prepare() {
                return Endpoints.NONE;
            }

            @Override
            public void connect(final Endpoints endpoints) {
                // it watches
            }

            @Override
            public RoleResult run(final long startAtNs) {
                while (!context.isStopped()) {
                    LockSupport.parkNanos(LOOK_NS);
                }
                final Path sender =
                        context.directory()
                                .orElseThrow()
                                .resolveSibling("t-mock-a-mock-sender-1/summary.txt");
                return new RoleResult(
                        List.of(),
                        Map.of(
                                "repeat",
                                context.repeat(),
                                "faults",
                                faults.isEmpty() ? "none" : "had " + faults.size(),
                                "sees",
                                Files.exists(sender),
                                "cores",
                                Affinity.currentCores().toString()),
                        List.of(),
                        "");
            }

            @Override
            public void close() {
                // it has no resources
            }
        };
    }
}
