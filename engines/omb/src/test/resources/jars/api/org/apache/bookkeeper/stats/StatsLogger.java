package org.apache.bookkeeper.stats;

/** Stands for that of the library; drivers of tests count nothing. */
public interface StatsLogger {}
