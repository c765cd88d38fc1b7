package io.tickmark.workloads.market.hub.cache;

import io.tickmark.workloads.market.hub.cache.ImageCodec.BookImage;

/** The last image of an item; made, merged and encoded by {@link ImageCodec}. Single-threaded. */
public sealed interface ItemImage permits FieldImage, BookImage {
    /**
     * Bytes that its content takes when it is encoded.
     *
     * @return an upper bound
     */
    int maxBytes();
}
