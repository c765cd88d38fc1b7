package io.tickmark.engines.dds;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.CloseHelper;

/** Opened resources, to be closed in the reverse order; idempotent. */
final class Undo implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    void add(final AutoCloseable closeable) {
        opened.push(closeable);
    }

    /** An entity that the library just created, or refused to. */
    int entity(final DdsChannel channel, final String what, final int created) {
        if (created < 0) {
            throw Refusal.of(channel, what + " cannot be created", created);
        }
        add(() -> Cyclone.delete(created));
        return created;
    }

    /** The topic of one end: each end has its own, as each has its own policies. */
    int topic(final DdsChannel channel, final Domains.Lease lease, final String topic) {
        try (Arena name = Arena.ofConfined()) {
            return entity(
                    channel,
                    "topic " + topic,
                    Cyclone.createTopic(
                            lease.participant(),
                            TopicType.DESCRIPTOR,
                            name.allocateFrom(topic),
                            MemorySegment.NULL));
        }
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            CloseHelper.quietClose(opened.pop());
        }
    }
}
