package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.PostMsg;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;

/** A non-interactive provider: it has connected and publishes what it likes. */
final class Publisher implements Source {
    private final String name;
    private final Int2ObjectHashMap<HubItem> items = new Int2ObjectHashMap<>();
    private final Map<Integer, HubService> services = new HashMap<>();

    Publisher(final String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean canBeAsked() {
        return false;
    }

    @Override
    public void request(final HubItem item) {
        throw new IllegalStateException("a publisher is not asked");
    }

    @Override
    public void close(final HubItem item) {
        throw new IllegalStateException("a publisher goes on publishing");
    }

    @Override
    public boolean post(final HubItem item, final PostMsg post) {
        return false; // it does not listen: the hub's cache is the item
    }

    @Override
    public boolean generic(final HubItem item, final GenericMsg message) {
        return false;
    }

    @Override
    public boolean hasClosed(final int streamId) {
        return false;
    }

    @Override
    public Int2ObjectHashMap<HubItem> items() {
        return items;
    }

    @Override
    public Map<Integer, HubService> services() {
        return services;
    }
}
