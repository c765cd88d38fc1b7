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
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;

/**
 * What settings of this machine cost a thread that measures. What can be switched is switched for a
 * moment: cores are kept awake while a file is open, a second thread keeps a sibling busy, and one
 * core has another governor for a third of a second, which is also put back where this process is
 * asked to end meanwhile.
 *
 * @param clockReadNs a reading of the clock, ns
 * @param interruptionsPerSecond how often a thread that spins on a core is held up
 * @param interruptedPart of its time, between 0 and 1
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
        double interruptionsPerSecond,
        double interruptedPart,
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
    private static final Path LATENCY_DEVICE = Path.of("/dev/cpu_dma_latency");

    /** Documentation/admin-guide/pm/cpufreq.rst, "Policy Interface in sysfs". */
    private static final Path CPUS = Path.of("/sys/devices/system/cpu");

    private static final String PERFORMANCE = "performance";

    /**
     * Measures for about a second, while nothing else should.
     *
     * @param clock monotonic
     * @return the costs
     * @throws IllegalStateException if the calling thread is interrupted meanwhile
     */
    public static SettingCosts measure(final NanoClock clock) {
        return measure(clock, CpuTopology.ofThisHost(), LATENCY_DEVICE, CPUS);
    }

    static SettingCosts measure(
            final NanoClock clock,
            final CpuTopology topology,
            final Path latencyDevice,
            final Path cpus) {
        final FutureTask<SettingCosts> task =
                new FutureTask<>(() -> new Meter(clock).all(topology.cpus(), latencyDevice, cpus));
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
        private volatile long sink;
        private volatile String sharedRefusal = "";
        private String pinRefusal = "";
        private String governorRefusal = "";

        Meter(final NanoClock clock) {
            this.clock = clock;
        }

        SettingCosts all(
                final List<CpuTopology.Cpu> cpus, final Path latencyDevice, final Path folder) {
            final CpuTopology.Cpu own = cpus.getLast(); // the first has most of the interrupts
            pinRefusal = Affinity.pin(own.number()).orElse("");
            sharedRefusal = pinRefusal;
            ThreadPriority.timerSlack(1); // or each nap would be 50 us longer
            for (int i = 0; i < WARM_UPS; i++) {
                workNs();
            }
            final double clockReadNs = clockReadNs();
            final long shortestNs =
                    Math.max(INTERRUPTION_NS, (long) (READINGS_OF_ONE * clockReadNs));
            long interruptions = 0;
            long interruptedNs = 0;
            final long startNs = clock.nanoTime();
            long lastNs = startNs;
            while (lastNs - startNs < SPIN_NS) {
                final long nowNs = clock.nanoTime();
                if (nowNs - lastNs >= shortestNs) {
                    interruptions++;
                    interruptedNs += nowNs - lastNs;
                }
                lastNs = nowNs;
            }
            final double spunNs = lastNs - startNs;
            final long wokenLateNs = wokenLateNs();
            OptionalLong awakeLateNs = OptionalLong.empty();
            String refusal = "";
            try (FileChannel awake = FileChannel.open(latencyDevice, StandardOpenOption.WRITE)) {
                awake.write(ByteBuffer.allocate(Integer.BYTES)); // 0 us
                awakeLateNs = OptionalLong.of(wokenLateNs());
            } catch (final IOException e) {
                refusal = IoReason.of(e);
            }
            final OptionalDouble sharedSpeedPart = sharedSpeedPart(own, cpus);
            return new SettingCosts(
                    clockReadNs,
                    interruptions * (double) TimeUnit.SECONDS.toNanos(1) / spunNs,
                    interruptedNs / spunNs,
                    wokenLateNs,
                    awakeLateNs,
                    refusal,
                    coldSpeedPart(),
                    performanceSpeedPart(
                            folder.resolve("cpu" + own.number() + "/cpufreq/scaling_governor")),
                    governorRefusal,
                    sharedSpeedPart,
                    sharedRefusal);
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
            final Governor governor = new Governor(file, before);
            Runtime.getRuntime().addShutdownHook(new Thread(governor::restore));
            governorRefusal = governor.change(PERFORMANCE);
            final double part = governorRefusal.isEmpty() ? coldSpeedPart() : 0;
            final String trouble = governor.restore();
            if (!trouble.isEmpty()) {
                governorRefusal = "it could not be put back to %s: %s".formatted(before, trouble);
            }
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

    /** Of a core; once it is put back it stays so, whichever thread does that first. */
    private static final class Governor {
        private final Path file;
        private final String before;
        private boolean isRestored;

        Governor(final Path file, final String before) {
            this.file = file;
            this.before = before;
        }

        /** Why it could not be changed; empty where it is. */
        synchronized String change(final String name) {
            return isRestored ? "the process ends" : set(name);
        }

        /** Why it could not be put back; empty where it is. */
        synchronized String restore() {
            if (isRestored) {
                return "";
            }
            isRestored = true;
            return set(before);
        }

        private String set(final String name) {
            try {
                Files.writeString(file, name, StandardOpenOption.TRUNCATE_EXISTING);
                return "";
            } catch (final IOException e) {
                return IoReason.of(e);
            }
        }
    }
}
