package io.tickmark.transport.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The log of one topic: segments on disk, messages not yet stable in memory. Any thread, one at a
 * time.
 */
final class FileLog {
    private final Path directory;
    private final String topic;
    private final FileStoreParameters parameters;
    private final TreeMap<Long, byte[]> stable = new TreeMap<>();
    private final List<byte[]> pending = new ArrayList<>();
    private long nextOrdinal;
    private long acknowledged;

    /** Recovers what is on disk. */
    FileLog(final Path directory, final String topic, final FileStoreParameters parameters) {
        this.directory = directory;
        this.topic = topic;
        this.parameters = parameters;
        try {
            acknowledged = readAcknowledged();
            nextOrdinal = acknowledged + 1;
            for (final LogSegment segment : LogSegment.all(directory, topic)) {
                recover(segment);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void recover(final LogSegment segment) throws IOException {
        if (segment.tornBytes() > 0) {
            segment.cutTornTail();
        }
        long ordinal = segment.firstOrdinal();
        for (final byte[] message : segment.messages()) {
            stable.put(ordinal++, message);
        }
        nextOrdinal = Math.max(nextOrdinal, ordinal);
    }

    synchronized long append(final byte[] message) {
        pending.add(message);
        return nextOrdinal++;
    }

    synchronized long nextOrdinal() {
        return nextOrdinal;
    }

    synchronized long stablePosition() {
        return nextOrdinal - pending.size() - 1;
    }

    synchronized int flightSize() {
        return pending.size();
    }

    /** Makes all messages stable. */
    synchronized int sync() {
        if (pending.isEmpty()) {
            return 0;
        }
        final List<byte[]> batch = new ArrayList<>(pending);
        try {
            long ordinal = nextOrdinal - batch.size();
            for (final List<byte[]> part : parts(ordinal, batch)) {
                LogSegment.append(LogSegment.path(directory, topic, segmentOf(ordinal)), part);
                for (final byte[] message : part) {
                    stable.put(ordinal++, message);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        pending.clear();
        return batch.size();
    }

    /** Splits a batch at segment boundaries. */
    private List<List<byte[]>> parts(final long firstOrdinal, final List<byte[]> batch) {
        final List<List<byte[]>> parts = new ArrayList<>();
        int from = 0;
        while (from < batch.size()) {
            final long ordinal = firstOrdinal + from;
            final long left = segmentOf(ordinal) + parameters.segmentMessages() - ordinal;
            final int to = (int) Math.min(batch.size(), from + left);
            parts.add(batch.subList(from, to));
            from = to;
        }
        return parts;
    }

    private long segmentOf(final long ordinal) {
        return ordinal - ordinal % parameters.segmentMessages();
    }

    /** The first stable message at or after an ordinal that is neither deleted nor corrupted. */
    synchronized Optional<Map.Entry<Long, byte[]>> from(final long ordinal) {
        return stable.tailMap(Math.max(ordinal, acknowledged + 1)).entrySet().stream()
                .filter(entry -> !LogSegment.isCorrupted(entry.getValue()))
                .findFirst();
    }

    /** Deletes up to an ordinal, where the receiver sets the pace. */
    synchronized void acknowledge(final long ordinal) {
        if (parameters.deletion() == Deletion.KEPT || ordinal <= acknowledged) {
            return;
        }
        acknowledged = Math.min(ordinal, stablePosition());
        try {
            writeAcknowledged();
            final Iterator<LogSegment> segments = LogSegment.all(directory, topic).iterator();
            while (segments.hasNext()) {
                final LogSegment segment = segments.next();
                if (segment.firstOrdinal() + parameters.segmentMessages() - 1 <= acknowledged) {
                    Files.delete(segment.path());
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        stable.headMap(acknowledged, true).clear();
    }

    private Path acknowledgedPath() {
        return directory.resolve(topic + ".acknowledged");
    }

    private long readAcknowledged() throws IOException {
        return Files.exists(acknowledgedPath())
                ? Long.parseLong(Files.readString(acknowledgedPath()))
                : -1;
    }

    private void writeAcknowledged() throws IOException {
        final Path draft = directory.resolve(topic + ".draft");
        Files.writeString(draft, Long.toString(acknowledged));
        Files.move(draft, acknowledgedPath(), StandardCopyOption.ATOMIC_MOVE);
    }
}
