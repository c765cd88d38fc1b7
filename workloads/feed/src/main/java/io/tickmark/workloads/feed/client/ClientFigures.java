package io.tickmark.workloads.feed.client;

/**
 * What clients received.
 *
 * @param clients how many
 * @param received messages that were due in the measured time
 * @param lost numbered messages that no client received
 * @param duplicated messages that were received twice
 * @param receivedInAll all messages, including those before and after the measured time
 * @param frames all of them
 * @param bytes of all frames
 */
public record ClientFigures(
        int clients,
        long received,
        long lost,
        long duplicated,
        long receivedInAll,
        long frames,
        long bytes) {}
