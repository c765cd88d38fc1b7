package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Appends to a topic's log; stable after so many messages, or when there is nothing to send. */
final class FilePublication implements DurablePublication {
    private final FileStore store;
    private final ChannelUri channel;
    private final Topic topic;
    private final int life;
    private boolean closed;

    FilePublication(final FileStore store, final ChannelUri channel, final Topic topic) {
        this.store = store;
        this.channel = channel;
        this.topic = topic;
        life = store.life();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        final Optional<FileLog> log = store.log(topic);
        if (closed) {
            return CLOSED;
        }
        if (log.isEmpty() || store.life() != life) {
            return NOT_CONNECTED;
        }
        if (length > LogSegment.MAX_MESSAGE_BYTES) {
            return TOO_LONG;
        }
        if (log.get().flightSize() >= store.parameters().maxFlight()) {
            return BACK_PRESSURED;
        }
        final byte[] message = new byte[length];
        buffer.getBytes(offset, message);
        final long ordinal = log.get().append(message);
        if (log.get().flightSize() >= store.parameters().syncEvery()) {
            log.get().sync();
        }
        return ordinal;
    }

    @Override
    public long nextOrdinal() {
        return store.log(topic).map(FileLog::nextOrdinal).orElse(0L);
    }

    @Override
    public long stablePosition() {
        return store.log(topic).map(FileLog::stablePosition).orElse(NONE_STABLE);
    }

    @Override
    public boolean isLost() {
        return store.log(topic).isEmpty() || store.life() != life;
    }

    @Override
    public int doWork() {
        return closed ? 0 : store.log(topic).map(FileLog::sync).orElse(0);
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public void close() {
        closed = true;
    }
}
