package io.tickmark.workloads.market.publisher;

/**
 * What one connection of a publisher did in one interval.
 *
 * @param thread number from 1
 * @param endNs end of the interval
 * @param lengthNs of the interval
 * @param images sent
 * @param updates sent
 * @param allImages sent up to its end
 */
record PublisherRow(
        int thread, long endNs, long lengthNs, long images, long updates, long allImages) {}
