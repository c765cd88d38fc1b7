package io.tickmark.engines.chronicle;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Publication;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Writes messages unchanged to a queue. Single-threaded; allocates nothing. */
final class ChroniclePublication implements Publication {
    private final QueueAddress address;
    private final QueueWriter writer;
    private final Runnable whenClosed;
    private final EngineErrors errors =
            new EngineErrors(
                    "Chronicle Queue refused a message: %s.",
                    "Chronicle Queue refused messages %d times, first: %s.");
    private boolean isClosed;

    ChroniclePublication(
            final QueueAddress address, final QueueWriter writer, final Runnable whenClosed) {
        this.address = address;
        this.writer = writer;
        this.whenClosed = whenClosed;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (isClosed) {
            return CLOSED;
        }
        if (length > QueueWriter.MAX_PAYLOAD_BYTES) {
            return TOO_LONG;
        }
        final long ordinal = writer.append(buffer, offset, length);
        if (ordinal == QueueWriter.NO_ROOM) {
            errors.add(writer.whyNoRoom());
            return BACK_PRESSURED;
        }
        return ordinal + 1;
    }

    /** The readers of a queue are unknown. */
    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return address.channel();
    }

    @Override
    public Optional<String> engineErrors() {
        return errors.sentence();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            writer.close();
            whenClosed.run();
        }
    }
}
