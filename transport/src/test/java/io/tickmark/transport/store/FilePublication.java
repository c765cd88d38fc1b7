package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Appends to a topic's log; stable after so many messages, or when there is nothing to send. */
final class FilePublication implements DurablePublication {
    /** Number of messages stored before the refusal of an earlier one is reported. */
    private static final int BEHIND_REFUSED = 5;

    private final FileStore store;
    private final ChannelUri channel;
    private final Topic topic;
    private final int life;
    private long next;
    private long refusedOrdinal = Long.MAX_VALUE;
    private String failure = "";
    private boolean closed;

    FilePublication(final FileStore store, final ChannelUri channel, final Topic topic) {
        this.store = store;
        this.channel = channel;
        this.topic = topic;
        life = store.life();
        next = store.log(topic).map(FileLog::nextOrdinal).orElse(0L);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        final Optional<FileLog> log = store.log(topic);
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (closed || !failure.isEmpty()) {
            return CLOSED;
        }
        if (length > LogSegment.MAX_MESSAGE_BYTES) {
            return TOO_LONG;
        }
        if (log.get().flightSize() >= store.parameters().maxFlight()) {
            return BACK_PRESSURED;
        }
        if (isHeld()) {
            return BACK_PRESSURED;
        }
        if (next == store.parameters().refused()) {
            refusedOrdinal = next;
            return next++;
        }
        if (store.parameters().full() >= 0 && next >= store.parameters().full()) {
            refusedOrdinal = next;
            failure = "message %d was refused: there is no room".formatted(next);
            return next++;
        }
        final boolean isPastRefused = next > refusedOrdinal;
        if (log.get().nextOrdinal() != next - (isPastRefused ? 1 : 0)) {
            failure = "another program writes to this log";
            return CLOSED;
        }
        final byte[] message = new byte[length];
        buffer.getBytes(offset, message);
        log.get().append(message);
        if (log.get().flightSize() >= store.parameters().syncEvery()) {
            log.get().sync();
        }
        if (isPastRefused && next - refusedOrdinal == BEHIND_REFUSED) {
            failure = "message %d was refused".formatted(refusedOrdinal);
        }
        return next++;
    }

    private boolean isHeld() {
        final long from = store.parameters().holdFrom();
        return from >= 0 && next >= from && store.life() == 1;
    }

    @Override
    public long nextOrdinal() {
        return next;
    }

    @Override
    public long stablePosition() {
        return Math.min(
                refusedOrdinal - 1,
                store.log(topic).map(FileLog::stablePosition).orElse(NONE_STABLE));
    }

    @Override
    public boolean isLost() {
        final boolean isRefused = refusedOrdinal != Long.MAX_VALUE && !failure.isEmpty();
        return isRefused || store.log(topic).isEmpty() || store.life() != life;
    }

    @Override
    public String failure() {
        return failure;
    }

    @Override
    public String trouble() {
        return failure;
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
