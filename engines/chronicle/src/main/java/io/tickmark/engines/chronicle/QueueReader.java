package io.tickmark.engines.chronicle;

import io.tickmark.transport.MessageHandler;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a queue, message by message, in place. Single-threaded; allocates nothing. */
final class QueueReader implements AutoCloseable {
    private static final int VIEW_BYTES = 64 << 20;

    private final ChronicleQueue queue;
    private final ExcerptTailer tailer;
    private final UnsafeBuffer window = new UnsafeBuffer(0, 0);
    private ByteBuffer view = ByteBuffer.allocateDirect(0);
    private long viewAddress;
    private long ordinal = -1;
    private boolean isClosed;

    private QueueReader(final QueueAddress address, final Path folder) {
        queue = Queues.open(address, folder);
        tailer = queue.createTailer();
        tailer.singleThreadedCheckDisabled(true);
    }

    /** Reads from the first message on. */
    static QueueReader fromStart(final QueueAddress address, final Path folder) {
        return new QueueReader(address, folder);
    }

    /** Reads what is written from now on. */
    static QueueReader fromEnd(final QueueAddress address, final Path folder) {
        final QueueReader reader = new QueueReader(address, folder);
        reader.tailer.toEnd();
        return reader;
    }

    /** Moves to a message; false where it does not exist yet, and reading begins with the first. */
    boolean moveTo(final long wanted) {
        final boolean isThere = tailer.moveToIndex(wanted);
        if (!isThere) {
            tailer.toStart();
        }
        return isThere;
    }

    /** Ordinal of the last delivered message; -1 before the first. */
    long ordinal() {
        return ordinal;
    }

    /** Delivers the available messages. */
    int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && !isClosed && next(handler)) {
            handed++;
        }
        return handed;
    }

    private boolean next(final MessageHandler handler) {
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                return false;
            }
            final Bytes<?> bytes = document.wire().bytes();
            final int length = (int) bytes.readRemaining();
            ordinal = document.index();
            wrap(bytes.addressForRead(bytes.readPosition()), length);
            handler.onMessage(window, 0, length);
            return true;
        }
    }

    /**
     * Wraps a message in a byte buffer, as checksums need one, which is recreated where a message
     * is beyond it: once for each mapped part of the file.
     */
    @SuppressWarnings("restricted") // the library maps the file, and only knows addresses
    private void wrap(final long address, final int length) {
        if (address < viewAddress || address + length > viewAddress + view.capacity()) {
            viewAddress = address;
            view =
                    MemorySegment.ofAddress(address)
                            .reinterpret(Math.max(length, VIEW_BYTES))
                            .asByteBuffer();
        }
        window.wrap(view, (int) (address - viewAddress), length);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            queue.close();
        }
    }
}
