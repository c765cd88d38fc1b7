package io.tickmark.workloads.market.hub;

import io.tickmark.workloads.market.data.FieldView;

/** A consumer's stream of an item. */
final class ItemSubscription {
    private final HubConsumer consumer;
    private final HubItem item;
    private final int streamId;
    private final boolean streaming;
    private FieldView view;
    private boolean waiting = true;
    private boolean asked = true;
    private boolean silent;

    ItemSubscription(
            final HubConsumer consumer,
            final HubItem item,
            final int streamId,
            final boolean streaming,
            final FieldView view) {
        this.view = view;
        silent = consumer.isStandby(item.service());
        this.consumer = consumer;
        this.item = item;
        this.streamId = streamId;
        this.streaming = streaming;
    }

    HubConsumer consumer() {
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

    /** Whether the requested image has not arrived yet; updates are meaningless before it. */
    boolean isWaiting() {
        return waiting;
    }

    /** Whether its request has not been answered with any image, not even a placeholder. */
    boolean isRequested() {
        return asked;
    }

    /** The fields that the consumer requested; null for all. */
    FieldView view() {
        return view;
    }

    void view(final FieldView newView) {
        view = newView;
    }

    /**
     * Whether the hub is the consumer's standby for the item: images go out without content, and
     * updates not at all.
     */
    boolean isSilent() {
        return silent;
    }

    void silent(final boolean isStandby) {
        silent = isStandby;
    }

    /** The image was requested again. */
    void ask() {
        waiting = true;
        asked = true;
    }

    /** The item has lost its provider: the next message is an unsolicited image. */
    void awaitImage() {
        waiting = true;
    }

    /** An image was sent: a placeholder, or the first parts of a whole, leave it waiting. */
    void answered(final boolean isWhole) {
        asked = false;
        waiting = !isWhole;
    }
}
