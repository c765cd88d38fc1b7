package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(OS.LINUX)
class AffinityTest {
    private final List<Integer> allowed = Affinity.allowedCores();

    @Test
    void shouldPinAWorkerToOneCore() throws Exception {
        final int core = allowed.getLast();

        OnWorker.call(() -> {
            assertThat(Affinity.pin(core)).isEmpty();
            assertThat(Affinity.currentCores()).containsExactly(core);
            return core;
        });
    }

    /**
     * Existing threads and those that they start meanwhile; a core is not taken from a thread that
     * has no other.
     */
    @Test
    void shouldKeepOtherThreadsOffACoreUntilItIsGivenBack() throws Exception {
        final int core = allowed.getLast();
        if (allowed.size() == 1) {
            OnWorker.call(() -> {
                assertThat(Affinity.keepOthersOff(core).movedThreads()).isZero();
                return core;
            });
            return;
        }
        final List<Integer> others = allowed.subList(0, allowed.size() - 1);
        try (ExecutorService there = Executors.newSingleThreadExecutor();
                ExecutorService pinned = Executors.newSingleThreadExecutor()) {
            assertThat(there.submit(Affinity::currentCores).get()).isEqualTo(allowed);
            pinned.submit(() -> Affinity.pin(core)).get();

            OnWorker.call(() -> {
                Affinity.pin(core);
                try (Affinity.ClearedCores cleared = Affinity.keepOthersOff(core)) {
                    assertThat(cleared.movedThreads()).isPositive();
                    assertThat(there.submit(Affinity::currentCores).get()).isEqualTo(others);
                    assertThat(there.submit(() -> OnWorker.call(Affinity::currentCores)).get())
                            .isEqualTo(others);
                    assertThat(pinned.submit(Affinity::currentCores).get()).containsExactly(core);
                    assertThat(Affinity.currentCores()).containsExactly(core);
                    assertThat(Affinity.allowedCores()).isEqualTo(allowed);
                }
                return core;
            });

            assertThat(there.submit(Affinity::currentCores).get()).isEqualTo(allowed);
            assertThat(pinned.submit(Affinity::currentCores).get()).containsExactly(core);
        }
    }

    /** The calling thread measures nothing, and is moved as well. */
    @Test
    void shouldKeepAllThreadsOffCoresUntilTheyAreGivenBack() throws Exception {
        assumeTrue(allowed.size() > 1, "there is no other core");
        final List<Integer> others = allowed.subList(0, allowed.size() - 1);
        OnWorker.call(() -> {
            try (Affinity.ClearedCores _ = Affinity.keepOff(List.of(allowed.getLast()))) {
                assertThat(Affinity.currentCores()).isEqualTo(others);
                assertThat(OnWorker.call(Affinity::currentCores)).isEqualTo(others);
            }
            assertThat(Affinity.currentCores()).isEqualTo(allowed);
            return others;
        });
    }

    @Test
    void shouldKeepTheCoresOfTheProcessWhileAWorkerIsPinned() throws Exception {
        final List<Integer> seen =
                OnWorker.call(() -> {
                    Affinity.pin(allowed.getFirst());
                    return Affinity.allowedCores();
                });

        assertThat(seen).isEqualTo(allowed);
    }

    @Test
    void shouldSayWhichCoresThereAreWhenTheCoreIsNotOneOfThem() throws Exception {
        final List<Integer> reachable = Affinity.reachableCores();
        final int absent = reachable.getLast() + 1;

        assertThat(OnWorker.call(() -> Affinity.pin(absent)))
                .contains(
                        "Not pinned to core %d: this process may only use cores %s."
                                .formatted(absent, CoreList.format(reachable)));
        assertThat(OnWorker.call(() -> Affinity.pin(-1)).orElseThrow()).contains("no such core");
        assertThat(OnWorker.call(() -> Affinity.pin(CoreList.MAX_CORES)).orElseThrow())
                .contains("no such core");
    }

    @Test
    void shouldRefuseAVirtualThread() throws Exception {
        final Optional<String>[] refusal = emptyBox();
        final Thread thread =
                Thread.ofVirtual().start(() -> refusal[0] = Affinity.pin(allowed.getFirst()));

        assertThat(thread.join(java.time.Duration.ofSeconds(60))).isTrue();
        assertThat(refusal[0].orElseThrow()).contains("virtual thread");
    }

    @Test
    void shouldRefuseTheMainThread() {
        // the test runner runs tests on the thread that runs main
        if (Thread.currentThread().threadId() == 1) {
            assertThat(Affinity.pin(allowed.getFirst()).orElseThrow()).contains("main thread");
        }
        assertThat(Affinity.currentCores()).isEqualTo(allowed);
    }

    @Test
    void shouldReadTheCoresOfTheProcess(@TempDir final Path root) throws Exception {
        final Path status = root.resolve("proc/self/status");
        Files.createDirectories(status.getParent());
        Files.writeString(status, "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t2-3,6\n");

        assertThat(Affinity.allowedCores(new HostFiles(root))).containsExactly(2, 3, 6);
    }

    /** A mask, for example of taskset, does not limit a thread that pins itself. */
    @Test
    void shouldReachTheCoresOutsideOfItsMask() throws Exception {
        final List<Integer> seen =
                OnWorker.call(() -> {
                    Affinity.pin(allowed.getFirst());
                    return Affinity.reachableCores();
                });

        assertThat(seen).containsAll(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "0-1, 2-3, 0-3, isolated ones are there for hot threads",
        "0-1, '', 0-1, nothing is isolated",
        "0, 2-3, 0, the process is to stay away from core 1 and more"
    })
    void shouldAddIsolatedCoresForHotThreads(
            final String allowedList,
            final String isolated,
            final String expected,
            final String why,
            @TempDir final Path root)
            throws Exception {
        final Path status = root.resolve("proc/self/status");
        final Path list = root.resolve("sys/devices/system/cpu/isolated");
        Files.createDirectories(status.getParent());
        Files.createDirectories(list.getParent());
        Files.writeString(status, "Cpus_allowed_list:\t" + allowedList + "\n");
        Files.writeString(list, isolated + "\n");

        final List<Integer> reachable = isolated.isEmpty() ? List.of(0, 1) : List.of(0, 1, 2, 3);
        assertThat(Affinity.coresForHotThreads(new HostFiles(root), reachable))
                .as(why)
                .isEqualTo(CoreList.parse(expected).orElseThrow());
    }

    @Test
    void shouldCountProcessorsWhereTheKernelReportsNothing(@TempDir final Path root) {
        assertThat(Affinity.allowedCores(new HostFiles(root))).startsWith(0).isNotEmpty();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Optional<String>[] emptyBox() {
        return new Optional[1];
    }
}
