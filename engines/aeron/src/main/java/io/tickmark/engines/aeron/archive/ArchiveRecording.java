package io.tickmark.engines.aeron.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One recording of an archive on its disk, read only from its files: they are named after the
 * recording and the position at which they begin.
 *
 * @param id of the recording
 * @param segments by position
 * @param crc whether its frames carry checksums
 */
public record ArchiveRecording(long id, TreeMap<Long, Path> segments, boolean crc) {
    private static final Pattern NAME = Pattern.compile("(\\d+)-(\\d+)\\.rec");

    /**
     * Recordings of one stream, oldest first; those without any frame are skipped.
     *
     * @param archive directory of the archive
     * @param streamId of the stream
     * @param crc whether frames carry checksums
     * @return what is on disk now
     * @throws UncheckedIOException if the directory cannot be read, or is not there
     */
    public static List<ArchiveRecording> of(
            final Path archive, final int streamId, final boolean crc) {
        final List<ArchiveRecording> found = new ArrayList<>();
        for (final ArchiveRecording recording : all(archive, crc)) {
            if (recording.isOf(streamId)) {
                found.add(recording);
            }
        }
        return found;
    }

    /**
     * All of an archive, oldest first; of a folder that is gone nothing is known, and it throws.
     */
    static List<ArchiveRecording> all(final Path archive, final boolean crc) {
        final TreeMap<Long, ArchiveRecording> byId = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(archive, "*.rec")) {
            for (final Path file : files) {
                final Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches() && Files.size(file) > 0) {
                    byId.computeIfAbsent(
                                    Long.parseLong(name.group(1)),
                                    id -> new ArchiveRecording(id, new TreeMap<>(), crc))
                            .segments()
                            .put(Long.parseLong(name.group(2)), file);
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final DirectoryIteratorException e) {
            throw new UncheckedIOException(e.getCause());
        }
        return List.copyOf(byId.values());
    }

    /**
     * Opens a segment, past the hole where it is the first of the recording.
     *
     * @param position at which the segment begins
     * @return before its first frame
     */
    public SegmentFile open(final long position) {
        final SegmentFile segment = new SegmentFile(segments.get(position), crc);
        if (position == segments.firstKey()) {
            segment.skipHole();
        }
        return segment;
    }

    private boolean isOf(final int streamId) {
        final SegmentFile first = open(segments.firstKey());
        final SegmentFile.Frame frame = first.advance();
        return frame != SegmentFile.Frame.END
                && frame != SegmentFile.Frame.TORN
                && first.streamId() == streamId;
    }

    /** The ordinal of the first message in a segment; empty where it has none. */
    OptionalLong firstOrdinal(final long position) {
        final SegmentFile segment = open(position);
        for (SegmentFile.Frame frame = segment.advance(); ; frame = segment.advance()) {
            switch (frame) {
                case DATA, CORRUPTED -> {
                    return OptionalLong.of(segment.ordinal());
                }
                case END, TORN -> {
                    return OptionalLong.empty();
                }
                case PADDING -> {}
            }
        }
    }

    /** The ordinal of its first message; empty where it has none. */
    OptionalLong firstOrdinal() {
        return firstOrdinal(segments.firstKey());
    }

    /** The ordinal of its last whole message; empty where it has none. */
    OptionalLong lastOrdinal() {
        for (final long position : segments.descendingKeySet()) {
            final SegmentFile segment = open(position);
            long last = -1;
            for (SegmentFile.Frame frame = segment.advance();
                    frame != SegmentFile.Frame.END && frame != SegmentFile.Frame.TORN;
                    frame = segment.advance()) {
                if (frame != SegmentFile.Frame.PADDING) {
                    last = segment.ordinal();
                }
            }
            if (last >= 0) {
                return OptionalLong.of(last);
            }
        }
        return OptionalLong.empty();
    }

    /** The segment in which a message with that ordinal is, or would be. */
    long segmentOf(final long ordinal) {
        long found = segments.firstKey();
        for (final long position : segments.keySet()) {
            final OptionalLong first = firstOrdinal(position);
            if (first.isEmpty() || first.getAsLong() > ordinal) {
                break;
            }
            found = position;
        }
        return found;
    }
}
