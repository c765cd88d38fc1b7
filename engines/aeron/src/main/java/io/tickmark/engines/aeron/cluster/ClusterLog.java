package io.tickmark.engines.aeron.cluster;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.tickmark.engines.aeron.MemberLog;
import io.tickmark.engines.aeron.archive.ArchiveRecording;
import io.tickmark.engines.aeron.archive.SegmentFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * The messages of one topic in the log on one member's disk, as the service accepts them: each
 * ordinal once, none after a gap. May be read while it is written. Single-threaded.
 */
final class ClusterLog implements MemberLog {
    private static final int STREAM = ConsensusModule.Configuration.LOG_STREAM_ID_DEFAULT;

    private final Path archive;
    private final boolean crc;
    private final int topic;
    private long from;
    private ArchiveRecording recording;
    private long segmentPosition;
    private SegmentFile segment;
    private long last = -1;
    private long corrupted;
    private long tornBytes;
    private boolean mayJump;

    ClusterLog(final Path archive, final boolean crc, final int topic, final long from) {
        this.archive = archive;
        this.crc = crc;
        this.topic = topic;
        this.from = from;
    }

    /** Advances to the next message; false where there is none yet, and it may be called again. */
    @Override
    public boolean advance() {
        while (segment != null || openNext()) {
            switch (segment.advance()) {
                case DATA -> {
                    if (isNext()) {
                        return true;
                    }
                }
                case PADDING -> {}
                case CORRUPTED -> {
                    corrupted++;
                    mayJump = true;
                }
                case TORN -> {
                    tornBytes = segment.bytesLeft();
                    segment.refresh();
                    return false;
                }
                case END -> {
                    if (!segment.isAtEnd()) {
                        segment.refresh();
                        return false;
                    }
                    segment = null;
                }
            }
        }
        return false;
    }

    private boolean isNext() {
        final DirectBuffer buffer = segment.buffer();
        final int offset = segment.messageOffset();
        if (!ClusterFrames.isMessage(buffer, offset, segment.messageLength(), topic)) {
            return false;
        }
        final long ordinal =
                ClusterFrames.ordinal(buffer, offset + AeronCluster.SESSION_HEADER_LENGTH);
        if (ordinal != last + 1 && !(mayJump && ordinal > last)) {
            return false;
        }
        last = ordinal;
        mayJump = false;
        return ordinal >= from;
    }

    /** The segment after the one that was read, or the first of the next recording. */
    private boolean openNext() {
        final List<ArchiveRecording> recordings = ArchiveRecording.of(archive, STREAM, crc);
        if (recordings.isEmpty()) {
            return false;
        }
        if (recording == null) {
            return open(recordings.getFirst(), recordings.getFirst().segments().firstKey());
        }
        for (final ArchiveRecording found : recordings) {
            if (found.id() == recording.id()) {
                final Map.Entry<Long, Path> higher = found.segments().higherEntry(segmentPosition);
                if (higher != null) {
                    return open(found, higher.getKey());
                }
            } else if (found.id() > recording.id()) {
                return open(found, found.segments().firstKey());
            }
        }
        return false;
    }

    private boolean open(final ArchiveRecording found, final long position) {
        recording = found;
        segmentPosition = position;
        segment = found.open(position);
        return true;
    }

    @Override
    public long ordinal() {
        return last;
    }

    @Override
    public DirectBuffer buffer() {
        return segment.buffer();
    }

    @Override
    public int messageOffset() {
        return segment.messageOffset() + AeronCluster.SESSION_HEADER_LENGTH + ClusterFrames.LENGTH;
    }

    @Override
    public int messageLength() {
        return segment.messageLength() - AeronCluster.SESSION_HEADER_LENGTH - ClusterFrames.LENGTH;
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
