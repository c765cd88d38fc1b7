package io.tickmark.workloads.feed.conflate;

import io.tickmark.workloads.feed.tick.LastValues;

/**
 * The context of a queue.
 *
 * @param firstSymbol the session's first
 * @param symbols how many it has, one after the other
 * @param minGapNs shortest time between two messages of one symbol; 0 for none
 * @param maxBytes most that may wait
 * @param messageBytes of each message
 * @param lastValues the last message of every symbol, of the thread that calls the queue; a queue
 *     that sends last values needs no copies of its own
 * @param kept the session's share of what all sessions may keep together; a queue requests more
 *     from it before it grows
 */
public record QueueContext(
        int firstSymbol,
        int symbols,
        long minGapNs,
        long maxBytes,
        int messageBytes,
        LastValues lastValues,
        KeptMemory.Share kept) {}
