package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingCostsTest {
    private static final int CORE = Affinity.allowedCores().getLast();
    private static final CpuTopology ALONE =
            new CpuTopology(List.of(new CpuTopology.Cpu(CORE, 0, CORE, false)));

    @TempDir private Path folder;
    private final AtomicLong readings = new AtomicLong();

    private long every25Ns() {
        return 25 * readings.incrementAndGet();
    }

    /** A thousand readings take 27 us, of which one takes 2025 ns. */
    private long interrupted() {
        final long reading = readings.incrementAndGet();
        return 25 * reading + 2_000 * (reading / 1_000);
    }

    @Test
    void shouldTellWhatAReadingOfTheClockTakes() {
        final SettingCosts costs =
                SettingCosts.measure(this::every25Ns, ALONE, folder.resolve("absent"), folder);

        assertThat(costs.clockReadNs()).isEqualTo(25);
        assertThat(costs.interruptionsPerSecond()).isZero();
        assertThat(costs.coldSpeedPart()).isEqualTo(1);
        assertThat(costs.sharedSpeedPart()).isEmpty();
    }

    @Test
    void shouldCountWhatHoldsASpinningThreadUp() {
        final SettingCosts costs =
                SettingCosts.measure(this::interrupted, ALONE, folder.resolve("absent"), folder);

        assertThat(costs.interruptionsPerSecond()).isEqualTo(1e9 / 27_000, within(5.0));
        assertThat(costs.interruptedPart()).isEqualTo(2_025 / 27_000.0, within(1e-4));
    }

    @Test
    void shouldAskForCoresThatStayAwake() throws Exception {
        final Path device = Files.createFile(folder.resolve("cpu_dma_latency"));

        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, device, folder);

        assertThat(costs.awakeLateNs()).isPresent();
        assertThat(costs.awakeRefusal()).isEmpty();
        assertThat(device).hasBinaryContent(new byte[Integer.BYTES]);
    }

    @Test
    void shouldSayWhyCoresCannotBeKeptAwake() {
        final SettingCosts costs =
                SettingCosts.measure(this::every25Ns, ALONE, folder.resolve("absent"), folder);

        assertThat(costs.awakeLateNs()).isEmpty();
        assertThat(costs.awakeRefusal()).isNotEmpty();
    }

    @Test
    void shouldTryTheFastestGovernorAndPutTheOtherBack() throws Exception {
        final Path governor = folder.resolve("cpu%d/cpufreq/scaling_governor".formatted(CORE));
        Files.createDirectories(governor.getParent());
        Files.writeString(governor, "powersave\n");

        final SettingCosts costs =
                SettingCosts.measure(this::every25Ns, ALONE, folder.resolve("absent"), folder);

        assertThat(costs.performanceSpeedPart()).isPresent();
        assertThat(costs.governorRefusal()).isEmpty();
        assertThat(governor).hasContent("powersave");
    }

    @Test
    void shouldSayWhyNoOtherGovernorWasTried() throws Exception {
        final Path governor = folder.resolve("cpu%d/cpufreq/scaling_governor".formatted(CORE));

        assertThat(refusal()).isEqualTo("none is seen");
        Files.createDirectories(governor.getParent());
        Files.writeString(governor, "performance\n");
        assertThat(refusal()).isEqualTo("it is the fastest");
    }

    private String refusal() {
        final SettingCosts costs =
                SettingCosts.measure(this::every25Ns, ALONE, folder.resolve("absent"), folder);
        assertThat(costs.performanceSpeedPart()).isEmpty();
        return costs.governorRefusal();
    }

    @Test
    void shouldKeepTheSiblingBusyWhereThereIsOne() {
        final CpuTopology siblings =
                new CpuTopology(
                        List.of(
                                new CpuTopology.Cpu(
                                        Affinity.allowedCores().getFirst(), 0, 7, false),
                                new CpuTopology.Cpu(CORE, 0, 7, false)));

        final SettingCosts costs =
                SettingCosts.measure(this::every25Ns, siblings, folder.resolve("absent"), folder);

        assertThat(costs.sharedSpeedPart().orElse(0)).isPositive();
    }

    @Test
    void shouldMeasureNoSiblingToWhichNoThreadCanBePinned() {
        final CpuTopology siblings =
                new CpuTopology(
                        List.of(
                                new CpuTopology.Cpu(CoreList.MAX_CORES, 0, 7, false),
                                new CpuTopology.Cpu(CORE, 0, 7, false)));

        final SettingCosts costs =
                SettingCosts.measure(this::every25Ns, siblings, folder.resolve("absent"), folder);

        assertThat(costs.sharedSpeedPart()).isEmpty();
        assertThat(costs.sharedRefusal())
                .isEqualTo("Not pinned to core %d: there is no such core.", CoreList.MAX_CORES);
    }
}
