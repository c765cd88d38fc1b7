package io.tickmark.workloads.market.hub;

/** A consumer's stream of an item. */
final class Subscription {
    private final Consumer consumer;
    private final HubItem item;
    private final int streamId;
    private final boolean streaming;
    private boolean waiting = true;
    private boolean asked = true;

    Subscription(
            final Consumer consumer,
            final HubItem item,
            final int streamId,
            final boolean streaming) {
        this.consumer = consumer;
        this.item = item;
        this.streamId = streamId;
        this.streaming = streaming;
    }

    Consumer consumer() {
        return consumer;
    }

    HubItem item() {
        return item;
    }

    int streamId() {
        return streamId;
    }

    /** False for a snapshot. */
    boolean isStreaming() {
        return streaming;
    }

    /** Whether the image that was asked for is still to come; updates make no sense before it. */
    boolean isWaiting() {
        return waiting;
    }

    /** Whether its request has not been answered with any image, not even a placeholder. */
    boolean isAsked() {
        return asked;
    }

    /** The image has been asked for once more. */
    void ask() {
        waiting = true;
        asked = true;
    }

    /** The item has lost its provider: what comes of it next is an image, unasked. */
    void awaitImage() {
        waiting = true;
    }

    /** An image was sent: a placeholder, or the first parts of a whole, leave it waiting. */
    void answered(final boolean isWhole) {
        asked = false;
        waiting = !isWhole;
    }
}
