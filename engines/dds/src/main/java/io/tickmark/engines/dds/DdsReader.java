package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** A reader of one topic with its subscriber, listener and waitset; closing it deletes them. */
final class DdsReader implements AutoCloseable {
    private final DdsChannel channel;
    private final String topic;
    private final Domains.Lease lease;
    private final Arena arena = Arena.ofShared();
    private final Matches matches = new Matches();
    private final Undo undo = new Undo();
    private final MemorySegment lostStatus = arena.allocate(JAVA_INT, 2);
    private final int entity;
    private final long undecodableBefore;
    private int waitset;
    private long lost;

    /**
     * Opens it.
     *
     * @param onData called on a thread of the library when samples came; null to be polled
     */
    DdsReader(
            final DdsChannel channel,
            final Domains.Lease lease,
            final String topic,
            final Runnable onData) {
        this.channel = channel;
        this.topic = topic;
        this.lease = lease;
        undecodableBefore = LogNotes.undecodable(topic);
        undo.add(lease);
        undo.add(arena);
        try {
            entity = open(onData);
        } catch (final RuntimeException e) {
            undo.close();
            throw e;
        }
    }

    private int open(final Runnable onData) {
        try (Arena names = Arena.ofConfined();
                Qos ofGroup = Qos.ofGroup(channel, names);
                Qos ofEnd = Qos.ofEnd(channel);
                Listener listener = new Listener(arena)) {
            listener.onWriters(matches::count).onIncompatible(false, matches::incompatible);
            if (onData != null) {
                listener.onData(onData);
            }
            final int created =
                    undo.entity(
                            channel,
                            "topic " + topic,
                            Cyclone.createTopic(
                                    lease.participant(),
                                    TopicType.DESCRIPTOR,
                                    names.allocateFrom(topic),
                                    MemorySegment.NULL)); // each end has its own policies
            final int subscriber =
                    undo.entity(
                            channel,
                            "a subscriber",
                            Cyclone.createSubscriber(lease.participant(), ofGroup.segment()));
            return undo.entity(
                    channel,
                    "a reader of " + topic,
                    Cyclone.createReader(subscriber, created, ofEnd.segment(), listener.segment()));
        }
    }

    int entity() {
        return entity;
    }

    Matches matches() {
        return matches;
    }

    /** Waits until there are samples or the time is over, on a DDS waitset. */
    void await(final long timeoutNs) {
        if (waitset == 0) {
            waitset =
                    undo.entity(
                            channel,
                            "a waitset",
                            Cyclone.createWaitset(lease.participant(), entity));
        }
        Cyclone.waitsetWait(waitset, timeoutNs);
    }

    /** Samples that the library knows to be lost on their way. */
    long lost() {
        if (Cyclone.sampleLostStatus(entity, lostStatus) == Cyclone.OK) {
            lost = Integer.toUnsignedLong(lostStatus.get(JAVA_INT, 0));
        }
        return lost;
    }

    /** Samples of foreign writers that were no messages of ours, and dropped by the library. */
    long undecodable() {
        return LogNotes.undecodable(topic) - undecodableBefore;
    }

    /** Writers on this topic. */
    Discovered writers() {
        return Discovered.writers(lease.participant(), channel, topic);
    }

    /** Name of the policy because of which a writer did not match; empty for none. */
    String incompatible() {
        return matches.incompatible().isEmpty() ? "" : writers().incompatible(matches);
    }

    void addFacts(final Map<String, Object> facts) {
        facts.put("sharedMemory", Cyclone.isSharedMemoryAvailable(entity));
        facts.put("undecodable", undecodable());
        writers().addFacts(matches, facts);
    }

    @Override
    public void close() {
        undo.close();
    }
}
