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
import java.util.concurrent.CompletableFuture;
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
    private static final long TIMEOUT_S = 110;

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
        return run(
                publishers,
                settings,
                subscribers,
                hosts.stream().map(_ -> receiving).toList(),
                hosts,
                ofPublisher);
    }

    /** A subscriber for each of the settings. */
    public static <P extends Record, S extends Record> Results runEach(
            final RoleFactory<P> publishers,
            final Map<String, ?> publisherSettings,
            final RoleFactory<S> subscribers,
            final List<Map<String, ?>> subscriberSettings)
            throws Exception {
        final int count = subscriberSettings.size();
        return run(
                publishers,
                Settings.read(publishers.settings(), publisherSettings, key -> key),
                subscribers,
                subscriberSettings.stream()
                        .map(each -> Settings.read(subscribers.settings(), each, key -> key))
                        .toList(),
                IntStream.rangeClosed(1, count).mapToObj(index -> adaptive(index, count)).toList(),
                adaptive(1, 1));
    }

    private static <P extends Record, S extends Record> Results run(
            final RoleFactory<P> publishers,
            final P settings,
            final RoleFactory<S> subscribers,
            final List<S> receiving,
            final List<TestContext> hosts,
            final TestContext ofPublisher)
            throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Role publisher = publishers.create(settings, ofPublisher)) {
            final Endpoints endpoints = publisher.prepare().boundBy("publisher", 1);
            final List<Future<RoleResult>> results = new ArrayList<>();
            final List<CompletableFuture<Endpoints>> bound = new ArrayList<>();
            for (int i = 0; i < hosts.size(); i++) {
                final TestContext host = hosts.get(i);
                final Role subscriber = subscribers.create(receiving.get(i), host);
                final CompletableFuture<Endpoints> own = new CompletableFuture<>();
                bound.add(own.thenApply(all -> all.boundBy(subscribers.name(), host.index())));
                results.add(threads.submit(acting(subscriber, own, endpoints)));
            }
            final Future<RoleResult> leading =
                    threads.submit(() -> {
                        publisher.connect(
                                bound.stream()
                                        .map(CompletableFuture::join)
                                        .reduce(endpoints, Endpoints::and));
                        return publisher.run(System.nanoTime() + 100_000_000);
                    });
            return new Results(get(leading), results.stream().map(LocalTrial::get).toList());
        }
    }

    private static Callable<RoleResult> acting(
            final Role role, final CompletableFuture<Endpoints> own, final Endpoints endpoints) {
        return () -> {
            try (role) {
                own.complete(role.prepare());
                role.connect(endpoints);
                return role.run(0);
            } finally {
                own.complete(Endpoints.NONE); // where it could not be prepared
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
