package io.tickmark.engines.chronicle;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Reads the queue of a store; a message with a wrong checksum is skipped and counted.
 * Single-threaded; allocates nothing where none is.
 */
final class StoreSubscription implements DurableSubscription, MessageHandler {
    private final QueueAddress address;
    private final LivenessMark mark;
    private final long life;
    private final QueueReader reader;
    private final PayloadChecksum checksum = new PayloadChecksum();
    private final long fromOrdinal;
    private MessageHandler handler;
    private long ordinal = -1;
    private long handed;
    private final EngineErrors damaged =
            new EngineErrors(
                    "A message of the queue was left out: %s.",
                    "%d messages of the queue were left out, the first: %s.");
    private boolean isClosed;

    /** Owns the mark and the reader. */
    StoreSubscription(
            final QueueAddress address,
            final LivenessMark mark,
            final long life,
            final QueueReader reader,
            final long fromOrdinal) {
        this.address = address;
        this.mark = mark;
        this.life = life;
        this.reader = reader;
        this.fromOrdinal = fromOrdinal;
        reader.moveTo(fromOrdinal);
    }

    @Override
    public int poll(final MessageHandler wanted, final int limit) {
        handler = wanted;
        handed = 0;
        return isClosed || reader.poll(this, limit) == 0 ? 0 : (int) handed;
    }

    @Override
    public void onMessage(final DirectBuffer document, final int offset, final int length) {
        if (reader.ordinal() < fromOrdinal) {
            return;
        }
        if (!checksum.isWhole(document, length)) {
            damaged.add("the checksum of message %d is wrong".formatted(reader.ordinal()));
            return;
        }
        ordinal = reader.ordinal();
        handed++;
        handler.onMessage(
                document, PayloadChecksum.CHECKSUM_BYTES, length - PayloadChecksum.CHECKSUM_BYTES);
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    /** All messages are kept. */
    @Override
    public void acknowledge(final long upTo) {}

    @Override
    public boolean isConnected() {
        return !isClosed && mark.isStill(life);
    }

    @Override
    public long lost() {
        return damaged.count();
    }

    @Override
    public Map<String, Object> facts() {
        return Map.of("damagedMessages", damaged.count());
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("damagedMessages");
    }

    @Override
    public Optional<String> engineErrors() {
        return damaged.sentence();
    }

    @Override
    public ChannelUri channel() {
        return address.channel();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            CloseHelper.closeAll(reader, mark);
        }
    }
}
