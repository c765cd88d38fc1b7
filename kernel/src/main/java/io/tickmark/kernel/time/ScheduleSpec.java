package io.tickmark.kernel.time;

/**
 * What a schedule is created from; each kind uses only what it needs.
 *
 * @param kind of schedule
 * @param ratePerSecond messages per second (while on, for bursts); 0 means as fast as possible
 * @param ticksPerSecond for ticks
 * @param sleepNs gap after each send, for sleep
 * @param onNs length of a burst, for bursts
 * @param offNs silence between bursts, for bursts
 * @param seed of random gaps, for Poisson
 */
public record ScheduleSpec(
        ScheduleKind kind,
        double ratePerSecond,
        int ticksPerSecond,
        long sleepNs,
        long onNs,
        long offNs,
        long seed) {}
