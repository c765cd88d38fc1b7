package io.tickmark.transport.broker;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The files in which one server keeps a topic, each named by a number and all in one folder: an
 * engine scans a single one. Single-threaded.
 */
public abstract class SegmentFiles implements StoredFiles {
    private final String suffix;

    /**
     * Reads nothing yet.
     *
     * @param suffix of the files' names
     */
    protected SegmentFiles(final String suffix) {
        this.suffix = suffix;
    }

    /**
     * The folder of the topic.
     *
     * @return where it is, or would be
     * @throws IOException if it cannot be looked for
     */
    protected abstract Path folder() throws IOException;

    /** What is found in the files, counted, and passed on from an ordinal. Single-threaded. */
    public static final class Found {
        private final long fromOrdinal;
        private final MessageHandler handler;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long whole;
        private long damaged;
        private long passedOn;

        private Found(final long fromOrdinal, final MessageHandler handler) {
            this.fromOrdinal = fromOrdinal;
            this.handler = handler;
        }

        /**
         * A message whose checksum is right.
         *
         * @param ordinal of it
         * @param payload what remains of this buffer, which is on the heap
         */
        public void message(final long ordinal, final ByteBuffer payload) {
            whole(1);
            if (ordinal >= fromOrdinal) {
                passedOn++;
                buffer.wrap(payload, payload.position(), payload.remaining());
                handler.onMessage(buffer, 0, buffer.capacity());
            }
        }

        /** {@return whether messages need not be passed on, but only counted} */
        public boolean countsOnly() {
            return fromOrdinal == Long.MAX_VALUE;
        }

        /**
         * Messages whose checksum is right, and which need not be passed on.
         *
         * @param messages how many
         */
        public void whole(final long messages) {
            whole += messages;
        }

        /**
         * Messages whose checksum is wrong.
         *
         * @param messages how many
         */
        public void damaged(final long messages) {
            damaged += messages;
        }
    }

    /**
     * Finds the messages of one file, in their order.
     *
     * @param segment to scan
     * @param found is told of each
     * @return bytes behind the last record that is there as a whole
     * @throws IOException if it cannot be read
     */
    protected abstract long scan(Path segment, Found found) throws IOException;

    /**
     * The number of a file.
     *
     * @param segment among the files
     * @return its name without the suffix
     */
    protected final String number(final Path segment) {
        final String name = segment.getFileName().toString();
        return name.substring(0, name.length() - suffix.length());
    }

    /** By their numbers, which may have leading zeroes or none. */
    private List<Path> segments() throws IOException {
        try (Stream<Path> found = Files.list(folder())) {
            return found.filter(path -> path.toString().endsWith(suffix))
                    .sorted(Comparator.comparingLong(path -> Long.parseLong(number(path))))
                    .toList();
        }
    }

    /** A server that never had the topic has no folder for it. */
    @Override
    public final Verification verify() {
        final Found found = new Found(Long.MAX_VALUE, (buffer, offset, length) -> {});
        long torn = 0;
        try {
            for (final Path segment : Files.isDirectory(folder()) ? segments() : List.<Path>of()) {
                torn += scan(segment, found);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Verification(found.whole, torn, found.damaged);
    }

    @Override
    public final long read(final long fromOrdinal, final MessageHandler handler) {
        final Found found = new Found(fromOrdinal, handler);
        try {
            for (final Path segment : segments()) {
                scan(segment, found);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.passedOn;
    }
}
