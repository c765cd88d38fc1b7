package io.tickmark.workloads.market.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.rssl.Api;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * Whether one of the library's threads that were not there before is on a core. A thread gets
     * its name and its core after it has started, and other tests may have such threads as well.
     */
    private static boolean isWorkerOn(final int core, final Set<Path> before) throws Exception {
        final long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (System.nanoTime() - untilNs < 0) {
            for (final Path thread : threads()) {
                if (!before.contains(thread) && isWorkerOn(core, thread)) {
                    return true;
                }
            }
            Thread.sleep(5);
        }
        return false;
    }

    private static boolean isWorkerOn(final int core, final Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith("pool-")
                    && Files.readAllLines(thread.resolve("status")).stream()
                            .anyMatch(line -> line.matches("Cpus_allowed_list:\\s+" + core));
        } catch (final IOException e) {
            return false; // it has ended
        }
    }

    @Test
    void shouldPutTheLibrarysOwnThreadOnItsCore() throws Exception {
        final int core = Affinity.allowedCores().getLast();
        final Set<Path> before = threads();
        final ConnectionSettings connection =
                Settings.read(ConnectionSettings.class, Map.of(), key -> key);
        final RunSettings settings = read(Map.of("workerThreads", Integer.toString(core)));
        final List<HotThread> hotThreads = settings.hotThreads("consumer", Api.ETA);
        final LoopGroup group =
                new LoopGroup(
                        new LocalContext(Optional.empty(), 1, hotThreads),
                        "connection",
                        hotThreads);
        try (ReactorLoop loop = settings.reactor(group, 1, connection)) {
            assertThat(loop.reactor()).isNotNull();
            assertThat(isWorkerOn(core, before)).isTrue();
        }
    }

    @Test
    void shouldDeclareTheCoresOfItsThreadsToThePlan() {
        assertThat(read(Map.of("threads", "3,-1", "idle", "spin")).hotThreads("consumer", Api.ETA))
                .containsExactly(
                        new HotThread("consumer-1", IdleMode.SPIN, 3),
                        new HotThread("consumer-2", IdleMode.SPIN, -1));
    }

    @Test
    void shouldBlockWhereAThreadOfTheLibraryDispatches() {
        final Map<String, Object> spinning = Map.of("threads", "3", "idle", "spin");
        assertThat(read(spinning).hotThreads("consumer", Api.EMA))
                .containsExactly(new HotThread("consumer-1", IdleMode.BLOCK, 3));
        assertThat(
                        read(Map.of("idle", "spin", "useUserDispatch", 1))
                                .hotThreads("consumer", Api.EMA))
                .containsExactly(new HotThread("consumer-1", IdleMode.SPIN, -1));
    }

    @Test
    void shouldSayWhyThereIsNothingToBind() {
        assertThatThrownBy(() -> read(Map.of("apiThreads", "0")).require(Api.ETA))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--api-threads has nothing to pin");
        assertThatThrownBy(() -> read(Map.of("apiThreads", "0,1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 cores, but --threads names 1");
        assertThatThrownBy(() -> read(Map.of("workerThreads", "0,0")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 cores, but --threads names 1");
    }
}
