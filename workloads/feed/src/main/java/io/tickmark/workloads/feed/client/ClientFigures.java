package io.tickmark.workloads.feed.client;

/**
 * What clients received.
 *
 * @param clients how many
 * @param received messages that were wanted in the measured time
 * @param lost messages that the server numbered and no client saw
 * @param duplicated messages that came twice
 * @param receivedInAll messages, before and after the measured time included
 * @param frames in all
 * @param bytes of frames in all
 */
public record ClientFigures(
        int clients,
        long received,
        long lost,
        long duplicated,
        long receivedInAll,
        long frames,
        long bytes) {}
