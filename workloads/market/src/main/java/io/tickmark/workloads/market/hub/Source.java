package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.PostMsg;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Where items come from: a provider that is asked, a provider that publishes by itself, or the hub.
 */
interface Source {
    /** For lines to the user. */
    String name();

    /** Whether it can be asked for items; else what it has not published is not there. */
    boolean canBeAsked();

    /** Asks for an item, or for its image once more. */
    void request(HubItem item);

    /** Says that nobody watches an item any more. */
    void close(HubItem item);

    /** Passes a post on; false where the hub is to reflect it itself. */
    boolean post(HubItem item, PostMsg post);

    /** Passes a generic message on; false where there is nobody to hear it. */
    boolean generic(HubItem item, GenericMsg message);

    /** Whether a stream of that id was an item's and has been closed by the hub. */
    boolean hasClosed(int streamId);

    /** Its items by its stream ids. */
    Int2ObjectHashMap<HubItem> items();

    /** Its services, by the ids that it uses. */
    Map<Integer, HubService> services();
}
