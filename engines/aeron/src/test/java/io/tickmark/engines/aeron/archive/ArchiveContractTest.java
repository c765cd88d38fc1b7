package io.tickmark.engines.aeron.archive;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurableContractTest;
import io.tickmark.transport.store.DurableTransport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;

/** The store's contract on Aeron Archive, members as processes that are really killed. */
class ArchiveContractTest extends DurableContractTest {
    static final String SMALL = "termBytes=1048576&segmentBytes=1048576&markFile=remove";

    @Override
    protected DurableTransport transport() {
        return new ArchiveTransport();
    }

    @Override
    protected ChannelUri channel(final boolean receiverPaced) {
        return ChannelUri.parse(
                "archive:?"
                        + SMALL
                        + "&livenessTimeout=20s&deletion="
                        + (receiverPaced ? "acknowledged" : "kept"));
    }

    private static ArchiveRecording recording(final Path data, final Topic topic) {
        return ArchiveRecording.of(StoreFiles.member(data, 1), StoreFiles.streamId(topic), true)
                .getLast();
    }

    private static Path file(final ArchiveRecording recording) {
        return recording.segments().lastEntry().getValue();
    }

    private static SegmentFile segment(final ArchiveRecording recording) {
        return recording.open(recording.segments().lastKey());
    }

    @Override
    protected void tearTail(final Path data, final Topic topic) throws IOException {
        final ArchiveRecording recording = recording(data, topic);
        final SegmentFile segment = segment(recording);
        int end = 0;
        while (segment.advance() == SegmentFile.Frame.DATA) {
            end = segment.offset() + 32 + segment.messageLength();
        }
        end = (end + 31) / 32 * 32;
        // A header as the archive writes it, and some of its message.
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[40]);
        frame.putInt(0, 132, ByteOrder.LITTLE_ENDIAN);
        frame.putByte(5, (byte) 0xc0);
        frame.putShort(6, (short) 1, ByteOrder.LITTLE_ENDIAN);
        frame.putInt(12, 0x0909_0909, ByteOrder.LITTLE_ENDIAN);
        frame.putInt(16, StoreFiles.streamId(topic), ByteOrder.LITTLE_ENDIAN);
        frame.putLong(24, 12, ByteOrder.LITTLE_ENDIAN);
        frame.setMemory(32, 8, (byte) 7);
        try (RandomAccessFile file = new RandomAccessFile(file(recording).toFile(), "rw")) {
            file.seek(end);
            file.write(frame.byteArray());
        }
    }

    @Override
    protected void corrupt(final Path data, final Topic topic) throws IOException {
        final ArchiveRecording recording = recording(data, topic);
        final SegmentFile segment = segment(recording);
        segment.advance();
        try (RandomAccessFile file = new RandomAccessFile(file(recording).toFile(), "rw")) {
            file.seek(segment.offset() + 32 + 50);
            final int before = file.read();
            file.seek(segment.offset() + 32 + 50);
            file.write(before ^ 1);
        }
    }
}
