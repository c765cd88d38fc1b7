package io.tickmark.engines.chronicle;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.collections.IntHashSet;

/**
 * {@code chronicle:///folder}, or {@code chronicle:} for a folder that is created and deleted:
 * queues of Chronicle Queue, one for each topic and one for each return path, each with one writer.
 * Writers do not wait for readers, as everything is in the file.
 */
public final class ChronicleTransport implements DurableTransport {
    /** For the ServiceLoader. */
    public ChronicleTransport() {}

    @Override
    public String scheme() {
        return "chronicle";
    }

    @Override
    public String summary() {
        return "Chronicle Queue: a persisted queue in a mapped file, between processes of one machine; also as a store.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return ChronicleParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return Libc.isAvailable()
                ? Optional.empty()
                : Optional.of("Chronicle Queue cannot be used: " + Libc.whyNotAvailable() + ".");
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("chronicle:", true));
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public boolean staysOnOneHost(final ChannelUri channel) {
        return true;
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return guarantees(channel.with("sync", "false")).plain("reads later what the file has");
    }

    @Override
    public Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        return isStored ? Set.of("directory") : Set.of("deletion", "sync");
    }

    /** The one that syncs what is written. */
    @Override
    public int busyPublisherThreads(final ChannelUri channel) {
        return channel.read(ChronicleParameters.class).sync() ? 1 : 0;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        QueueAddress.check(channel);
        return TransportTraits.upTo(QueueWriter.MAX_PAYLOAD_BYTES)
                .reliable(true)
                .ordered(true)
                .fansOut(true)
                .allocates(false);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        final QueueAddress address = QueueAddress.ofBinder(channel);
        return publication(address, address.queue(topic), () -> release(address));
    }

    private static ChroniclePublication publication(
            final QueueAddress address, final Path queue, final Runnable whenClosed) {
        return new ChroniclePublication(address, QueueWriter.open(address, queue), whenClosed);
    }

    /** Files that a reader still has open are closed with it. */
    private static void release(final QueueAddress address) {
        if (address.isMade()) {
            IoUtil.delete(address.folder().toFile(), true);
        }
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        final QueueAddress address = QueueAddress.of(channel);
        return new ChronicleSubscription(
                address, QueueReader.fromEnd(address, address.queue(topic)));
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return side == ExchangeSide.BIND
                ? binder(QueueAddress.ofBinder(channel), topic)
                : connector(QueueAddress.of(channel), topic, cookie);
    }

    private static Exchange binder(final QueueAddress address, final Topic topic) {
        final ChroniclePublication out =
                publication(address, address.queue(topic), () -> release(address));
        try {
            return new QueueExchange(out, new ReturnPaths(address, topic));
        } catch (final RuntimeException e) {
            CloseHelper.quietClose(out);
            throw e;
        }
    }

    private static Exchange connector(
            final QueueAddress address, final Topic topic, final int cookie) {
        final QueueReader in = QueueReader.fromEnd(address, address.queue(topic));
        ChroniclePublication back = null;
        try {
            back = publication(address, address.back(topic, cookie), () -> {});
            ReturnPaths.sayHello(address, topic, cookie);
            return new QueueExchange(back, new ChronicleSubscription(address, in));
        } catch (final RuntimeException e) {
            CloseHelper.quietCloseAll(back, in);
            throw e;
        }
    }

    /** Reading ends before the folder may be deleted. */
    private record QueueExchange(ChroniclePublication publication, Subscription subscription)
            implements Exchange {
        @Override
        public ChannelUri channel() {
            return publication.channel();
        }

        @Override
        public void close() {
            subscription.close();
            publication.close();
        }
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        final ChronicleParameters parameters = QueueAddress.check(channel);
        return new Guarantees(
                parameters.sync() ? Durability.D2 : Durability.D1,
                1,
                1,
                "written to the mapped file, by the publisher"
                        + (parameters.sync() ? ", and synced" : ""),
                parameters.sync() ? "before it is stable" : "never (page cache)",
                parameters.sync() ? "what was written since the last sync" : "none",
                "none",
                parameters.deletion());
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        final QueueAddress address = QueueAddress.of(channel);
        final LivenessMark mark = running(address);
        final Path queue = address.queue(topic);
        QueueWriter writer = null;
        try {
            final long life = mark.current();
            writer = QueueWriter.open(address, queue);
            return new StorePublication(address, mark, life, writer, queue);
        } catch (final IOException e) {
            CloseHelper.quietCloseAll(writer, mark);
            throw address.unusable(queue, IoReason.of(e), e);
        } catch (final RuntimeException e) {
            CloseHelper.quietCloseAll(writer, mark);
            throw e;
        }
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        final QueueAddress address = QueueAddress.of(channel);
        final LivenessMark mark = running(address);
        try {
            return new StoreSubscription(
                    address,
                    mark,
                    mark.current(),
                    QueueReader.fromStart(address, address.queue(topic)),
                    fromOrdinal);
        } catch (final RuntimeException e) {
            CloseHelper.quietClose(mark);
            throw e;
        }
    }

    private static LivenessMark running(final QueueAddress address) {
        try {
            if (LivenessMark.isIn(address.folder())) {
                final LivenessMark mark = new LivenessMark(address.folder(), false);
                if (mark.isStill(mark.current())) {
                    return mark;
                }
                mark.close();
            }
        } catch (final IOException e) {
            throw UserError.environment(
                    "--channel %s: the store cannot be reached (%s); check its folder."
                            .formatted(address.channel(), IoReason.of(e)),
                    e);
        }
        throw UserError.environment(
                "--channel %s: no store runs in %s; start it first, with tickmark store chronicle:."
                        .formatted(address.channel(), address.folder()));
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        QueueAddress.check(channel);
        if (!channel.authority().isEmpty()) {
            throw UserError.usage(
                    "--channel %s: the folder of a store is given by --store-directory; write chronicle:, with parameters only."
                            .formatted(channel));
        }
        return new ChronicleStore(channel, directory);
    }

    /** Writes messages unchanged to a queue. Single-threaded; allocates nothing. */
    private static final class ChroniclePublication implements Publication {
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

    /** Reads messages unchanged from a queue. Single-threaded; allocates nothing. */
    private static final class ChronicleSubscription implements Subscription {
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

    /**
     * The queues that the binding side reads: a separate one for each cookie, so that no two sides
     * write to the same one and none waits for another. Each connecting side writes its cookie to
     * another queue. Single-threaded; allocates only when a side connects.
     */
    private static final class ReturnPaths implements Subscription {
        private static final QueueReader[] NONE = {};

        private final QueueAddress address;
        private final Topic topic;
        private final QueueReader hellos;
        private final MessageHandler greeter =
                (buffer, offset, length) -> meet(buffer.getInt(offset));
        private final IntHashSet known = new IntHashSet();
        private QueueReader[] readers = NONE;
        private boolean isOpen;
        private int first;

        /** Begins with what sides write from now on. */
        ReturnPaths(final QueueAddress address, final Topic topic) {
            this.address = address;
            this.topic = topic;
            hellos = QueueReader.fromStart(address, address.hellos(topic));
            try {
                hellos.poll(greeter, Integer.MAX_VALUE);
            } catch (final RuntimeException e) {
                close();
                throw e;
            }
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

    /**
     * A folder of queues. The library runs within writers and readers, so the store has no separate
     * process: its single member is the mark by which they see whether it runs, and killing it
     * makes them stop where they are. The effect of a crashed writer is tested by killing the
     * writer.
     */
    private static final class ChronicleStore implements StoreServer {
        private final QueueAddress address;
        private LivenessMark mark;

        ChronicleStore(final ChannelUri channel, final Path directory) {
            address = QueueAddress.of(QueueAddress.at(channel, directory.toAbsolutePath()));
        }

        @Override
        public void start() {
            try {
                if (!Files.isDirectory(address.folder())) {
                    throw UserError.environment(
                            "the store's folder %s does not exist; restore it."
                                    .formatted(address.folder()));
                }
                if (mark == null) {
                    mark = new LivenessMark(address.folder(), true);
                }
                mark.begin();
            } catch (final IOException e) {
                throw UserError.environment(
                        "the store's folder %s cannot be used (%s); check it, or give another one."
                                .formatted(address.folder(), IoReason.of(e)),
                        e);
            }
        }

        @Override
        public ChannelUri endpoint() {
            return address.channel();
        }

        @Override
        public int members() {
            return 1;
        }

        @Override
        public void kill(final int member) {
            if (mark != null) {
                mark.end();
            }
        }

        @Override
        public void restart(final int member) {
            start();
        }

        @Override
        public Verification verify(final Topic topic) {
            return new QueueFile(address.queue(topic)).verify();
        }

        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            return new QueueFile(address.queue(topic)).read(fromOrdinal, handler);
        }

        @Override
        public void close() {
            if (mark != null) {
                mark.end();
                mark.close();
                mark = null;
            }
        }
    }
}
