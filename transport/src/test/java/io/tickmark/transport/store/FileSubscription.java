package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads what is stable. */
final class FileSubscription implements DurableSubscription {
    private final FileStore store;
    private final ChannelUri channel;
    private final Topic topic;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final boolean isFirst;
    private long next;
    private long ordinal = -1;
    private boolean closed;
    private long refused;
    private long disturbedNs;

    FileSubscription(
            final FileStore store,
            final ChannelUri channel,
            final Topic topic,
            final long fromOrdinal) {
        this.store = store;
        this.channel = channel;
        this.topic = topic;
        this.next = fromOrdinal;
        isFirst = fromOrdinal == 0;
        store.enter(topic);
    }

    private boolean isDisturbed() {
        final long after = store.parameters().disturbedAfter();
        if (!isFirst || after < 0 || ordinal < after) {
            return false;
        }
        final long forMs = store.parameters().disturbedMs();
        final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
        if (disturbedNs == 0) {
            disturbedNs = nowNs;
        }
        return forMs < 0 || nowNs - disturbedNs < TimeUnit.MILLISECONDS.toNanos(forMs);
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && !closed && !isDisturbed()) {
            final Optional<Map.Entry<Long, byte[]>> found =
                    store.log(topic).flatMap(log -> log.from(next));
            if (found.isEmpty()) {
                break;
            }
            ordinal = found.get().getKey();
            next = ordinal + 1;
            handed++;
            buffer.wrap(found.get().getValue());
            handler.onMessage(buffer, 0, buffer.capacity());
        }
        return handed;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        store.log(topic).ifPresent(log -> log.acknowledge(upTo));
    }

    /** Only now it turns out whether some were refused. */
    @Override
    public void settleAcknowledgements() {
        refused = store.parameters().refusedAcknowledgements();
    }

    @Override
    public Optional<String> engineErrors() {
        return refused == 0
                ? Optional.empty()
                : Optional.of("%d acknowledgements were refused.".formatted(refused));
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of("acknowledgementsRefused", refused);
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("acknowledgementsRefused");
    }

    @Override
    public boolean isConnected() {
        return !closed && !isDisturbed() && store.log(topic).isPresent();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public void close() {
        if (!closed) {
            settleAcknowledgements();
            closed = true;
            store.leave(topic);
        }
    }
}
