package io.tickmark.workloads.market.source;

import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;

/**
 * Where the messages of one connection go, on whichever library. One thread. Back-pressure is an
 * answer, never a wait: what is not taken is offered again.
 */
public interface FeedSink {
    /**
     * Sends an image.
     *
     * @param item whose image it is
     * @param tracking its number is that of the item's last update
     * @return false where it must wait
     */
    boolean image(FedItem item, Tracking tracking);

    /**
     * Sends an update or a generic message, by the template's kind.
     *
     * @param item that it is of
     * @param template to send
     * @param tracking number and times
     * @return false where it must wait
     */
    boolean message(FedItem item, MessageTemplate template, Tracking tracking);

    /** Sends what has been gathered. */
    void flush();
}
