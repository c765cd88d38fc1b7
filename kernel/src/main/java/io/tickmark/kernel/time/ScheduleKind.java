package io.tickmark.kernel.time;

/** How messages are spread over time; named as in plans and options. */
public enum ScheduleKind {
    /** One message each 1 / rate. */
    FIXED,
    /** Bursts: all messages of a tick at the tick's time. */
    TICKS,
    /** A gap after each send; not on a grid, so a slow send is not caught up. */
    SLEEP,
    /** Random gaps with the mean 1 / rate. */
    POISSON,
    /** A fixed rate while on, silence while off. */
    BURSTS,
    /** The next message as soon as the one before was sent. */
    AS_FAST_AS_POSSIBLE
}
