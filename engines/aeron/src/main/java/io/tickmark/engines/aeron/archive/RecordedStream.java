package io.tickmark.engines.aeron.archive;

import io.tickmark.engines.aeron.MemberLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of one stream on one member's disk, by ordinal: recordings follow each other, and
 * where a later one begins below the end of an earlier one, the later one is valid.
 * Single-threaded.
 */
final class RecordedStream implements MemberLog {
    private final List<ArchiveRecording> recordings;
    private final long[] ends;
    private int index = -1;
    private Iterator<Long> positions = List.<Long>of().iterator();
    private SegmentFile segment;
    private long from;
    private long corrupted;
    private long tornBytes;

    private RecordedStream(final List<ArchiveRecording> recordings, final long from) {
        this.recordings = recordings;
        this.from = from;
        ends = new long[recordings.size()];
        long end = Long.MAX_VALUE;
        for (int i = recordings.size() - 1; i >= 0; i--) {
            ends[i] = end;
            end = Math.min(end, recordings.get(i).firstOrdinal().orElse(end));
        }
    }

    /** Reads from an ordinal on. */
    static RecordedStream of(
            final Path archive, final int streamId, final boolean crc, final long fromOrdinal) {
        return new RecordedStream(ArchiveRecording.of(archive, streamId, crc), fromOrdinal);
    }

    /** The highest ordinal on disk, -1 for none, as of a member that did not start yet. */
    static long lastOrdinal(final Path archive, final int streamId, final boolean crc) {
        if (!Files.isDirectory(archive)) {
            return -1;
        }
        final List<ArchiveRecording> found = ArchiveRecording.of(archive, streamId, crc);
        for (int i = found.size() - 1; i >= 0; i--) {
            final OptionalLong last = found.get(i).lastOrdinal();
            if (last.isPresent()) {
                return last.getAsLong();
            }
        }
        return -1;
    }

    /** Advances to the next message; false after the last. */
    @Override
    public boolean advance() {
        while (true) {
            if (segment == null && !openNext()) {
                return false;
            }
            switch (segment.advance()) {
                case DATA -> {
                    if (segment.ordinal() >= ends[index]) {
                        endRecording();
                    } else if (segment.ordinal() >= from) {
                        from = segment.ordinal() + 1;
                        return true;
                    }
                }
                case PADDING -> {}
                case CORRUPTED -> corrupted++;
                case TORN -> {
                    tornBytes += segment.bytesLeft();
                    endRecording();
                }
                case END -> segment = null;
            }
        }
    }

    private void endRecording() {
        segment = null;
        positions = List.<Long>of().iterator();
    }

    private boolean openNext() {
        while (!positions.hasNext()) {
            if (++index >= recordings.size()) {
                return false;
            }
            if (ends[index] > from) {
                final ArchiveRecording recording = recordings.get(index);
                positions =
                        recording.segments().tailMap(recording.segmentOf(from)).keySet().iterator();
            }
        }
        segment = recordings.get(index).open(positions.next());
        return true;
    }

    @Override
    public long ordinal() {
        return segment.ordinal();
    }

    @Override
    public UnsafeBuffer buffer() {
        return segment.buffer();
    }

    @Override
    public int messageOffset() {
        return segment.messageOffset();
    }

    @Override
    public int messageLength() {
        return segment.messageLength();
    }

    @Override
    public long corrupted() {
        return corrupted;
    }

    @Override
    public long tornBytes() {
        return tornBytes;
    }
}
