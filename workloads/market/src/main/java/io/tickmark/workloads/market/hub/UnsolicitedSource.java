package io.tickmark.workloads.market.hub;

import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * A source that nobody asks: a non-interactive provider, which has connected and publishes any
 * items, or the hub itself. Single-threaded.
 */
class UnsolicitedSource implements Source {
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
