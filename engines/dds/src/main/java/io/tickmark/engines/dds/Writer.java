package io.tickmark.engines.dds;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** A writer of one topic with its publisher and listener; closing it deletes them. */
final class Writer implements AutoCloseable {
    private final Domains.Lease lease;
    private final Arena arena = Arena.ofShared();
    private final Matches matches = new Matches();
    private final Undo undo = new Undo();
    private final int entity;

    Writer(final DdsChannel channel, final Domains.Lease lease, final String topic) {
        this.lease = lease;
        undo.add(lease);
        undo.add(arena);
        try {
            entity = open(channel, topic);
        } catch (final RuntimeException e) {
            undo.close();
            throw e;
        }
    }

    private int open(final DdsChannel channel, final String topicName) {
        try (Arena names = Arena.ofConfined();
                Qos ofGroup = Qos.ofGroup(channel, names);
                Qos ofEnd = Qos.ofEnd(channel);
                Listener listener = new Listener(arena)) {
            listener.onReaders(matches::count).onIncompatible(true, matches::incompatible);
            final int topic =
                    undo.entity(
                            channel,
                            "topic " + topicName,
                            Cyclone.createTopic(
                                    lease.participant(),
                                    TopicType.DESCRIPTOR,
                                    names.allocateFrom(topicName),
                                    MemorySegment.NULL)); // each end has its own policies
            final int publisher =
                    undo.entity(
                            channel,
                            "a publisher",
                            Cyclone.createPublisher(lease.participant(), ofGroup.segment()));
            return undo.entity(
                    channel,
                    "a writer of " + topicName,
                    Cyclone.createWriter(publisher, topic, ofEnd.segment(), listener.segment()));
        }
    }

    int entity() {
        return entity;
    }

    Matches matches() {
        return matches;
    }

    void addFacts(final Map<String, Object> facts) {
        facts.put("sharedMemory", Cyclone.isSharedMemoryAvailable(entity));
        if (!matches.incompatible().isEmpty()) {
            facts.put("incompatible", matches.incompatible());
        }
    }

    @Override
    public void close() {
        undo.close();
    }
}
