package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.UpdateMsg;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import java.nio.ByteBuffer;

/**
 * Updates that consumers have received and that are not in the cached images yet: merging field by
 * field takes longer than forwarding, and consumers must not wait for it. Code that reads or
 * replaces an image first merges the rest. Single-threaded; allocates nothing after construction.
 */
final class PendingMerges {
    private static final int MOST_BYTES = 1 << 21;
    private static final int MOST = 1 << 13;

    private final ImageCodec images;
    private final HubCounts counts;
    private final Buffer body = CodecFactory.createBuffer();
    private final ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
    private final HubItem[] items = new HubItem[MOST];
    private final int[] lengths = new int[MOST];
    private final int[] versions = new int[MOST];
    private final byte[] containers = new byte[MOST];
    private int first;
    private int firstByte;
    private int end;

    PendingMerges(final ImageCodec images, final HubCounts counts) {
        this.images = images;
        this.counts = counts;
    }

    /** Keeps the content of an update for later, or merges it where there is no room. */
    void add(final HubItem item, final UpdateMsg update, final int major, final int minor) {
        final Buffer content = update.encodedDataBody();
        final int length = content == null || content.data() == null ? 0 : content.length();
        if (length == 0) {
            return;
        }
        if (end == MOST || bytes.remaining() < length) {
            drain();
        }
        if (length > MOST_BYTES) {
            merge(item, update.containerType(), content, major, minor);
            return;
        }
        items[end] = item;
        lengths[end] = length;
        versions[end] = major << Short.SIZE | minor;
        containers[end] = (byte) update.containerType();
        bytes.put(bytes.position(), content.data(), content.position(), length);
        bytes.position(bytes.position() + length);
        end++;
    }

    boolean isEmpty() {
        return end == 0;
    }

    /** Merges all of them. */
    void drain() {
        drain(MOST);
    }

    /** Merges the oldest of them, up to a limit. */
    void drain(final int most) {
        final int until = Math.min(end, first + most);
        for (; first < until; first++) {
            final HubItem item = items[first];
            items[first] = null;
            if (item.image() != null) { // otherwise it was removed meanwhile
                body.data(bytes, firstByte, lengths[first]);
                final int version = versions[first];
                merge(item, containers[first] & 0xff, body, version >> Short.SIZE, version & 0xff);
            }
            firstByte += lengths[first];
        }
        if (first == end) {
            first = 0;
            end = 0;
            firstByte = 0;
            bytes.clear();
        }
    }

    private void merge(
            final HubItem item,
            final int container,
            final Buffer content,
            final int major,
            final int minor) {
        if (!images.merge(item.image(), container, content, major, minor)) {
            counts.dropped(Traffic::imagesDropped, () -> item + ": " + images.failure());
            item.image(null); // requests from now on are sent to the source
            counts.traffic().items().add(-1);
        }
    }
}
