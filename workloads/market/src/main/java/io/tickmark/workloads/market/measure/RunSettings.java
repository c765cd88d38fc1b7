package io.tickmark.workloads.market.measure;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.loop.LoopReporter;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.LibraryDispatch;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Settings common to all market-data tools: ticks, threads and progress output.
 *
 * @param tickRate ticks per second
 * @param threads one thread and connection for each core named, -1 for a thread that is not pinned
 * @param idle what these threads do when there is nothing to do
 * @param mainThread core of the thread that collects statistics, -1 for any
 * @param useUserDispatch on the Message API, 1 where these threads dispatch and 0 where a thread of
 *     the library does for each; on the Transport API they do in any case
 * @param apiThreads cores of the library's threads that dispatch, one for each of {@code threads}
 * @param workerThreads cores of the library's own threads, one for each of {@code threads}
 * @param noDisplayStats whether to print no lines of statistics during the run; the summary is
 *     printed
 * @param writeStatsInterval between two lines of statistics
 */
public record RunSettings(
        @Setting(
                        help =
                                "Ticks per second: how often a burst is sent. A higher rate makes smaller bursts.",
                        byDefault = "1000",
                        min = 1,
                        max = 100_000)
                int tickRate,
        @Setting(
                        help =
                                "Cores: one thread with its own connection for each; -1 for a thread that is not "
                                        + "pinned.",
                        byDefault = "-1",
                        min = -1,
                        max = 8191,
                        label = "CORE,...")
                List<Integer> threads,
        @Setting(help = "What these threads do when there is nothing to do.", byDefault = "auto")
                IdleMode idle,
        @Setting(
                        help =
                                "Core of the thread that collects and prints statistics; -1 for any.",
                        byDefault = "-1",
                        min = -1,
                        max = 8191,
                        label = "CORE")
                int mainThread,
        @Setting(
                        help =
                                "With --api ema: 1 lets the role's own threads dispatch, 0 a thread of the "
                                        + "library for each of them. With --api eta the role's own threads always dispatch.",
                        byDefault = "0",
                        min = 0,
                        max = 1)
                int useUserDispatch,
        @Setting(
                        help =
                                "Cores of the library's threads that dispatch (--api ema without "
                                        + "--use-user-dispatch 1): one for each of --threads; -1 for not pinned.",
                        min = -1,
                        max = 8191,
                        label = "CORE,...")
                List<Integer> apiThreads,
        @Setting(
                        help =
                                "Cores of the library's own threads, which connect and send heartbeats: one for "
                                        + "each of --threads; -1 for not pinned.",
                        min = -1,
                        max = 8191,
                        label = "CORE,...")
                List<Integer> workerThreads,
        @Setting(help = "No lines of statistics during the run; the summary at the end is printed.")
                boolean noDisplayStats,
        @Setting(
                        help =
                                "How often statistics are written to the screen and to the statistics file.",
                        byDefault = "5s",
                        unit = "s",
                        min = 1e9,
                        max = 3.6e12)
                Duration writeStatsInterval) {
    /** Copies the lists. */
    public RunSettings {
        threads = threads.isEmpty() ? List.of(-1) : List.copyOf(threads);
        apiThreads = List.copyOf(apiThreads);
        workerThreads = List.copyOf(workerThreads);
        requireOneEach("--api-threads", apiThreads, threads);
        requireOneEach("--worker-threads", workerThreads, threads);
    }

    private static void requireOneEach(
            final String option, final List<Integer> cores, final List<Integer> threads) {
        if (!cores.isEmpty() && cores.size() != threads.size()) {
            throw UserError.usage(
                    "%s names %d cores, but --threads names %d; name one for each of these."
                            .formatted(option, cores.size(), threads.size()));
        }
    }

    /**
     * Refuses cores for threads that do not exist.
     *
     * @param api the role runs on
     */
    public void require(final Api api) {
        if (!apiThreads.isEmpty() && !api.isDispatchedByLibrary(useUserDispatch)) {
            throw UserError.usage(
                    "--api-threads has nothing to pin: with --api eta, or with --use-user-dispatch 1, the role's "
                            + "own threads dispatch; pin those with --threads.");
        }
    }

    /**
     * Which thread dispatches for one of the threads on the Message API. A thread of the library
     * pins itself to the core of these settings at its first call.
     *
     * @param number of the thread, from 1
     * @param context receives a line about what was not possible
     * @return not begun
     */
    public LibraryDispatch dispatch(final int number, final RoleContext context) {
        final int core = apiThreads.isEmpty() ? -1 : apiThreads.get(number - 1);
        return new LibraryDispatch(
                useUserDispatch == 0,
                () -> {
                    if (core >= 0) {
                        Affinity.pin(core).ifPresent(why -> context.log("--api-threads: " + why));
                    }
                });
    }

    /**
     * Opens a Reactor for one of the threads, its own thread on the core of these settings.
     *
     * @param group of the role's loops
     * @param number of the thread, from 1
     * @param connection its settings
     * @return the loop
     */
    public ReactorLoop reactor(
            final LoopGroup group, final int number, final ConnectionSettings connection) {
        return onWorkerCore(
                number,
                () -> new ReactorLoop(group.idle(number), connection.dispatchCountOrDefault()));
    }

    /**
     * Calls the library where it starts its own thread, which keeps to the cores of the starting
     * thread: that of these settings, or all of the process, but not that of a hot thread.
     *
     * @param <T> what the library makes
     * @param number of the role's thread, from 1
     * @param maker calls the library
     * @return what it made
     * @throws UserError if the core cannot be used
     */
    public <T> T onWorkerCore(final int number, final Supplier<T> maker) {
        final int core = workerThreads.isEmpty() ? -1 : workerThreads.get(number - 1);
        final CompletableFuture<T> made = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("worker-maker")
                .start(() -> {
                    try {
                        if (core < 0) {
                            Affinity.unpin();
                        } else {
                            Affinity.pin(core)
                                    .ifPresent(why -> {
                                        throw UserError.usage("--worker-threads: " + why);
                                    });
                        }
                        made.complete(maker.get());
                    } catch (final RuntimeException | Error e) {
                        made.completeExceptionally(e);
                    }
                });
        try {
            return made.join();
        } catch (final CompletionException e) {
            if (e.getCause() instanceof final Error error) {
                throw error;
            }
            throw e.getCause() instanceof final RuntimeException cause ? cause : e;
        }
    }

    /**
     * The threads that the role's factory declares. Where a thread of the library dispatches, they
     * have nothing to look at and block, whatever was asked for.
     *
     * @param name of each, without its number
     * @param api the role runs on
     * @return one for each core of {@link #threads}
     */
    public List<HotThread> hotThreads(final String name, final Api api) {
        final IdleMode waiting = api.isDispatchedByLibrary(useUserDispatch) ? IdleMode.BLOCK : idle;
        final List<HotThread> alike = HotThread.numbered(name, threads.size(), waiting);
        return IntStream.range(0, threads.size())
                .mapToObj(i -> alike.get(i).on(threads.get(i)))
                .toList();
    }

    /**
     * What the role's threads are watched as: where a thread of the library dispatches, messages
     * pass through that one.
     *
     * @param api the role runs on
     * @param part of its threads
     * @return null where they are not to be watched
     */
    public StallWatch.Part watched(final Api api, final StallWatch.Part part) {
        return api.isDispatchedByLibrary(useUserDispatch) ? null : part;
    }

    /**
     * Begins the role's files.
     *
     * @param <T> record of counts
     * @param context of the role
     * @param columns that the role declares
     * @param files to write
     * @param notes further console lines of the role after those of a row
     * @return not started
     */
    public <T extends Record> LoopReporter<T> reporter(
            final RoleContext context,
            final Columns<T> columns,
            final OutputFiles files,
            final Function<LoopCounts.Row<T>, List<String>> notes) {
        return new LoopReporter<>(
                context,
                columns,
                new LoopReporter.Options(
                        threads.size(),
                        files.summaryFile(),
                        files.statsFile(),
                        mainThread,
                        noDisplayStats),
                notes);
    }

    /**
     * Cores as a summary shows them.
     *
     * @param cores of threads
     * @return numbers, -1 for a thread that is not pinned
     */
    public static String list(final List<Integer> cores) {
        return String.join(",", cores.stream().map(String::valueOf).toList());
    }

    /**
     * Refuses a rate that is above zero and below the tick rate.
     *
     * @param option of the rate
     * @param ratePerSecond of messages
     */
    public void requireRate(final String option, final long ratePerSecond) {
        if (ratePerSecond != 0 && ratePerSecond < tickRate) {
            throw UserError.usage(
                    "%s is %d, below the tick rate of %d; make it 0, at least %d, or lower --tick-rate."
                            .formatted(option, ratePerSecond, tickRate, tickRate));
        }
    }
}
