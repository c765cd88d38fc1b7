package io.tickmark.lab.host;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.role.CoreDemand;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.lab.protocol.ToRole.ThreadPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A role run by hand in this process, without a controller: it finds its peers by itself and starts
 * as soon as it is ready.
 */
public final class ManualRun {
    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;

    private final Options options;
    private volatile boolean stopped;
    private volatile RoleRun running;

    /**
     * How it is run.
     *
     * @param directory for its files, which exists; empty for none
     * @param connectTimeout how long it looks for peers
     * @param lines receives the role's lines for the user
     * @param progress called once a second while it measures, on another thread
     */
    public record Options(
            Optional<Path> directory,
            Duration connectTimeout,
            Consumer<String> lines,
            Consumer<Progress> progress) {}

    /**
     * A run.
     *
     * @param options how
     */
    public ManualRun(final Options options) {
        this.options = options;
    }

    /**
     * Runs the role to its end.
     *
     * @param <S> its settings
     * @param factory of the role
     * @param settings checked
     * @return what it measured
     * @throws io.tickmark.kernel.settings.UserError if it cannot be prepared or connected
     */
    public <S extends Record> RoleResult run(final RoleFactory<S> factory, final S settings) {
        // a separate thread, because the main thread is never pinned
        final CompletableFuture<RoleResult> result = new CompletableFuture<>();
        Thread.ofPlatform()
                .name("role-" + factory.name())
                .start(() -> {
                    try {
                        result.complete(play(factory, settings));
                    } catch (final Throwable e) {
                        result.completeExceptionally(e);
                    }
                });
        try {
            return result.get();
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof final RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (final InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
            return new RoleResult(
                    List.of(), java.util.Map.of(), List.of(), "The run was interrupted.");
        }
    }

    private <S extends Record> RoleResult play(final RoleFactory<S> factory, final S settings) {
        final List<HotThread> hotThreads = factory.hotThreads(settings, 1, 1);
        final int cores = Affinity.allowedCores().size();
        final CoreDemand demand =
                new CoreDemand(
                        Math.max(1, hotThreads.size()),
                        cores,
                        factory.engineThreads(settings),
                        cores,
                        CoreDemand.coresToSpinOn(cores));
        final List<ThreadPlan> threads =
                hotThreads.stream()
                        .map(thread ->
                                new ThreadPlan(
                                        thread.name(),
                                        demand.decide(thread.idle()),
                                        demand.reason(thread.idle()),
                                        thread.core()))
                        .toList();
        final HostedContext.Place place =
                new HostedContext.Place(1, 1, 0, options.connectTimeout().toNanos(), threads);
        try (RoleRun run =
                RoleRun.of(
                        factory,
                        settings,
                        place,
                        options.directory(),
                        1,
                        CLOCK,
                        new RoleRun.Listeners(options.lines(), options.progress()::accept))) {
            running = run;
            if (stopped) {
                run.stop(false);
            }
            run.prepare();
            run.connect(Endpoints.NONE);
            return run.run(CLOCK.nanoTime(), List.of());
        }
    }

    /** Asks the role to end soon, with what it has measured by then; any thread (Ctrl-C). */
    public void stop() {
        stopped = true;
        final RoleRun run = running;
        if (run != null) {
            run.stop(false);
        }
    }
}
