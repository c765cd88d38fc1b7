package io.tickmark.lab.result;

/**
 * Names in the logs of roles with several threads: each has its own counters and latencies,
 * numbered from 2 ({@code responseNs}, {@code responseNs-2}).
 */
public final class ThreadNames {
    private ThreadNames() {}

    /**
     * The common part of the names of threads.
     *
     * @param name of a counter or a latency, of one thread or of all
     * @return the same without the number of a thread
     */
    public static String ofAll(final String name) {
        return name.replaceFirst("-\\d+$", "");
    }
}
