package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.PostMsg;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;

/** The origin of items: an interactive provider, a non-interactive provider, or the hub. */
interface Source {
    /** For lines to the user. */
    String name();

    /** Whether items can be requested from it; otherwise only published items exist. */
    boolean acceptsRequests();

    /** Requests an item, or its image again. */
    void request(HubItem item);

    /** Notifies that an item is no longer watched. */
    void close(HubItem item);

    /** Passes a post on; false where the hub is to reflect it itself. */
    boolean post(HubItem item, PostMsg post);

    /** Passes a generic message on; false where there is no receiver. */
    boolean generic(HubItem item, GenericMsg message);

    /** Whether a stream of that id was an item's and has been closed by the hub. */
    boolean hasClosed(int streamId);

    /** Its items by its stream ids. */
    Int2ObjectHashMap<HubItem> items();

    /** Its services, by the ids that it uses. */
    Map<Integer, HubService> services();
}
