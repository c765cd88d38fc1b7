package io.tickmark.engines.dds;

import java.lang.foreign.Arena;
import java.util.Map;

/** A writer of one topic with its publisher and listener; closing it deletes them. */
final class Writer implements AutoCloseable {
    private final DdsChannel channel;
    private final Domains.Lease lease;
    private final String topic;
    private final Arena arena = Arena.ofShared();
    private final Matches matches = new Matches();
    private final Undo undo = new Undo();
    private final int entity;

    Writer(final DdsChannel channel, final Domains.Lease lease, final String topic) {
        this.channel = channel;
        this.lease = lease;
        this.topic = topic;
        undo.add(lease);
        undo.add(arena);
        try {
            entity = open();
        } catch (final RuntimeException e) {
            undo.close();
            throw e;
        }
    }

    private int open() {
        try (Arena names = Arena.ofConfined();
                Qos ofGroup = Qos.ofGroup(channel, names);
                Qos ofEnd = Qos.ofEnd(channel);
                Listener listener = new Listener(arena)) {
            listener.onReaders(matches::count).onIncompatible(true, matches::incompatible);
            final int created = undo.topic(channel, lease, topic);
            final int publisher =
                    undo.entity(
                            channel,
                            "a publisher",
                            Cyclone.createPublisher(lease.participant(), ofGroup.segment()));
            return undo.entity(
                    channel,
                    "a writer of " + topic,
                    Cyclone.createWriter(publisher, created, ofEnd.segment(), listener.segment()));
        }
    }

    int entity() {
        return entity;
    }

    Matches matches() {
        return matches;
    }

    /** Readers on this topic. */
    Discovered readers() {
        return Discovered.readers(lease.participant(), channel, topic);
    }

    /** Name of the policy because of which a reader did not match; empty for none. */
    String incompatible() {
        return matches.incompatible().isEmpty() ? "" : readers().incompatible(matches);
    }

    void addFacts(final Map<String, Object> facts) {
        facts.put("sharedMemory", Cyclone.isSharedMemoryAvailable(entity));
        readers().addFacts(matches, facts);
    }

    @Override
    public void close() {
        undo.close();
    }
}
