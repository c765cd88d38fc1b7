package io.tickmark.workloads.fix.gateway;

/**
 * What one worker has counted so far; written by it, read by any thread now and then.
 *
 * @param received application messages of producers
 * @param unmarked of these, those that were only taken
 * @param sent copies that did
 * @param dropped copies left out for slow consumers
 * @param conflated copies overtaken by newer ones of their symbol
 * @param cut consumers cut off because they were slow
 * @param garbled messages that were none
 * @param missed messages that were missing and asked for again
 * @param rejected messages that were rejected
 * @param kept messages kept for consumers that were away
 * @param forgotten messages for them that only took a number
 */
record Traffic(
        long received,
        long unmarked,
        long sent,
        long dropped,
        long conflated,
        long cut,
        long garbled,
        long missed,
        long rejected,
        long kept,
        long forgotten) {
    static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    Traffic plus(final Traffic other) {
        return new Traffic(
                received + other.received,
                unmarked + other.unmarked,
                sent + other.sent,
                dropped + other.dropped,
                conflated + other.conflated,
                cut + other.cut,
                garbled + other.garbled,
                missed + other.missed,
                rejected + other.rejected,
                kept + other.kept,
                forgotten + other.forgotten);
    }
}
