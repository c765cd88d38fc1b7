package io.tickmark.engines.dds;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages that a reliable writer had no room for when they were offered on the library's receive
 * thread: that one reads the acknowledgements that make room, so that waiting on it would last for
 * ever. The role's own thread sends them. Filled and emptied by one thread at a time, inspected by
 * any; only used where the network or the machine stalled, and therefore allowed to allocate.
 */
final class KeptMessages {
    /** For ends that do not answer from within a handler. */
    static final KeptMessages NONE = new KeptMessages(() -> false, (buffer, length) -> true);

    private static final int MOST = 1024;

    /** Writes a message; false where there is no room yet. */
    @FunctionalInterface
    interface Write {
        boolean write(DirectBuffer buffer, int length);
    }

    private final Deque<byte[]> messages = new ArrayDeque<>();
    private final BooleanSupplier isOnLibrarysThread;
    private final Write write;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private volatile boolean empty = true;

    KeptMessages(final BooleanSupplier isOnLibrarysThread, final Write write) {
        this.isOnLibrarysThread = isOnLibrarysThread;
        this.write = write;
    }

    boolean isEmpty() {
        return empty;
    }

    /**
     * Keeps a message that was refused, or that follows a refused one; false where it must not be
     * kept.
     */
    boolean keep(final DirectBuffer buffer, final int offset, final int length) {
        if (messages.size() >= MOST || !isOnLibrarysThread.getAsBoolean()) {
            return false;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        messages.addLast(copy);
        empty = false;
        return true;
    }

    /** Sends as many as there is room for, in their order. */
    void send() {
        while (!messages.isEmpty()) {
            final byte[] first = messages.getFirst();
            message.wrap(first);
            if (!write.write(message, first.length)) {
                return;
            }
            messages.removeFirst();
        }
        empty = true;
    }
}
