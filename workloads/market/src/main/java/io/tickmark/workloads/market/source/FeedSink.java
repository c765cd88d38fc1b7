package io.tickmark.workloads.market.source;

import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;

/**
 * The destination of the messages of one connection, on either library. Single-threaded.
 * Back-pressure is a return value, never a wait: refused messages are offered again.
 */
public interface FeedSink {
    /**
     * Sends an image.
     *
     * @param item whose image it is
     * @param tracking its number is that of the item's last update
     * @return false where it must wait
     */
    boolean image(SentItem item, Tracking tracking);

    /**
     * Sends an update or a generic message, by the template's kind.
     *
     * @param item that it is of
     * @param template to send
     * @param tracking number and times
     * @return false where it must wait
     */
    boolean message(SentItem item, MessageTemplate template, Tracking tracking);

    /** Sends what has been gathered. */
    void flush();
}
