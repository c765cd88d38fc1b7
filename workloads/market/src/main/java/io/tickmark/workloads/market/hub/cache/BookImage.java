package io.tickmark.workloads.market.hub.cache;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** The last state of an order book: the fields of each entry, by key, and of the summary. */
final class BookImage implements ItemImage {
    private final int keyType;
    private final FieldImage summary;
    private final Map<ByteBuffer, FieldImage> rows = new LinkedHashMap<>();

    BookImage(final int keyType, final FieldImage summary) {
        this.keyType = keyType;
        this.summary = summary;
    }

    int keyType() {
        return keyType;
    }

    FieldImage summary() {
        return summary;
    }

    /** Entries by their encoded keys, in the order of arrival. */
    Map<ByteBuffer, FieldImage> rows() {
        return rows;
    }

    @Override
    public int maxBytes() {
        int bytes = 32 + summary.maxBytes();
        for (final Map.Entry<ByteBuffer, FieldImage> row : rows.entrySet()) {
            bytes += 16 + row.getKey().capacity() + row.getValue().maxBytes();
        }
        return bytes;
    }
}
