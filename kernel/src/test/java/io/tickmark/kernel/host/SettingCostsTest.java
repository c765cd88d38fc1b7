package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingCostsTest {
    private static final int CORE = Affinity.allowedCores().getLast();
    private static final CpuTopology ALONE =
            new CpuTopology(List.of(new CpuTopology.Cpu(CORE, 0, CORE, false)));

    @TempDir private Path folder;
    private final AtomicLong readings = new AtomicLong();
    private final AtomicLong heldUpNs = new AtomicLong();

    private HostFiles files() {
        return new HostFiles(folder);
    }

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
        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, files());

        assertThat(costs.clockReadNs()).isEqualTo(25);
        assertThat(costs.interruptions().perSecond()).isZero();
        assertThat(costs.coldSpeedPart()).isEqualTo(1);
        assertThat(costs.sharedSpeedPart()).isEmpty();
    }

    @Test
    void shouldCountWhatHoldsASpinningThreadUp() {
        final SettingCosts costs = SettingCosts.measure(this::interrupted, ALONE, files());

        assertThat(costs.interruptions().perSecond()).isEqualTo(1e9 / 27_000, within(5.0));
        assertThat(costs.interruptions().part()).isEqualTo(2_025 / 27_000.0, within(1e-4));
        assertThat(costs.moved().left()).isEmpty();
        assertThat(costs.moved().refusal()).isEqualTo("no device's interrupts are seen there");
    }

    /** While other cores may serve it, nothing holds the thread up. */
    private long interruptedUnlessMoved() {
        final long reading = readings.incrementAndGet();
        if (reading % 1_000 == 0 && isServing(interrupt(24))) {
            heldUpNs.addAndGet(2_000);
        }
        return 25 * reading + heldUpNs.get();
    }

    private static boolean isServing(final Path interrupt) {
        return CoreList.parse(mayServe(interrupt)).orElseThrow().contains(CORE);
    }

    private static String mayServe(final Path interrupt) {
        try {
            return Files.readString(interrupt.resolve("smp_affinity_list"));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String mayServe(final int interrupt) {
        return mayServe(interrupt(interrupt));
    }

    private Path interrupt(final int number) {
        return folder.resolve("proc/irq/" + number);
    }

    private void interrupt(final int number, final String mayServe, final int serves)
            throws IOException {
        final Path interrupt = Files.createDirectories(interrupt(number));
        Files.writeString(interrupt.resolve("smp_affinity_list"), mayServe + "\n");
        Files.writeString(interrupt.resolve("effective_affinity_list"), serves + "\n");
    }

    @Test
    void shouldLetOtherCoresServeInterruptsForAMomentAndPutThemBack() throws Exception {
        interrupt(24, "%d,%d-%d".formatted(CORE, CORE + 2, CORE + 5), CORE);
        interrupt(25, Integer.toString(CORE), CORE); // no other core is there for it
        interrupt(26, "%d-%d".formatted(CORE, CORE + 5), CORE + 1); // served elsewhere

        final SettingCosts costs =
                SettingCosts.measure(this::interruptedUnlessMoved, ALONE, files());

        assertThat(costs.interruptions().perSecond()).isEqualTo(1e9 / 27_000, within(5.0));
        assertThat(costs.moved().served()).isEqualTo(2);
        assertThat(costs.moved().moved()).isEqualTo(1);
        assertThat(costs.moved().left()).contains(new SettingCosts.Interruptions(0, 0));
        assertThat(costs.moved().refusal()).isEmpty();
        assertThat(mayServe(24).strip()).isEqualTo("%d,%d-%d".formatted(CORE, CORE + 2, CORE + 5));
        assertThat(mayServe(25).strip()).isEqualTo(Integer.toString(CORE));
        assertThat(mayServe(26)).as("never written").endsWith("\n");
    }

    @Test
    void shouldLetACoreServeInterruptsThatNoneElseMay() throws Exception {
        interrupt(24, Integer.toString(CORE), CORE);
        final CpuTopology three =
                new CpuTopology(
                        List.of(
                                new CpuTopology.Cpu(CORE + 1, 0, CORE + 1, false),
                                new CpuTopology.Cpu(CORE + 2, 0, CORE + 2, true),
                                new CpuTopology.Cpu(CORE, 0, CORE, false)));
        final Set<String> served = new TreeSet<>();

        final SettingCosts costs =
                SettingCosts.measure(
                        () -> {
                            if (readings.get() % 1_000 == 0) {
                                served.add(mayServe(24).strip());
                            }
                            return every25Ns();
                        },
                        three,
                        files());

        assertThat(costs.moved().moved()).isEqualTo(1);
        assertThat(served)
                .as("an isolated core is for hot threads")
                .containsExactlyInAnyOrder(Integer.toString(CORE), Integer.toString(CORE + 1));
    }

    @Test
    void shouldSayWhyNoInterruptIsServedElsewhere() throws Exception {
        interrupt(24, Integer.toString(CORE), CORE);

        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, files());

        assertThat(costs.moved())
                .isEqualTo(
                        new SettingCosts.MovedInterrupts(
                                1, 0, Optional.empty(), "no other core may serve them"));
    }

    /** In a process of its own: until that is ended, or while it ends. */
    static final class Measuring {
        private Measuring() {}

        public static void main(final String... arguments) {
            final HostFiles files = new HostFiles(Path.of(arguments[0]));
            if ("ending".equals(arguments[1])) {
                Runtime.getRuntime()
                        .addShutdownHook(
                                new Thread(() -> {
                                    final SettingCosts costs =
                                            SettingCosts.measure(
                                                    SystemNanoClock.INSTANCE, ALONE, files);
                                    System.out.println(costs.moved().refusal());
                                    System.out.println(costs.governorRefusal());
                                }));
                return;
            }
            final Path interrupt = files.at("/proc/irq/24");
            final AtomicLong readings = new AtomicLong();
            SettingCosts.measure(
                    () -> {
                        final long reading = readings.incrementAndGet();
                        if (reading % 1_000 == 0 && !isServing(interrupt)) {
                            System.out.println("moved");
                            LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
                        }
                        return 25 * reading;
                    },
                    ALONE,
                    files);
        }
    }

    private Process measuring(final String how) throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.matches("--(add|enable|sun)-.*")) // what our libraries need
                .forEach(command::add);
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measuring.class.getName(),
                        folder.toString(),
                        how));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Test
    void shouldPutBackWhatIsSwitchedWhenItsProcessIsEnded() throws Exception {
        final String before = "%d,%d".formatted(CORE, CORE + 10);
        interrupt(24, before, CORE);
        final Process measuring = measuring("until it is ended");
        try {
            assertThat(measuring.inputReader().readLine()).isEqualTo("moved");
            assertThat(mayServe(24)).isEqualTo(Integer.toString(CORE + 10));

            measuring.destroy();
            measuring.waitFor();

            assertThat(mayServe(24)).isEqualTo(before);
        } finally {
            measuring.destroyForcibly();
        }
    }

    /** After a signal the answer is still made; it ended there with an error. */
    @Test
    void shouldSwitchNothingInAProcessThatEnds() throws Exception {
        interrupt(24, "%d,%d".formatted(CORE, CORE + 10), CORE);
        final Path governor = governor("powersave");

        final Process measuring = measuring("ending");

        assertThat(measuring.inputReader().readAllLines())
                .containsExactly("the process ends", "the process ends");
        assertThat(mayServe(24)).as("never written").endsWith("\n");
        assertThat(governor).hasContent("powersave\n");
    }

    @Test
    void shouldAskForCoresThatStayAwake() throws Exception {
        final Path device =
                Files.createFile(
                        Files.createDirectory(folder.resolve("dev")).resolve("cpu_dma_latency"));

        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, files());

        assertThat(costs.awakeLateNs()).isPresent();
        assertThat(costs.awakeRefusal()).isEmpty();
        assertThat(device).hasBinaryContent(new byte[Integer.BYTES]);
    }

    @Test
    void shouldSayWhyCoresCannotBeKeptAwake() {
        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, files());

        assertThat(costs.awakeLateNs()).isEmpty();
        assertThat(costs.awakeRefusal()).isNotEmpty();
    }

    private Path governor() {
        return folder.resolve(
                "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor".formatted(CORE));
    }

    private Path governor(final String name) throws IOException {
        Files.createDirectories(governor().getParent());
        return Files.writeString(governor(), name + "\n");
    }

    @Test
    void shouldTryTheFastestGovernorAndPutTheOtherBack() throws Exception {
        final Path governor = governor("powersave");

        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, files());

        assertThat(costs.performanceSpeedPart()).isPresent();
        assertThat(costs.governorRefusal()).isEmpty();
        assertThat(governor).hasContent("powersave");
    }

    @Test
    void shouldSayWhyNoOtherGovernorWasTried() throws Exception {
        assertThat(refusal()).isEqualTo("none is seen");
        governor("performance");
        assertThat(refusal()).isEqualTo("it is the fastest");
    }

    /** It said that the governor could not be put back, which had never been changed. */
    @Test
    void shouldPutNoGovernorBackThatCouldNotBeChanged() throws Exception {
        Files.createDirectories(governor().getParent());
        // root cannot write it either
        Files.createSymbolicLink(governor(), Path.of("/proc/version"));

        assertThat(refusal()).isNotEmpty().doesNotContain("put back");
    }

    private String refusal() {
        final SettingCosts costs = SettingCosts.measure(this::every25Ns, ALONE, files());
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

        final SettingCosts costs = SettingCosts.measure(this::every25Ns, siblings, files());

        assertThat(costs.sharedSpeedPart().orElse(0)).isPositive();
    }

    @Test
    void shouldMeasureNoSiblingToWhichNoThreadCanBePinned() {
        final CpuTopology siblings =
                new CpuTopology(
                        List.of(
                                new CpuTopology.Cpu(CoreList.MAX_CORES, 0, 7, false),
                                new CpuTopology.Cpu(CORE, 0, 7, false)));

        final SettingCosts costs = SettingCosts.measure(this::every25Ns, siblings, files());

        assertThat(costs.sharedSpeedPart()).isEmpty();
        assertThat(costs.sharedRefusal())
                .isEqualTo("Not pinned to core %d: there is no such core.", CoreList.MAX_CORES);
    }
}
