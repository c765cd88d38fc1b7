package io.tickmark.kernel.host;

/** Raw readings of what a process takes. */
interface ProcessUsage extends AutoCloseable {
    /**
     * Processor time since the process began, user and system, all threads, in ns; -1 where
     * unknown.
     */
    long cpuNs();

    /** Memory in RAM now; -1 where unknown. */
    long residentBytes();

    @Override
    void close();
}
