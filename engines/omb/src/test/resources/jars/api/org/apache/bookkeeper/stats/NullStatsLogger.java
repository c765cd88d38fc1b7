package org.apache.bookkeeper.stats;

/** Stands for that of the library. */
public class NullStatsLogger implements StatsLogger {
    public static final NullStatsLogger INSTANCE = new NullStatsLogger();
}
