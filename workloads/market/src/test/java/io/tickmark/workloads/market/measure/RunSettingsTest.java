package io.tickmark.workloads.market.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Threads and their cores. */
class RunSettingsTest {
    private static final Path THREADS = Path.of("/proc/self/task");

    private static RunSettings read(final Map<String, Object> settings) {
        return Settings.read(RunSettings.class, settings, key -> key);
    }

    private static Set<Path> threads() throws IOException {
        try (Stream<Path> all = Files.list(THREADS)) {
            return all.collect(Collectors.toSet());
        }
    }

    /**
     * Of the threads that were not there before, the library's own. A thread gets its name after it
     * has started.
     */
    private static Path worker(final Set<Path> before) throws Exception {
        final long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() - untilNs < 0) {
            for (final Path thread : threads()) {
                if (!before.contains(thread) && name(thread).startsWith("pool-")) {
                    return thread;
                }
            }
            Thread.sleep(5);
        }
        throw new AssertionError("the library has started no thread");
    }

    private static String name(final Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (final IOException e) {
            return ""; // it has ended
        }
    }

    @Test
    void shouldPutTheLibrarysOwnThreadOnItsCore() throws Exception {
        final int core = Affinity.allowedCores().getLast();
        final Set<Path> before = threads();
        final ConnectionSettings connection =
                Settings.read(ConnectionSettings.class, Map.of(), key -> key);
        try (ReactorLoop loop =
                read(Map.of("workerThreads", Integer.toString(core)))
                        .loop(1, IdleStrategies.pausing(1), connection)) {
            assertThat(loop.reactor()).isNotNull();
            assertThat(Files.readAllLines(worker(before).resolve("status")))
                    .anyMatch(line -> line.matches("Cpus_allowed_list:\\s+" + core));
        }
    }

    @Test
    void shouldBlockWhereAThreadOfTheLibraryDispatches() {
        final RunSettings spinning = read(Map.of("idle", "spin"));
        assertThat(spinning.idle(Api.EMA)).isEqualTo(IdleMode.BLOCK);
        assertThat(spinning.idle(Api.ETA)).isEqualTo(IdleMode.SPIN);
        assertThat(read(Map.of("idle", "spin", "useUserDispatch", 1)).idle(Api.EMA))
                .isEqualTo(IdleMode.SPIN);
    }

    @Test
    void shouldSayWhyThereIsNothingToBind() {
        assertThatThrownBy(() -> read(Map.of("apiThreads", "0")).require(Api.ETA))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--api-threads has nothing to bind");
        assertThatThrownBy(() -> read(Map.of("apiThreads", "0,1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 cores for the 1 of --threads");
        assertThatThrownBy(() -> read(Map.of("workerThreads", "0,0")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 cores for the 1 of --threads");
    }
}
