package io.tickmark.workloads.fix.gateway;

/**
 * When a consumer is slow, and what happens then.
 *
 * @param policy what happens to its messages
 * @param bytes it is slow while this many are pending for it
 * @param timeNs it is slow once its socket has accepted nothing for this long
 */
record SlowLimits(SlowPolicy policy, int bytes, long timeNs) {}
