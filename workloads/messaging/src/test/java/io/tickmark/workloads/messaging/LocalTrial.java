package io.tickmark.workloads.messaging;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs a publisher and its subscribers in one process, each on a separate thread, as the controller
 * would.
 */
public final class LocalTrial {
    private static final long TIMEOUT_S = 60;

    private LocalTrial() {}

    /** Results of a run. */
    public record Results(RoleResult publisher, List<RoleResult> subscribers) {}

    public static <P extends Record, S extends Record> Results run(
            final RoleFactory<P> publishers,
            final Map<String, ?> publisherSettings,
            final RoleFactory<S> subscribers,
            final Map<String, ?> subscriberSettings,
            final int count)
            throws Exception {
        return run(
                publishers,
                publisherSettings,
                subscribers,
                subscriberSettings,
                IntStream.rangeClosed(1, count).mapToObj(index -> adaptive(index, count)).toList());
    }

    /** A subscriber for each of {@code hosts}. */
    public static <P extends Record, S extends Record> Results run(
            final RoleFactory<P> publishers,
            final Map<String, ?> publisherSettings,
            final RoleFactory<S> subscribers,
            final Map<String, ?> subscriberSettings,
            final List<TestContext> hosts)
            throws Exception {
        return run(
                publishers,
                publisherSettings,
                subscribers,
                subscriberSettings,
                hosts,
                adaptive(1, 1));
    }

    /** Threads that yield would keep both cores busy while they wait. */
    private static TestContext adaptive(final int index, final int count) {
        return new TestContext(index, count).waiting(IdleMode.ADAPTIVE);
    }

    /** All roles of the run use this idle mode. */
    public static <P extends Record, S extends Record> Results playWaiting(
            final IdleMode idle,
            final RoleFactory<P> publishers,
            final Map<String, ?> publisherSettings,
            final RoleFactory<S> subscribers,
            final Map<String, ?> subscriberSettings)
            throws Exception {
        return run(
                publishers,
                publisherSettings,
                subscribers,
                subscriberSettings,
                List.of(new TestContext(1, 1).waiting(idle)),
                new TestContext(1, 1).waiting(idle));
    }

    private static <P extends Record, S extends Record> Results run(
            final RoleFactory<P> publishers,
            final Map<String, ?> publisherSettings,
            final RoleFactory<S> subscribers,
            final Map<String, ?> subscriberSettings,
            final List<TestContext> hosts,
            final TestContext ofPublisher)
            throws Exception {
        final P settings = Settings.read(publishers.settings(), publisherSettings, key -> key);
        final S receiving = Settings.read(subscribers.settings(), subscriberSettings, key -> key);
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Role publisher = publishers.create(settings, ofPublisher)) {
            final Endpoints endpoints = publisher.prepare().boundBy("publisher", 1);
            final List<Future<RoleResult>> results = new ArrayList<>();
            for (final TestContext host : hosts) {
                final Role subscriber = subscribers.create(receiving, host);
                results.add(threads.submit(acting(subscriber, endpoints)));
            }
            final Future<RoleResult> leading =
                    threads.submit(() -> {
                        publisher.connect(Endpoints.NONE);
                        return publisher.run(System.nanoTime() + 100_000_000);
                    });
            return new Results(get(leading), results.stream().map(LocalTrial::get).toList());
        }
    }

    private static Callable<RoleResult> acting(final Role role, final Endpoints endpoints) {
        return () -> {
            try (role) {
                role.prepare();
                role.connect(endpoints);
                return role.run(0);
            }
        };
    }

    private static RoleResult get(final Future<RoleResult> result) {
        try {
            return result.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (final ExecutionException e) {
            throw e.getCause() instanceof final RuntimeException cause
                    ? cause
                    : new IllegalStateException(e.getCause());
        } catch (final Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
