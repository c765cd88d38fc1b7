package io.tickmark.engines.chronicle;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.util.Arrays;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.collections.IntHashSet;

/**
 * The queues that the binding side reads: a separate one for each cookie, so that no two sides
 * write to the same one and none waits for another. Each connecting side writes its cookie to
 * another queue. Single-threaded; allocates only when a side connects.
 */
final class WaysBack implements Subscription {
    private static final QueueReader[] NONE = {};

    private final QueueAddress address;
    private final Topic topic;
    private final QueueReader hellos;
    private final MessageHandler greeter = (buffer, offset, length) -> meet(buffer.getInt(offset));
    private final IntHashSet known = new IntHashSet();
    private QueueReader[] readers = NONE;
    private boolean isOpen;
    private int first;

    /** Begins with what sides write from now on. */
    WaysBack(final QueueAddress address, final Topic topic) {
        this.address = address;
        this.topic = topic;
        hellos = QueueReader.fromStart(address, address.hellos(topic));
        hellos.poll(greeter, Integer.MAX_VALUE);
        isOpen = true;
    }

    /** Sends the cookie of a connecting side to the binding side. */
    static void sayHello(final QueueAddress address, final Topic topic, final int cookie) {
        try (ChronicleQueue queue = Queues.open(address, address.hellos(topic));
                DocumentContext hello = queue.createAppender().writingDocument()) {
            hello.wire().bytes().writeInt(cookie);
        }
    }

    private void meet(final int cookie) {
        if (known.add(cookie)) {
            readers = Arrays.copyOf(readers, readers.length + 1);
            readers[readers.length - 1] =
                    isOpen
                            ? QueueReader.fromStart(address, address.back(topic, cookie))
                            : QueueReader.fromEnd(address, address.back(topic, cookie));
        }
    }

    /** Begins with another side each time, so that none keeps the others from being read. */
    @Override
    public int poll(final MessageHandler handler, final int limit) {
        hellos.poll(greeter, 1);
        final int count = readers.length;
        int handed = 0;
        for (int i = 0; i < count && handed < limit; i++) {
            handed += readers[(first + i) % count].poll(handler, limit - handed);
        }
        first = count == 0 ? 0 : (first + 1) % count;
        return handed;
    }

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
        isOpen = false;
        CloseHelper.closeAll(readers);
        readers = NONE;
        hellos.close();
    }
}
