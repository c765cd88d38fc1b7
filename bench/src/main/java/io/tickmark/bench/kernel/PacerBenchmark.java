package io.tickmark.bench.kernel;

import io.tickmark.kernel.time.Pacer;
import io.tickmark.kernel.time.Schedules;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Pacing one message on a clock fixed at its intended time: no clock is read. */
public class PacerBenchmark extends KernelBenchmark {
    private static final double RATE_PER_SECOND = 333_333;
    private static final int TICKS_PER_SECOND = 1_000;

    /** Kind of schedule. */
    @Param({"fixed", "ticks", "poisson"})
    private String schedule;

    private Pacer pacer;

    /** For JMH. */
    public PacerBenchmark() {}

    /** Starts the schedule. */
    @Setup
    public void setUp() {
        pacer =
                new Pacer(
                        switch (schedule) {
                            case "fixed" -> Schedules.fixedRate(RATE_PER_SECOND);
                            case "ticks" -> Schedules.ticks(RATE_PER_SECOND, TICKS_PER_SECOND);
                            case "poisson" -> Schedules.poisson(RATE_PER_SECOND, 1);
                            default -> throw new IllegalArgumentException(schedule);
                        });
        pacer.start(0);
    }

    /**
     * One look before the time, one at the time, one send.
     *
     * @return whether it was due too early
     */
    @Benchmark
    public boolean paceMessage() {
        final long intendedNs = pacer.intendedNs();
        final boolean tooEarly = pacer.isDue(intendedNs - 1);
        if (pacer.isDue(intendedNs)) {
            pacer.sent(intendedNs);
        }
        return tooEarly;
    }
}
