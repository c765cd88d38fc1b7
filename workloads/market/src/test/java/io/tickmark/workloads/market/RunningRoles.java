package io.tickmark.workloads.market;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Runs roles in one process, each on a separate thread, as the controller would. */
public final class RunningRoles implements AutoCloseable {
    /** Of consumers whose steady state is over after a number of updates. */
    public static final String STEADY_STATE = "240s";

    private static final Duration STEADY = Duration.ofSeconds(240);
    private static final long TIMEOUT_S = 240;

    private final List<StartedRole> started = new ArrayList<>();
    private final Path folders = temporary();
    private Endpoints endpoints = Endpoints.NONE;

    /** A role that runs on a thread of its own, or has ended. */
    public final class StartedRole {
        private final Role role;
        private final LocalContext context;
        private final CompletableFuture<RoleResult> result = new CompletableFuture<>();

        private StartedRole(final Role role, final LocalContext context) {
            this.role = role;
            this.context = context;
        }

        private void start() {
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        try (role) {
                            role.connect(endpoints);
                            result.complete(role.run(0));
                        } catch (final Throwable e) {
                            result.completeExceptionally(e);
                        }
                    });
        }

        public LocalContext context() {
            return context;
        }

        /** Waits until the role has begun a step; fails where it ends before. */
        public void awaitStep(final int step) {
            await(
                    () -> context.recording().progress().step() >= step,
                    "step %d was not reached".formatted(step));
        }

        /** What the role has counted so far under a name that it records. */
        public long count(final String counter) {
            return context.recording().counter(counter).get();
        }

        /** Waits until the role has counted so far; fails where it ends before. */
        public void awaitCount(final String counter, final long atLeast) {
            await(
                    () -> count(counter) >= atLeast,
                    "%s did not reach %d".formatted(counter, atLeast));
        }

        /**
         * What a consumer reports that has had so many updates in its steady state, however long
         * that takes: then the time of its steady state, {@link #STEADY_STATE}, is over.
         */
        public RoleResult resultAfter(final long updates) throws Exception {
            awaitStep(1);
            final long beganNs = System.nanoTime();
            awaitCount(Counts.RECEIVED, count(Counts.RECEIVED) + updates);
            context.skip(STEADY.minusNanos(System.nanoTime() - beganNs));
            return result();
        }

        private void await(final BooleanSupplier reached, final String otherwise) {
            final long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
            while (!reached.getAsBoolean()) {
                if (result.isDone() || System.nanoTime() - until > 0) {
                    throw new AssertionError("%s: %s".formatted(otherwise, result));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }

        public RoleResult result() throws Exception {
            return result.get(TIMEOUT_S, TimeUnit.SECONDS);
        }
    }

    private final long connectTimeoutNs;

    public RunningRoles() {
        this(30_000_000_000L);
    }

    public RunningRoles(final long connectTimeoutNs) {
        this.connectTimeoutNs = connectTimeoutNs;
    }

    /** Prepares a role and starts it; its endpoints are passed to later roles. */
    public <S extends Record> StartedRole start(
            final RoleFactory<S> factory, final Map<String, ?> settings) {
        return start(factory, settings, Optional.of(folder(started.size())));
    }

    public <S extends Record> StartedRole start(
            final RoleFactory<S> factory,
            final Map<String, ?> settings,
            final Optional<Path> directory) {
        final S read = Settings.read(factory.settings(), settings, key -> key);
        final LocalContext context =
                new LocalContext(directory, connectTimeoutNs, factory.hotThreads(read, 1, 1));
        final StartedRole next = new StartedRole(factory.create(read, context), context);
        try {
            endpoints =
                    endpoints.and(next.role.prepare().boundBy(factory.name(), started.size() + 1));
        } catch (final RuntimeException e) {
            next.role.close();
            throw e;
        }
        started.add(next);
        next.start();
        return next;
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("roles");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path folder(final int number) {
        try {
            return Files.createDirectories(folders.resolve(Integer.toString(number)));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteFolders() {
        try (Stream<Path> all = Files.walk(folders)) {
            for (final Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** HOST:PORT under a name of {@link MarketEndpoints}. */
    public String endpoint(final String name) {
        return endpoints.named(name).getFirst();
    }

    @Override
    public void close() {
        started.forEach(each -> each.context.stop());
        for (final StartedRole each : started) {
            each.result
                    .handle((result, failure) -> result)
                    .orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
                    .join();
            each.context.recording().close();
        }
        deleteFolders();
    }
}
