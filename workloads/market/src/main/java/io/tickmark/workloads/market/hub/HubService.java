package io.tickmark.workloads.market.hub;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A service: its providers and the items of it that the hub knows. */
final class HubService {
    private final String name;
    private final int id;
    private final List<ItemSource> sources = new ArrayList<>();
    private final Set<ItemSource> refusing = new HashSet<>();
    private final TreeSet<Long> domains = new TreeSet<>();
    private final Map<Integer, Map<String, HubItem>> items = new HashMap<>();
    private int nextSource;

    HubService(final String name, final int id) {
        this.name = name;
        this.id = id;
    }

    String name() {
        return name;
    }

    /** The id that consumers know it by. */
    int id() {
        return id;
    }

    /** Those that provide it at the moment. */
    List<ItemSource> sources() {
        return sources;
    }

    boolean isUp() {
        return !sources.isEmpty();
    }

    /** Those of them that continue open items, and accept no new requests. */
    Set<ItemSource> refusing() {
        return refusing;
    }

    /** Whether any of them accepts new requests. */
    boolean acceptsRequests() {
        return refusing.size() < sources.size();
    }

    /** Kinds of items it has. */
    TreeSet<Long> domains() {
        return domains;
    }

    /** A source that accepts requests, each in its turn; null where there is none. */
    ItemSource toAsk() {
        for (int tried = 0; tried < sources.size(); tried++) {
            nextSource = (nextSource + 1) % sources.size();
            final ItemSource source = sources.get(nextSource);
            if (source.acceptsRequests() && !refusing.contains(source)) {
                return source;
            }
        }
        return null;
    }

    /** An item, null where it was not named yet. */
    HubItem find(final int domainType, final String itemName) {
        final Map<String, HubItem> ofDomain = items.get(domainType);
        return ofDomain == null ? null : ofDomain.get(itemName);
    }

    /** An item, created where it was not known. */
    HubItem item(final int domainType, final String itemName) {
        return items.computeIfAbsent(domainType, any -> new HashMap<>())
                .computeIfAbsent(itemName, any -> new HubItem(this, domainType, itemName));
    }

    void forget(final HubItem item) {
        final Map<String, HubItem> ofDomain = items.get(item.domainType());
        if (ofDomain != null) {
            ofDomain.remove(item.name(), item);
        }
    }

    /** All items, in a new list. */
    List<HubItem> all() {
        final List<HubItem> all = new ArrayList<>();
        items.values().forEach(ofDomain -> all.addAll(ofDomain.values()));
        return all;
    }
}
