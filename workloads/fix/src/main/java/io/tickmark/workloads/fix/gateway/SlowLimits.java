package io.tickmark.workloads.fix.gateway;

/**
 * When a consumer is slow, and what happens then.
 *
 * @param policy what happens to its messages
 * @param bytes it is slow while so many wait for it
 * @param timeNs it is slow while its socket has taken nothing for so long
 */
record SlowLimits(SlowPolicy policy, int bytes, long timeNs) {}
