package io.tickmark.engines.chronicle;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.DurablePublication;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Writes messages with their checksums to the queue of a store. A written message is in the page
 * cache, and thereby stable; with {@code sync} it is stable once a separate thread has synced the
 * file. Single-threaded; allocates nothing.
 */
final class StorePublication implements DurablePublication {
    private final QueueAddress address;
    private final LivenessMark mark;
    private final long life;
    private final QueueWriter writer;
    private final Syncer syncer;
    private final PayloadChecksum checksum = new PayloadChecksum();
    private long stable;
    private boolean isFull;
    private String failure = "";
    private boolean isClosed;

    /** Owns the mark and the writer. */
    StorePublication(
            final QueueAddress address,
            final LivenessMark mark,
            final long life,
            final QueueWriter writer,
            final Path queue)
            throws IOException {
        this.address = address;
        this.mark = mark;
        this.life = life;
        this.writer = writer;
        stable = writer.next() - 1;
        syncer =
                address.parameters().sync()
                        ? new Syncer(queue.resolve(QueueFile.DATA), stable)
                        : null;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (isClosed) {
            return CLOSED;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (!failure.isEmpty()) {
            return CLOSED;
        }
        if (length > QueueWriter.MAX_PAYLOAD_BYTES) {
            return TOO_LONG;
        }
        final long expected = writer.next();
        final long ordinal =
                writer.appendStored(buffer, offset, length, checksum.of(buffer, offset, length));
        if (ordinal == QueueWriter.NO_ROOM) {
            isFull = true;
            return NOT_CONNECTED;
        }
        if (ordinal != expected) {
            failure =
                    "another program writes to the queue in %s: message %d is not ours"
                            .formatted(address.folder(), expected);
            return CLOSED;
        }
        if (syncer == null) {
            stable = ordinal;
        } else {
            syncer.written(ordinal);
        }
        return ordinal;
    }

    @Override
    public long nextOrdinal() {
        return writer.next();
    }

    @Override
    public long stablePosition() {
        return syncer == null ? stable : syncer.synced;
    }

    @Override
    public boolean isLost() {
        return isFull
                || !isClosed && !mark.isStill(life)
                || syncer != null && !syncer.trouble.isEmpty();
    }

    /** After a failed sync it is unknown which of the messages before it are on the disk. */
    @Override
    public String failure() {
        return syncer == null || syncer.trouble.isEmpty() ? failure : trouble();
    }

    @Override
    public String trouble() {
        if (isFull) {
            return "no room for the queue in %s (%s); make room, or give another folder"
                    .formatted(address.folder(), writer.whyNoRoom());
        }
        return syncer == null || syncer.trouble.isEmpty()
                ? failure
                : "the queue in %s cannot be synced (%s); check that disk"
                        .formatted(address.folder(), syncer.trouble);
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return address.channel();
    }

    @Override
    public Map<String, Object> facts() {
        return syncer == null ? Map.of() : Map.of("syncs", syncer.count);
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("syncs");
    }

    @Override
    public Optional<String> engineErrors() {
        return writer.cutBytes() == 0
                ? Optional.empty()
                : Optional.of(
                        CountSentence.of(
                                "The queue in %2$s ended with %1$d {byte|bytes} of a message that a crash had left; {it"
                                        + " was|they were} wiped out.",
                                writer.cutBytes(), address.folder()));
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            CloseHelper.closeAll(syncer, writer, mark);
        }
    }

    /** Syncs the file again and again while there are messages that are not synced yet. */
    private static final class Syncer implements AutoCloseable {
        /** A writer does not wake the thread, as that is a system call. */
        private static final long NAP_NS = 20_000;

        private final FileChannel file;
        private final Thread thread = new Thread(this::run, "chronicle-sync");
        private volatile long written;
        private volatile long synced;
        private volatile long count;
        private volatile String trouble = "";
        private volatile boolean isClosed;

        Syncer(final Path path, final long written) throws IOException {
            this.written = written;
            file = FileChannel.open(path, StandardOpenOption.WRITE);
            file.force(true);
            synced = written;
            thread.setDaemon(true);
            thread.start();
        }

        void written(final long ordinal) {
            written = ordinal;
        }

        /** Pages of a mapping belong to the file: fsync(2) does to them what msync(2) does. */
        private void run() {
            while (!isClosed && trouble.isEmpty()) {
                final long upTo = written;
                if (upTo == synced) {
                    LockSupport.parkNanos(NAP_NS);
                } else {
                    try {
                        file.force(false);
                        count++;
                        synced = upTo;
                    } catch (final IOException e) {
                        trouble = isClosed ? "" : IoReason.of(e);
                    }
                }
            }
        }

        @Override
        public void close() {
            isClosed = true;
            try {
                thread.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            CloseHelper.quietClose(file);
        }
    }
}
