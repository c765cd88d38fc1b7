package io.tickmark.kernel.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count or a gauge, with one writer, or several that only {@link #addShared add}, and any number
 * of readers; padded so that two counters never share a cache line.
 */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;

    @SuppressWarnings("unused") // keeps neighbours off the line of value
    private long p00, p01, p02, p03, p04, p05, p06, p07;

    private long value;

    @SuppressWarnings("unused") // keeps neighbours off the line of value
    private long p10, p11, p12, p13, p14, p15, p16, p17;

    Counter(final String name) {
        this.name = name;
    }

    /**
     * A counter that belongs to no recording; its owner shows it.
     *
     * @param name of what it counts
     * @return a counter at 0
     */
    public static Counter detached(final String name) {
        return new Counter(name);
    }

    /**
     * The counter's name in stats.csv and progress lines.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Adds; writer thread only.
     *
     * @param amount to add
     */
    public void add(final long amount) {
        VALUE.setRelease(this, value + amount);
    }

    /** Adds one; writer thread only. */
    public void increment() {
        VALUE.setRelease(this, value + 1);
    }

    /**
     * Adds; any thread, where all writers do it this way.
     *
     * @param amount to add
     */
    public void addShared(final long amount) {
        VALUE.getAndAdd(this, amount);
    }

    /**
     * Sets; writer thread only.
     *
     * @param to new value
     */
    public void set(final long to) {
        VALUE.setRelease(this, to);
    }

    /**
     * Current value; any thread.
     *
     * @return the value
     */
    public long get() {
        return (long) VALUE.getAcquire(this);
    }
}
