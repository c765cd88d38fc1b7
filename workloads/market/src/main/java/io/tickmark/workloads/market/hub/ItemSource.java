package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.PostMsg;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;

/** The origin of items: an interactive provider, a non-interactive provider, or the hub. */
interface ItemSource {
    /** For lines to the user. */
    String name();

    /** Whether items can be requested from it; otherwise only published items exist. */
    boolean acceptsRequests();

    /** Requests an item, or its image again. */
    void request(HubItem item);

    /** Notifies that an item is no longer watched. */
    void close(HubItem item);

    /** Passes a post on; false where the hub, whose cache is the item, is to reflect it itself. */
    default boolean post(final HubItem item, final PostMsg post) {
        return false;
    }

    /** Passes a generic message on; false where there is no receiver. */
    default boolean generic(final HubItem item, final GenericMsg message) {
        return false;
    }

    /** Whether a stream of that id was an item's and has been closed by the hub. */
    default boolean hasClosed(final int streamId) {
        return false;
    }

    /** Its items by its stream ids. */
    Int2ObjectHashMap<HubItem> items();

    /** Its services, by the ids that it uses. */
    Map<Integer, HubService> services();

    /**
     * A source that nobody asks: a non-interactive provider, which has connected and publishes any
     * items, or the hub itself. Single-threaded.
     */
    class UnsolicitedSource implements ItemSource {
        private final String name;
        private final Int2ObjectHashMap<HubItem> items = new Int2ObjectHashMap<>();
        private final Map<Integer, HubService> services = new HashMap<>();

        UnsolicitedSource(final String name) {
            this.name = name;
        }

        @Override
        public final String name() {
            return name;
        }

        @Override
        public final boolean acceptsRequests() {
            return false;
        }

        @Override
        public final void request(final HubItem item) {
            throw new IllegalStateException(name + " is not asked for items");
        }

        @Override
        public final void close(final HubItem item) {
            throw new IllegalStateException(name + " keeps its items without being asked");
        }

        @Override
        public final Int2ObjectHashMap<HubItem> items() {
            return items;
        }

        @Override
        public final Map<Integer, HubService> services() {
            return services;
        }
    }
}
