package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.Guarantees;
import java.util.Map;
import java.util.TreeMap;

/** What a stream promises, in the words of all stores. */
final class StoredFacts {
    private StoredFacts() {}

    static Map<String, Object> of(final NatsChannel channel, final Connection connection) {
        final Map<String, Object> facts = new TreeMap<>(NatsFacts.of(channel, connection));
        facts.putAll(guarantees(channel).facts());
        facts.put("dedup", channel.parameters().dedup());
        return facts;
    }

    static Guarantees guarantees(final NatsChannel channel) {
        final JetStreamParameters parameters = channel.parameters();
        final int copies = parameters.replicas();
        final int quorum = copies / 2 + 1;
        return new Guarantees(
                durability(parameters),
                copies,
                quorum,
                copies == 1
                        ? "the server has stored it"
                        : "the leader, when %d of %d have it in their logs"
                                .formatted(quorum, copies),
                synced(parameters),
                "none: each message is acknowledged by itself",
                "none",
                parameters.deletion());
    }

    private static Durability durability(final JetStreamParameters parameters) {
        final boolean always = parameters.sync() == Sync.ALWAYS;
        if (parameters.storage() == Storage.MEMORY) {
            return Durability.D0;
        }
        if (parameters.replicas() > 1) {
            return always ? Durability.D4 : Durability.D3;
        }
        return always ? Durability.D2 : Durability.D1;
    }

    private static String synced(final JetStreamParameters parameters) {
        if (parameters.storage() == Storage.MEMORY) {
            return "never";
        }
        if (parameters.sync() == Sync.ALWAYS) {
            return "before the acknowledgement";
        }
        return parameters.syncInterval().isZero()
                ? "in the background, at the server's interval (2.9: 60 s, since 2.10: 2 min)"
                : "in the background, every " + parameters.syncInterval().toMillis() + " ms";
    }
}
