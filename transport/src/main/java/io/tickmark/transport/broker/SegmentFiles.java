package io.tickmark.transport.broker;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.collections.MutableLong;

/**
 * The files in which one server keeps a topic, each named by a number and all in one folder: an
 * engine reads a single one. Single-threaded.
 */
public abstract class SegmentFiles implements StoredFiles {
    private final Path folder;
    private final String suffix;

    /**
     * Reads nothing yet.
     *
     * @param folder of the topic
     * @param suffix of the files' names
     */
    protected SegmentFiles(final Path folder, final String suffix) {
        this.folder = folder;
        this.suffix = suffix;
    }

    /**
     * Checks one file.
     *
     * @param segment to check
     * @return what it found
     * @throws IOException if it cannot be read
     */
    protected abstract Verification verify(Path segment) throws IOException;

    /**
     * Passes on the whole messages of one file, in their order; what is torn or damaged is counted
     * by {@link #verify(Path)} alone.
     *
     * @param segment to read
     * @param fromOrdinal first message to read
     * @param handler called for each
     * @throws IOException if it cannot be read
     */
    protected abstract void read(Path segment, long fromOrdinal, MessageHandler handler)
            throws IOException;

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
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(path -> path.toString().endsWith(suffix))
                    .sorted(Comparator.comparingLong(path -> Long.parseLong(number(path))))
                    .toList();
        }
    }

    /** A server that never had the topic has no folder for it. */
    @Override
    public final Verification verify() {
        Verification all = Verification.EMPTY;
        try {
            for (final Path segment : Files.isDirectory(folder) ? segments() : List.<Path>of()) {
                all = all.plus(verify(segment));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    @Override
    public final long read(final long fromOrdinal, final MessageHandler handler) {
        final MutableLong count = new MutableLong();
        final MessageHandler counting =
                (buffer, offset, length) -> {
                    handler.onMessage(buffer, offset, length);
                    count.increment();
                };
        try {
            for (final Path segment : segments()) {
                read(segment, fromOrdinal, counting);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return count.get();
    }
}
