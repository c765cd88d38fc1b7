package io.tickmark.lab.cores;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.CpuTopology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topologies as machines report them in /sys. */
class CorePlacementTest {
    @TempDir private Path root;

    private void cpu(final int number, final String siblings) throws IOException {
        final Path folder =
                Files.createDirectories(
                        root.resolve("sys/devices/system/cpu/cpu" + number + "/topology"));
        Files.writeString(folder.resolve("thread_siblings_list"), siblings + "\n");
    }

    private void node(final int number, final String cpus) throws IOException {
        final Path folder =
                Files.createDirectories(root.resolve("sys/devices/system/node/node" + number));
        Files.writeString(folder.resolve("cpulist"), cpus + "\n");
    }

    private List<CorePlacement> placements(final int cpus, final int hotThreads) {
        return CorePlacement.all(
                CpuTopology.below(root, IntStream.range(0, cpus).boxed().toList()), hotThreads);
    }

    /** Two sockets of six cores, even and odd, no SMT. */
    private void twoSockets() throws IOException {
        for (int cpu = 0; cpu < 12; cpu++) {
            cpu(cpu, Integer.toString(cpu));
        }
        node(0, "0,2,4,6,8,10");
        node(1, "1,3,5,7,9,11");
    }

    /** One socket of eight cores with two threads each. */
    private void smt() throws IOException {
        for (int cpu = 0; cpu < 16; cpu++) {
            cpu(cpu, cpu % 8 + "," + (cpu % 8 + 8));
        }
        node(0, "0-15");
    }

    @Test
    void shouldPlaceOnEachNodeAndAcross() throws IOException {
        twoSockets();

        assertThat(placements(12, 2))
                .containsExactly(
                        CorePlacement.FREE,
                        new CorePlacement("node0-cores", List.of(2, 4), List.of()),
                        new CorePlacement(
                                "node0-cores-housekeeping", List.of(2, 4), List.of(0, 6, 8, 10)),
                        new CorePlacement("node1-cores", List.of(1, 3), List.of()),
                        new CorePlacement(
                                "node1-cores-housekeeping", List.of(1, 3), List.of(5, 7, 9, 11)),
                        new CorePlacement("across-nodes", List.of(2, 1), List.of()));
    }

    @Test
    void shouldTellSiblingsFromCores() throws IOException {
        smt();

        assertThat(placements(16, 2))
                .containsExactly(
                        CorePlacement.FREE,
                        new CorePlacement("cores", List.of(1, 2), List.of()),
                        new CorePlacement(
                                "cores-housekeeping",
                                List.of(1, 2),
                                List.of(0, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15)),
                        new CorePlacement("siblings", List.of(1, 9), List.of()));
    }

    @Test
    void shouldTakeIsolatedCpusForHotThreadsAndForNothingElse() throws IOException {
        smt();
        Files.writeString(root.resolve("sys/devices/system/cpu/isolated"), "5-6,8,14\n");

        assertThat(placements(16, 2))
                .containsExactly(
                        CorePlacement.FREE,
                        new CorePlacement("cores", List.of(5, 6), List.of()),
                        new CorePlacement(
                                "cores-housekeeping",
                                List.of(5, 6),
                                List.of(0, 1, 2, 3, 4, 7, 9, 10, 11, 12, 15)),
                        new CorePlacement("siblings", List.of(5, 13), List.of()));
        assertThat(placements(16, 3).get(1).hot())
                .as("the sibling that is isolated, not the lowest")
                .containsExactly(5, 6, 8);
    }

    @Test
    void shouldHaveLittleChoiceOnTwoCores() throws IOException {
        cpu(0, "0");
        cpu(1, "1");

        assertThat(placements(2, 2))
                .containsExactly(
                        CorePlacement.FREE, new CorePlacement("cores", List.of(1, 0), List.of()));
        assertThat(placements(2, 1))
                .containsExactly(
                        CorePlacement.FREE,
                        new CorePlacement("cores", List.of(1), List.of()),
                        new CorePlacement("cores-housekeeping", List.of(1), List.of(0)));
    }

    @Test
    void shouldLeaveThreadsToTheSystemWhereThereAreTooMany() throws IOException {
        cpu(0, "0-1");
        cpu(1, "0-1");

        assertThat(placements(2, 3)).containsExactly(CorePlacement.FREE);
        assertThat(placements(2, 2))
                .containsExactly(
                        CorePlacement.FREE,
                        new CorePlacement("siblings", List.of(0, 1), List.of()));
    }

    @Test
    void shouldKnowNoSiblingsWhereTheKernelReportsNone() {
        assertThat(placements(3, 2))
                .extracting(CorePlacement::name)
                .containsExactly("free", "cores", "cores-housekeeping");
    }
}
