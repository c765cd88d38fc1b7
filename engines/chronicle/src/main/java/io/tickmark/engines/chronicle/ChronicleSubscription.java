package io.tickmark.engines.chronicle;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;

/** Reads messages unchanged from a queue. Single-threaded; allocates nothing. */
final class ChronicleSubscription implements Subscription {
    private final QueueAddress address;
    private final QueueReader reader;

    ChronicleSubscription(final QueueAddress address, final QueueReader reader) {
        this.address = address;
        this.reader = reader;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        return reader.poll(handler, limit);
    }

    /** The writer of a queue is unknown. */
    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public ChannelUri channel() {
        return address.channel();
    }

    @Override
    public void close() {
        reader.close();
    }
}
