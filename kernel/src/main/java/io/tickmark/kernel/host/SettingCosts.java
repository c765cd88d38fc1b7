package io.tickmark.kernel.host;

import io.tickmark.kernel.settings.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;

/**
 * What settings of this machine cost a thread that measures. What can be switched is switched for a
 * moment: cores are kept awake while a file is open, a second thread keeps a sibling busy, other
 * cores serve the interrupts of one for a third of a second, and it has another governor for as
 * long. The last two are also put back where this process is asked to end meanwhile. The clock is
 * not switched, as all programs use it.
 *
 * @param clockReadNs a reading of the clock, ns
 * @param interruptions what holds a thread up that spins on a core
 * @param moved the same while other cores serve the interrupts of devices
 * @param wokenLateNs how late a thread that has slept for a short time is woken, median, ns
 * @param awakeLateNs the same while cores are kept awake; empty where that is refused
 * @param awakeRefusal why it is refused; empty where it is not
 * @param coldSpeedPart how fast a core is that has just slept, of its speed when it is warm
 * @param performanceSpeedPart the same with the governor {@code performance}; empty where that is
 *     refused
 * @param governorRefusal why it is refused; empty where it is not
 * @param sharedSpeedPart how fast a core is whose sibling is busy, of its speed alone; empty where
 *     no two CPUs share one, or a thread cannot be pinned to one of them
 * @param sharedRefusal why it cannot be pinned; empty where it can, or where no two CPUs share a
 *     core
 */
public record SettingCosts(
        double clockReadNs,
        Interruptions interruptions,
        MovedInterrupts moved,
        long wokenLateNs,
        OptionalLong awakeLateNs,
        String awakeRefusal,
        double coldSpeedPart,
        OptionalDouble performanceSpeedPart,
        String governorRefusal,
        OptionalDouble sharedSpeedPart,
        String sharedRefusal) {
    /** A thread sleeps this long before it is seen how late it is woken, ns. */
    public static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(200);

    /** After this time without work a core is cold, ns. */
    public static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * Where a latency is asked for that the kernel then keeps all cores within, as long as it is
     * open: Documentation/admin-guide/pm/cpuidle.rst, "Power Management Quality of Service for
     * CPUs".
     */
    private static final String LATENCY_DEVICE = "/dev/cpu_dma_latency";

    /** Documentation/admin-guide/pm/cpufreq.rst, "Policy Interface in sysfs". */
    private static final String GOVERNOR = "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor";

    private static final String PERFORMANCE = "performance";

    /** A folder for each: Documentation/core-api/irq/irq-affinity.rst, "SMP IRQ affinity". */
    private static final String INTERRUPTS = "/proc/irq";

    /** The cores that may serve it, which can be written. */
    private static final String MAY_SERVE = "/smp_affinity_list";

    /** The core of those that does. */
    private static final String SERVES = "/effective_affinity_list";

    /**
     * What holds a spinning thread up.
     *
     * @param perSecond how often
     * @param part of its time, between 0 and 1
     */
    public record Interruptions(double perSecond, double part) {}

    /**
     * Interrupts of devices that a core serves, which other cores serve for a moment.
     *
     * @param served how many the core serves
     * @param moved how many of them could be moved
     * @param left what holds a spinning thread up meanwhile; empty where none could be moved
     * @param refusal why none could; empty where some could
     */
    public record MovedInterrupts(
            int served, int moved, Optional<Interruptions> left, String refusal) {
        private static MovedInterrupts none(final int served, final String refusal) {
            return new MovedInterrupts(served, 0, Optional.empty(), refusal);
        }
    }

    /**
     * Measures for about a second, while nothing else should.
     *
     * @param clock monotonic
     * @return the costs
     * @throws IllegalStateException if the calling thread is interrupted meanwhile
     */
    public static SettingCosts measure(final NanoClock clock) {
        return measure(clock, CpuTopology.ofThisHost(), HostFiles.ofThisHost());
    }

    static SettingCosts measure(
            final NanoClock clock, final CpuTopology topology, final HostFiles files) {
        final FutureTask<SettingCosts> task =
                new FutureTask<>(() -> new Meter(clock, files).all(topology.cpus()));
        Thread.ofPlatform().daemon().name("setting-costs").start(task);
        try {
            return task.get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException("What settings cost was not measured", e.getCause());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before it was measured", e);
        }
    }

    /** Measures one after the other on its thread, which it pins. */
    private static final class Meter {
        /** Each so short that most are not interrupted, even on a busy machine. */
        private static final int BATCHES = 500;

        private static final int READINGS = 1_000;
        private static final long SPIN_NS = TimeUnit.MILLISECONDS.toNanos(300);

        /** Dozens of readings: what takes so long between two was not the loop. */
        private static final long INTERRUPTION_NS = TimeUnit.MICROSECONDS.toNanos(1);

        /** Where the clock is slow, as with some virtual ones. */
        private static final int READINGS_OF_ONE = 30;

        private static final int NAPS = 101;
        private static final int RESTS = 11;

        /** Some hundred microseconds, much less than a time slice. */
        private static final int STEPS = 100_000;

        private static final int WARM_UPS = 200;

        private final NanoClock clock;
        private final HostFiles files;
        private volatile long sink;
        private volatile String sharedRefusal = "";
        private String pinRefusal = "";
        private String governorRefusal = "";

        Meter(final NanoClock clock, final HostFiles files) {
            this.clock = clock;
            this.files = files;
        }

        SettingCosts all(final List<CpuTopology.Cpu> cpus) {
            final CpuTopology.Cpu own = cpus.getLast(); // the first has most of the interrupts
            sharedRefusal = Affinity.pin(own.number()).orElse("");
            pinRefusal = sharedRefusal.replaceFirst("[.]$", ""); // it is put into brackets
            ThreadPriority.timerSlack(1); // or each nap would be 50 us longer
            for (int i = 0; i < WARM_UPS; i++) {
                workNs();
            }
            final double clockReadNs = clockReadNs();
            final long shortestNs =
                    Math.max(INTERRUPTION_NS, (long) (READINGS_OF_ONE * clockReadNs));
            final Interruptions interruptions = interruptions(shortestNs);
            final MovedInterrupts moved = moved(own.number(), cpus, shortestNs);
            final long wokenLateNs = wokenLateNs();
            OptionalLong awakeLateNs = OptionalLong.empty();
            String refusal = "";
            try (FileChannel awake =
                    FileChannel.open(files.at(LATENCY_DEVICE), StandardOpenOption.WRITE)) {
                awake.write(ByteBuffer.allocate(Integer.BYTES)); // 0 us
                awakeLateNs = OptionalLong.of(wokenLateNs());
            } catch (final IOException e) {
                refusal = IoReason.of(e);
            }
            final OptionalDouble sharedSpeedPart = sharedSpeedPart(own, cpus);
            return new SettingCosts(
                    clockReadNs,
                    interruptions,
                    moved,
                    wokenLateNs,
                    awakeLateNs,
                    refusal,
                    coldSpeedPart(),
                    performanceSpeedPart(files.at(GOVERNOR.formatted(own.number()))),
                    governorRefusal,
                    sharedSpeedPart,
                    sharedRefusal);
        }

        private Interruptions interruptions(final long shortestNs) {
            long number = 0;
            long interruptedNs = 0;
            final long startNs = clock.nanoTime();
            long lastNs = startNs;
            while (lastNs - startNs < SPIN_NS) {
                final long nowNs = clock.nanoTime();
                if (nowNs - lastNs >= shortestNs) {
                    number++;
                    interruptedNs += nowNs - lastNs;
                }
                lastNs = nowNs;
            }
            final double spunNs = lastNs - startNs;
            return new Interruptions(
                    number * (double) TimeUnit.SECONDS.toNanos(1) / spunNs, interruptedNs / spunNs);
        }

        /** Ticks of the timer and the like stay: each core has its own. */
        private MovedInterrupts moved(
                final int core, final List<CpuTopology.Cpu> cpus, final long shortestNs) {
            if (!pinRefusal.isEmpty()) {
                return MovedInterrupts.none(0, pinRefusal);
            }
            final Map<Path, List<Integer>> served = served(core);
            final Switched masks = new Switched();
            int moved = 0;
            String refusal = "no device's interrupts are seen there";
            for (final Map.Entry<Path, List<Integer>> each : served.entrySet()) {
                final List<Integer> others = others(core, each.getValue(), cpus);
                refusal =
                        others.isEmpty()
                                ? "no other core may serve them"
                                : masks.change(
                                        each.getKey(),
                                        backTo(core, each.getValue()),
                                        CoreList.format(others));
                if (refusal.isEmpty()) {
                    moved++;
                }
            }
            if (moved == 0) {
                return MovedInterrupts.none(served.size(), refusal);
            }
            final Interruptions left = interruptions(shortestNs);
            final String trouble = masks.restore();
            return trouble.isEmpty()
                    ? new MovedInterrupts(served.size(), moved, Optional.of(left), "")
                    : MovedInterrupts.none(served.size(), trouble);
        }

        /** The kernel moves an interrupt only off a core that may not serve it any more. */
        private static List<String> backTo(final int core, final List<Integer> cores) {
            return List.of(Integer.toString(core), CoreList.format(cores));
        }

        /** The cores that may serve an interrupt, of those that a core serves, by their file. */
        private Map<Path, List<Integer>> served(final int core) {
            final Map<Path, List<Integer>> served = new LinkedHashMap<>();
            for (final String name : files.names(INTERRUPTS)) {
                final String folder = INTERRUPTS + "/" + name;
                final List<Integer> cores = cores(folder + MAY_SERVE);
                if (cores.contains(core) && cores(folder + SERVES).contains(core)) {
                    served.put(files.at(folder + MAY_SERVE), cores);
                }
            }
            return served;
        }

        private List<Integer> cores(final String path) {
            return files.text(path).flatMap(CoreList::parse).orElse(List.of());
        }

        /** Where only this core may serve it, those that nobody keeps for hot threads. */
        private static List<Integer> others(
                final int core, final List<Integer> cores, final List<CpuTopology.Cpu> cpus) {
            final List<Integer> others = cores.stream().filter(each -> each != core).toList();
            return others.isEmpty()
                    ? cpus.stream()
                            .filter(cpu -> cpu.number() != core && !cpu.isIsolated())
                            .map(CpuTopology.Cpu::number)
                            .toList()
                    : others;
        }

        private OptionalDouble performanceSpeedPart(final Path file) {
            if (!pinRefusal.isEmpty()) {
                governorRefusal =
                        pinRefusal; // another core would be measured than the one switched
                return OptionalDouble.empty();
            }
            final String before;
            try {
                before = Files.readString(file).strip();
            } catch (final NoSuchFileException _) {
                governorRefusal = "none is seen";
                return OptionalDouble.empty();
            } catch (final IOException e) {
                governorRefusal = IoReason.of(e);
                return OptionalDouble.empty();
            }
            if (before.equals(PERFORMANCE)) {
                governorRefusal = "it is the fastest";
                return OptionalDouble.empty();
            }
            final Switched governor = new Switched();
            governorRefusal = governor.change(file, List.of(before), PERFORMANCE);
            if (!governorRefusal.isEmpty()) {
                return OptionalDouble.empty();
            }
            final double part = coldSpeedPart();
            governorRefusal = governor.restore();
            return governorRefusal.isEmpty() ? OptionalDouble.of(part) : OptionalDouble.empty();
        }

        /** The fastest batch was disturbed least. */
        private double clockReadNs() {
            long bestNs = Long.MAX_VALUE;
            for (int batch = 0; batch < BATCHES; batch++) {
                final long startNs = clock.nanoTime();
                long lastNs = startNs;
                for (int i = 0; i < READINGS; i++) {
                    lastNs = clock.nanoTime();
                }
                bestNs = Math.min(bestNs, lastNs - startNs);
            }
            return bestNs / (double) READINGS;
        }

        private long wokenLateNs() {
            final long[] lateNs = new long[NAPS];
            for (int i = 0; i < NAPS; i++) {
                final long startNs = clock.nanoTime();
                LockSupport.parkNanos(NAP_NS);
                lateNs[i] = Math.max(0, clock.nanoTime() - startNs - NAP_NS);
            }
            return median(lateNs);
        }

        private double coldSpeedPart() {
            final long[] coldNs = new long[RESTS];
            final long[] warmNs = new long[RESTS];
            for (int i = 0; i < RESTS; i++) {
                LockSupport.parkNanos(REST_NS);
                coldNs[i] = workNs();
                for (int again = 0; again < WARM_UPS / RESTS; again++) {
                    warmNs[i] = workNs();
                }
            }
            return median(warmNs) / (double) Math.max(1, median(coldNs));
        }

        private OptionalDouble sharedSpeedPart(
                final CpuTopology.Cpu own, final List<CpuTopology.Cpu> cpus) {
            final OptionalInt sibling =
                    cpus.stream()
                            .filter(cpu -> cpu.core() == own.core() && cpu != own)
                            .mapToInt(CpuTopology.Cpu::number)
                            .findFirst();
            if (sibling.isEmpty()) {
                sharedRefusal = "";
                return OptionalDouble.empty();
            }
            if (!sharedRefusal.isEmpty()) {
                return OptionalDouble.empty();
            }
            final long aloneNs = manyNs();
            final Thread busy =
                    Thread.ofPlatform()
                            .daemon()
                            .name("busy-sibling")
                            .start(() -> {
                                sharedRefusal = Affinity.pin(sibling.getAsInt()).orElse("");
                                while (!Thread.currentThread().isInterrupted()) {
                                    workNs();
                                }
                            });
            try {
                LockSupport.parkNanos(REST_NS); // until it runs
                final long sharedNs = Math.max(1, manyNs());
                return sharedRefusal.isEmpty()
                        ? OptionalDouble.of(aloneNs / (double) sharedNs)
                        : OptionalDouble.empty();
            } finally {
                busy.interrupt();
            }
        }

        private long manyNs() {
            final long[] ns = new long[WARM_UPS];
            Arrays.setAll(ns, i -> workNs());
            return median(ns);
        }

        /** A chain of additions and multiplications, none of which can start before the last. */
        private long workNs() {
            final long startNs = clock.nanoTime();
            long value = sink;
            for (int i = 0; i < STEPS; i++) {
                value = value * 6364136223846793005L + 1442695040888963407L;
            }
            sink = value;
            return clock.nanoTime() - startNs;
        }

        private static long median(final long[] values) {
            final long[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }

    /**
     * Files with other settings for a moment. Once they are put back they stay so, whichever thread
     * does that first: the one that measures, or the one that ends the process.
     */
    private static final class Switched {
        private static final String ENDS = "the process ends";

        /** What is written to put them back, in turn. */
        private final Map<Path, List<String>> before = new LinkedHashMap<>();

        private boolean isRestored;

        Switched() {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(this::restore, "settings"));
            } catch (final IllegalStateException e) {
                isRestored = true; // it is ending, after a signal: nothing is changed any more
            }
        }

        /** Why it could not be changed; empty where it is. */
        synchronized String change(final Path file, final List<String> old, final String other) {
            if (isRestored) {
                return ENDS;
            }
            final String refusal = set(file, other);
            if (refusal.isEmpty()) {
                before.put(file, old);
            }
            return refusal;
        }

        /** Why what was measured does not count; empty where all are put back only now. */
        synchronized String restore() {
            if (isRestored) {
                return ENDS;
            }
            isRestored = true;
            return before.entrySet().stream()
                    .map(each -> restored(each.getKey(), each.getValue()))
                    .filter(trouble -> !trouble.isEmpty())
                    .collect(Collectors.joining("; "));
        }

        private static String restored(final Path file, final List<String> old) {
            return old.stream()
                    .map(value -> set(file, value))
                    .filter(trouble -> !trouble.isEmpty())
                    .findFirst()
                    .map(trouble ->
                            "%s could not be put back to %s: %s"
                                    .formatted(file, old.getLast(), trouble))
                    .orElse("");
        }

        private static String set(final Path file, final String value) {
            try {
                Files.writeString(file, value, StandardOpenOption.TRUNCATE_EXISTING);
                return "";
            } catch (final IOException e) {
                return IoReason.of(e);
            }
        }
    }
}
