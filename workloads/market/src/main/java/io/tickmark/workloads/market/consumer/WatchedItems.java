package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.data.Item;
import java.util.List;

/**
 * The items of one connection and their states; its streams are numbered in the order of the list.
 * Single-threaded.
 */
final class WatchedItems {
    /** Streams below are those of login, directory and dictionaries. */
    static final int FIRST_STREAM = 16;

    /**
     * A source that has been gone for longer than this at the end is lost: it did not merely end a
     * moment before its consumers.
     */
    static final long GONE_NS = 3_000_000_000L;

    private final List<Item> items;
    private final boolean[] hasImage;
    private final boolean[] isClosed;
    private final boolean[] isSuspect;
    private final long[] suspectSinceNs;
    private final boolean[] isAnswered;

    private int images;
    private int closed;
    private int answered;
    private int suspects;
    private String closedWords = "";

    WatchedItems(final List<Item> items) {
        this.items = items;
        hasImage = new boolean[items.size()];
        isClosed = new boolean[items.size()];
        isSuspect = new boolean[items.size()];
        suspectSinceNs = new long[items.size()];
        isAnswered = new boolean[items.size()];
    }

    int size() {
        return items.size();
    }

    Item get(final int index) {
        return items.get(index);
    }

    /** Index of an item by its stream, -1 where the stream is not one of ours. */
    int index(final int streamId) {
        final int index = streamId - FIRST_STREAM;
        return index >= 0 && index < hasImage.length ? index : -1;
    }

    static int stream(final int index) {
        return FIRST_STREAM + index;
    }

    /** An image that counts has arrived; false where there was already one. */
    boolean image(final int index) {
        if (hasImage[index]) {
            return false;
        }
        hasImage[index] = true;
        images++;
        return true;
    }

    /** A message arrived that shows the item's state: an image or a part of it, or a state. */
    void answer(final int index) {
        if (!isAnswered[index]) {
            isAnswered[index] = true;
            answered++;
        }
    }

    boolean isAnswered(final int index) {
        return isAnswered[index];
    }

    /** The number of items for which a message was received. */
    int answered() {
        return answered;
    }

    /** The provider closed the item's stream. */
    void close(final int index, final String words) {
        answer(index);
        if (!isClosed[index]) {
            isClosed[index] = true;
            closed++;
            closedWords = items.get(index).name() + ": " + words;
            recover(index);
        }
    }

    /** An item that had its image becomes suspect; false where it was suspect already. */
    boolean suspect(final int index, final long nowNs) {
        if (!isOpen(index) || isSuspect[index]) {
            return false;
        }
        isSuspect[index] = true;
        suspects++;
        suspectSinceNs[index] = nowNs;
        return true;
    }

    /** Items that are suspect and have been for so long that their source is gone. */
    int gone(final long nowNs) {
        int gone = 0;
        for (int index = 0; suspects > 0 && index < isSuspect.length; index++) {
            gone += isSuspect[index] && nowNs - suspectSinceNs[index] > GONE_NS ? 1 : 0;
        }
        return gone;
    }

    /** A good image has arrived; true where the item was suspect. */
    boolean recover(final int index) {
        final boolean was = isSuspect[index];
        isSuspect[index] = false;
        suspects -= was ? 1 : 0;
        return was;
    }

    boolean isOpen(final int index) {
        return hasImage[index] && !isClosed[index];
    }

    boolean isComplete() {
        return images == hasImage.length;
    }

    int images() {
        return images;
    }

    int closed() {
        return closed;
    }

    /** The last item that was closed, and the provider's text. */
    String closedWords() {
        return closedWords;
    }

    /** Forgets images and closes, for requesting all again. */
    void restart() {
        java.util.Arrays.fill(hasImage, false);
        java.util.Arrays.fill(isClosed, false);
        java.util.Arrays.fill(isSuspect, false);
        java.util.Arrays.fill(isAnswered, false);
        answered = 0;
        images = 0;
        closed = 0;
        suspects = 0;
    }
}
