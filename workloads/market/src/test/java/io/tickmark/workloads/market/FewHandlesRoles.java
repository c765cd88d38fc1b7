package io.tickmark.workloads.market;

import io.tickmark.kernel.host.FewHandles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.hub.MarketHub;
import io.tickmark.workloads.market.provider.MarketProvider;
import java.io.Closeable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A provider and a hub in a process without file handles. Prints the addresses of both; once both
 * could not accept a connection, after half a second more, it gives the handles back and lets a
 * consumer read through the hub. Prints {@code served} or what the consumer missed, for how many
 * milliseconds there were no handles, and the warnings of hub and provider.
 */
final class FewHandlesRoles {
    private FewHandlesRoles() {}

    public static void main(final String[] arguments) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(
                            new MarketProvider.Factory(), Map.of("port", 0, "updateRate", 1000));
            final RunningRoles.StartedRole hub =
                    roles.start(
                            new MarketHub.Factory(),
                            Map.of("port", 0, "publisherPort", 0, "reconnectDelay", "100ms"));
            final Map<String, Object> consumer =
                    Map.of("itemCount", 10, "steadyStateTime", "1s", "reconnectDelay", "100ms");
            // all classes that serving needs are there from now on
            roles.start(new MarketConsumer.Factory(), consumer).result();
            final String addresses =
                    roles.endpoint(MarketEndpoints.PROVIDER)
                            + " "
                            + roles.endpoint(MarketEndpoints.HUB_CONSUMERS);
            final List<Closeable> handles = FewHandles.takeAll();
            final long sinceNs = System.nanoTime();
            System.out.println(addresses);
            awaitRefusal(provider);
            awaitRefusal(hub);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            FewHandles.giveBack(handles);
            final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
            final String missed =
                    roles.start(new MarketConsumer.Factory(), consumer).result().failure();
            System.out.println(missed.isEmpty() ? "served" : missed);
            System.out.println(tookMs);
            warnings(hub);
            warnings(provider);
            System.exit(0);
        }
    }

    private static void awaitRefusal(final RunningRoles.StartedRole role) {
        while (role.context().lines().stream()
                .noneMatch(line -> line.startsWith("A connection cannot be accepted"))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private static void warnings(final RunningRoles.StartedRole role) throws Exception {
        role.context().stop();
        System.out.println(role.result().warnings());
    }
}
