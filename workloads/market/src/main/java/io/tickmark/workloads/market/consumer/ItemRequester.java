package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.measure.TickBursts;

/**
 * Requests the items of one connection in bursts, in order; a request without a free buffer waits.
 */
final class ItemRequester {
    private static final int LOOKS = 4;

    private final WatchedItems items;
    private final TickBursts bursts;
    private final boolean snapshots;
    private final long[] requestedNs;
    private int next;
    private long nextLookNs;

    ItemRequester(final WatchedItems items, final TickBursts bursts, final boolean snapshots) {
        this.items = items;
        this.bursts = bursts;
        this.snapshots = snapshots;
        requestedNs = new long[items.size()];
    }

    void start(final long nowNs) {
        next = 0;
        nextLookNs = nowNs;
        bursts.start(nowNs);
    }

    boolean isDone() {
        return next == items.size();
    }

    long nextTickNs() {
        return isDone() ? Long.MAX_VALUE : bursts.nextTickNs();
    }

    /**
     * Sends one burst if it is due, to be flushed by the caller; returns how many requests were
     * sent. A late requester catches up burst by burst and reads in between: otherwise a library
     * whose cost per request grows with the pending ones would only request, and fall further and
     * further behind.
     */
    int send(final ConsumerApi api, final long nowNs) {
        int sent = 0;
        final long burstNs = bursts.isDue(nowNs) ? bursts.intendedNs() : 0;
        while (!isDone() && bursts.isDue(nowNs) && bursts.intendedNs() == burstNs) {
            if (!api.request(next, snapshots || items.get(next).snapshot())) {
                break;
            }
            bursts.sent(nowNs, false);
            requestedNs[next] = nowNs;
            next++;
            sent++;
        }
        return sent;
    }

    /**
     * Repeats requests that were not answered within the time-out, to be flushed by the caller;
     * returns for how many items. Checks only periodically, as there may be very many items.
     */
    int repeat(final ConsumerApi api, final long nowNs, final long timeoutNs) {
        if (timeoutNs == 0 || nowNs - nextLookNs < 0) {
            return 0;
        }
        nextLookNs = nowNs + timeoutNs / LOOKS;
        int repeated = 0;
        for (int index = 0; index < next; index++) {
            if (!items.isAnswered(index) && nowNs - requestedNs[index] >= timeoutNs) {
                if (!api.request(index, snapshots || items.get(index).snapshot())) {
                    break; // without an output buffer; the next look finds it again
                }
                requestedNs[index] = nowNs;
                repeated++;
            }
        }
        return repeated;
    }
}
